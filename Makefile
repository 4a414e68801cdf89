# Warpwise: the only build file. "make help" lists what can be made.
#
# Wildcards find labs, sources and tests, so adding one does not change this file. Each variant (release,
# arm64, sanitize, hostile, coverage) has its own folder, build/<variant>/. Each folder of grader/ becomes a library. A
# program is linked only with the libraries of the folders that it may include, by grader/matrix.txt.
#
# Variables:
#   SANITIZE=1           builds with ASan and UBSan
#   HOSTILE=1            makes code that works by luck fail (grader/base/hostile.h)
#   VARIANT=arm64        builds for arm64 (tools/arm64)
#   V=1                  prints whole commands
#   CC, CFLAGS, LDFLAGS  as usual; a change rebuilds

# Uses all processors unless the command line has a -j.
MAKEFLAGS += --no-builtin-rules --no-print-directory $(if $(filter 0,$(MAKELEVEL)),-j$(shell nproc))
.SUFFIXES:
.DELETE_ON_ERROR:
.SECONDARY:
.DEFAULT_GOAL := all
$(if $(V),,.SILENT:)
.PHONY: all kit student test-programs needs-student needs-developer FORCE $(shell sed -n 's/^.: \([a-z-]*\)  .*/\1/p' Makefile)

SETUP := $(sort $(filter setup setup-dev,$(MAKECMDGOALS)))
ifneq ($(SETUP),)
# ---- setup
# Make looks for packages when it reads this file. Goals after "setup" run in a second make, which finds the new ones:
# "make setup lab3" is "make setup && make lab3".
AFTER := $(filter-out $(SETUP),$(MAKECMDGOALS))
.NOTPARALLEL:
.PHONY: $(AFTER)
#: setup  installs what a student needs to build and grade
setup:
	tools/setup student
	[ "$(MAKECMDGOALS)" != setup ] || echo 'all that is needed is installed: make lab0'
#: setup-dev  installs what the tests need besides
setup-dev:
	tools/setup developer
$(AFTER): $(SETUP)
	+$(MAKE) $@

else
# ---- variants and flags

comma := ,
VARIANT ?= $(if $(filter 1,$(SANITIZE)),sanitize,$(if $(filter 1,$(HOSTILE)),hostile,release))
B := build/$(VARIANT)
KIT := $(filter release arm64,$(VARIANT))
TEST := $(B)/tests
export BUILD := $(B)
export GRADE := $(CURDIR)/$(B)/grade
ifeq ($(origin CC),default)
CC := $(if $(filter arm64,$(VARIANT)),tools/arm64 cc,gcc)
endif
CFLAGS ?= -O2 -g
# Sanitizers cause false warnings.
FALSE_WARNINGS := -Wno-format-truncation -Wno-stringop-truncation -Wno-maybe-uninitialized
sanitize_FLAGS := $(FALSE_WARNINGS) -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
hostile_FLAGS := -DHOSTILE
hostile_LINK := -Wl,-u,hostile_begin $(addprefix -Wl$(comma)--wrap=,malloc calloc realloc aligned_alloc strdup strndup)
coverage_FLAGS := $(FALSE_WARNINGS) -O1 --coverage -DCOVERAGE='"$(CURDIR)/$(B)"'
coverage_LINK := -Wl,-u,__gcov_dump
# Shared libraries are built without sanitizers, as the programs that load them have none. Their MODE is private, since
# a target's prerequisites inherit its variables.
MODE = $(VARIANT)
# -Wno-psabi: each vector unit passes vectors in its own way, but here no vector crosses a file.
COMPILE = $(CC) -std=c11 -Wall -Wextra -Wno-psabi -Igrader -I$(B)/include $(CFLAGS) $($(MODE)_FLAGS) -pthread -MMD -MP
SHARED = -shared -Wl,-soname,$(@F) -Wl,-z,defs
LINK = $(CC) $(CFLAGS) $($(MODE)_FLAGS) $($(MODE)_LINK) $(LDFLAGS) -pthread

# Objects depend on the compiler's flags and programs on the linker's, in files that change only with them.
.SECONDEXPANSION:
$(B)/compile.flags: export flags = $(COMPILE)
$(B)/link.flags: export flags = $(LINK)
$(B)/compile.flags $(B)/link.flags: $$(if $$(subst =$$(file <$$@)=,,=$$(flags)=),FORCE)
	mkdir -p $(@D); printf '%s\n' "$$flags" >$@
$(B)/compile.flags: | needs-student

say = mkdir -p $(@D); echo "  $1"
define compile
$(call say,compile  $<$(if $(LEVEL), for $(LEVEL)))
$(COMPILE) $(FOLDER_FLAGS) $(OWN_FLAGS) -c -o $@ $<
endef
define link
$(call say,link     $@)
$(LINK) $(OWN_LINK) -o $@ $(filter %.o,$^) -Wl,--start-group $(filter %.a,$^) -Wl,--end-group $(PACKAGES)
endef

# ---- libraries

# What only "class" needs is built if it can be.
HAS_CLASS := $(shell CC="$(CC)" tools/setup has class && echo yes)
SOURCES := $(wildcard grader/*/*.c grader/*/*/*.c)
FOLDERS := $(filter-out $(if $(HAS_CLASS),,batch/% cli/class),$(sort $(patsubst grader/%/,%,$(dir $(SOURCES)))))
MAINS := $(shell grep -l '^int main' $(SOURCES) tests/*/*.c)
# linked gives the libraries and objects that a folder of grader/ or a test program needs. With "lab" come the labs.
NEEDS := $(shell tools/needs)
needs = $(subst $(comma), ,$(patsubst $1:%,%,$(filter $1:%,$(NEEDS))))
libs = $(patsubst %,$(B)/lib%.a,$(subst /,-,$(filter $(FOLDERS),$1) $(if $(filter lab,$1),labs)))
linked = $(addprefix $(B)/,$(filter %.o,$(call needs,$1))) $(call libs,$(call needs,$1))

# What folders need of other packages.
report_PACKAGES := -ljansson -lutf8proc
batch-unpack_PACKAGES := -larchive -lgit2 -lyaml -lz -lutf8proc
batch-course_PACKAGES := -ljansson
batch-book_PACKAGES := -lsqlite3 -lmd -lzstd
box_PACKAGES := -lseccomp
host-runtime_PACKAGES := -lzstd -llz4
PACKAGES = $(sort $(foreach f,$(patsubst $(B)/lib%.a,%,$(filter %.a,$^)),$($f_PACKAGES))) -lm

# A file that includes vector_level.h itself is compiled once for each level of x86-64 vector units, named by SIM_ISA.
VECTORISED := $(shell grep -l '^.include "sim/core/vector_level.h"' $(SOURCES))
LEVELS := $(if $(filter x86_64%,$(shell $(CC) -dumpmachine)),base v3 v4,base)
v3_ARCH := -march=x86-64-v3
v4_ARCH := -march=x86-64-v4 -mprefer-vector-width=512
sources = $(filter-out $(MAINS),$(wildcard grader/$1/*.c))
objects = $(foreach c,$(call sources,$1),$(if $(filter $c,$(VECTORISED)),$(LEVELS:%=$(B)/$(c:.c=.%.o)),$(B)/$(c:.c=.o)))

$(B)/%.o: %.c $(B)/compile.flags
	$(compile)
# Some sources are compiled more than once: into the objects $1.o, for $2, with the flags $3.
define compile_for
$(B)/$1.o: LEVEL := $2
$(B)/$1.o: OWN_FLAGS := $3
$(B)/$1.o: %.c $(B)/compile.flags
	$$(compile)
endef
$(foreach l,$(LEVELS),$(eval $(call compile_for,%.$l,$l,$($l_ARCH) $(if $(KIT),-O3) -DSIM_ISA=$l)))
-include $(shell find $(B) -name '*.d' 2>/dev/null)
# A folder is newer when its list of files changed.
$(call libs,$(FOLDERS)): $(B)/lib%.a: $$(call objects,$$(subst -,/,$$*)) $$(wildcard grader/$$(subst -,/,$$*))
	mkdir -p $(@D); rm -f $@
	ar rcs $@ $(filter %.o,$^)

# The simulator gives the same bits on every machine, so the compiler must not fuse a multiplication and an addition.
$(B)/grader/sim/%.o: FOLDER_FLAGS := -ffp-contract=off
# Embedded files (grader/base/embed.h).
$(patsubst %,$(B)/grader/report/page/%.o,page figure page_step): $(wildcard grader/report/page/*.[cj]s*)
$(B)/grader/batch/book/gradebook.o: grader/batch/book/schema.sql
# The list of the labs, and hashes of sources, rewritten only when they change.
$(B)/labs.c $(B)/include/judge/job/model.h $(B)/include/report/page/script.h: FORCE
	tools/$(basename $(@F)) $@ $(VARIANT)
$(B)/grader/judge/job/record.o: $(B)/include/judge/job/model.h
$(B)/grader/report/page/page_step.o: $(B)/include/report/page/script.h

# ---- labs

LABS := $(patsubst labs/%/lab.c,%,$(wildcard labs/*/lab.c))
LABN := $(foreach lab,$(LABS),$(firstword $(subst _, ,$(lab))))
$(B)/labs.o: $(B)/labs.c $(B)/compile.flags
	$(compile)
$(B)/liblabs.a: $(B)/labs.o $(LABS:%=$(B)/labs/%/lab.o)

student:
	tools/student student_template student
#: labN  compiles your lab N and shows its errors (SUBMISSION=dir: in another folder than student/)
SUBMISSION ?= student
$(LABN): all $(if $(filter student,$(SUBMISSION)),student)
	./grade compile $@ $(SUBMISSION)/$(filter $@_%,$(LABS)).cu
$(filter-out $(LABN),$(filter lab%,$(MAKECMDGOALS))):
	echo "there is no lab '$@'; there are: $(LABN)" >&2; exit 2

# ---- programs

RUNNERS := $(patsubst grader/runner/main_%.c,$(B)/runner-%,$(filter grader/runner/main_%,$(MAINS)))
$(B)/grade $(B)/carry/grade: $(B)/grader/cli/main.o $(call linked,cli) $(B)/link.flags
	$(link)
# The commands for a class are a second program, started by grade. The rpath finds the libraries beside it ("make carry").
$(B)/class: OWN_LINK := '-Wl,--disable-new-dtags,-rpath,$$ORIGIN/bin/lib'
$(B)/class: $(B)/grader/cli/class/main_class.o $(call linked,cli/class) $(B)/link.flags
	$(link)
# grader/runner/main_X.c is the runner of the engine X and is linked with this engine only.
other_engine = $(patsubst %,$(B)/lib%.a,$(if $(filter sim,$1),gpu host-cards,sim sim-% host-devices))
$(RUNNERS): $(B)/runner-%: $(B)/grader/runner/main_%.o $$(filter-out $$(call other_engine,$$*),$$(call linked,runner)) $(B)/link.flags
	$(link)
# The simulator's runner is static because its sandbox holds no libraries. A sanitizer's runtime cannot be linked statically.
$(B)/runner-sim $(TEST)/cheats/liar: OWN_LINK := $(if $(filter sanitize,$(VARIANT)),,-static)

# A libcudart for each major version of the CUDA runtime, with the file name, symbol version and struct layouts of
# NVIDIA's. The programs in carry/ are static: they run where the packages are not installed.
CUDARTS := 11.0 12 13
11.0_API := 11080
12_API := 12080
13_API := 13000
LIBCUDARTS := $(CUDARTS:%=$(B)/cudart/libcudart.so.%)
CARRIED := $(LIBCUDARTS:$(B)/%=$(B)/carry/%)
$(foreach v,$(CUDARTS),$(eval $(call compile_for,shared$(suffix .$v)/%,CUDA $v,-fPIC -fvisibility=hidden -DCUDART_VERSION=$($v_API))))
cudart_objects = $(patsubst %.c,$(B)/shared$(suffix $1)/%.o,$(foreach f,$(call needs,host/runtime),$(call sources,$f)))
$(LIBCUDARTS) $(CARRIED): $$(call cudart_objects,$$@) $(B)/link.flags
	echo '$(@F) { global: cuda*; __cuda*; warpwise_*; };' >$(B)/shared$(suffix $@)/versions
	$(link)
$(B)/shared.% $(B)/cudart/% $(B)/carry/cudart/%: private MODE = $(filter coverage,$(VARIANT))
$(LIBCUDARTS) $(CARRIED): OWN_LINK = $(SHARED) -Wl,--version-script,$(B)/shared$(suffix $@)/versions -Wl,-Bsymbolic-functions -Wl,-z,nodelete
$(LIBCUDARTS): PACKAGES := $(host-runtime_PACKAGES)
$(CARRIED): PACKAGES := -l:libzstd.a -l:liblz4.a -Wl,--exclude-libs,ALL
$(B)/carry/grade: OWN_LINK := -static
$(B)/carry/all: $(if $(KIT),$(B)/carry/grade $(CARRIED))

#:   builds the grader: ./grade and its runners
all: $(call libs,$(FOLDERS)) $(B)/grade $(RUNNERS) $(if $(HAS_CLASS),$(B)/class) $(LIBCUDARTS)
	[ $(VARIANT) != release ] || { ln -sfn $(B)/grade grade && ln -sfn $(RUNNERS:build/%=%) release/cudart build/; }

# Without gettext's msgfmt, the grader speaks English.
all: $(patsubst po/%.po,build/locale/%/LC_MESSAGES/warpwise.mo,$(if $(shell command -v msgfmt),$(wildcard po/*.po)))
build/locale/%/LC_MESSAGES/warpwise.mo: po/%.po
	$(call say,messages $@)
	msgfmt --output-file=$@ $<

# ---- tests

TEST_PROGRAMS := $(patsubst %.c,$(B)/%,$(filter tests/%,$(MAINS)))
built = $(filter $(1:%=$(TEST)/%/%),$(TEST_PROGRAMS))
$(TEST_PROGRAMS): $(B)/%: $(B)/%.o $$(call linked,$$*) $(B)/link.flags
	$(link)
$(TEST)/unit/%: PACKAGES += -lcmocka
$(TEST)/cheats/contained: PACKAGES += -lseccomp
$(patsubst %.c,$(B)/%.o,$(wildcard tests/*/*.c)): | needs-developer

# Stand-ins for CUDA's driver and NVML test the GPU engine without a GPU.
TEST_DRIVERS := $(patsubst tests/card/%.c,$(TEST)/card/lib%.so.1,$(wildcard tests/card/*.c))
$(TEST)/card/%: private MODE =
$(TEST)/card/%: OWN_FLAGS := -fPIC
$(TEST)/card/%: OWN_LINK = $(SHARED)
$(TEST_DRIVERS): $(TEST)/card/lib%.so.1: $(TEST)/card/%.o $(B)/link.flags
	$(link)
test-programs: $(TEST_PROGRAMS) $(TEST_DRIVERS) $(B)/carry/all

# With MAKE, tests/run builds the suites' programs. MAKE_COMMAND, since make runs a line with its own name even under -n.
RUN_TESTS = MAKE=$(MAKE_COMMAND) tests/run
#: test  runs the tests that find nearly every defect, in minutes (T=word: all tests of the suites with this word)
test: all
	$(RUN_TESTS) $(or $(T),--first)
#: test-rest  runs the tests that "make test" leaves out
test-rest: all
	$(RUN_TESTS) --rest $(T)
#: test-all  runs all tests (SANITIZE=1, HOSTILE=1: in that build)
test-all: all
	$(RUN_TESTS) $(T)
#: test-gpu  runs the tests that need a GPU, and skips them if there is none (T=word)
test-gpu: all
	$(RUN_TESTS) --card $(T)
#: test-bare  installs and uses the kit in a bare system (root, mmdebstrap; SYSTEM=noble: Ubuntu)
test-bare:
	tests/run --bare
#: test-arm64  builds for arm64, and runs units, PTX, labs and 60 reports emulated
test-arm64: all
	$(RUN_TESTS) --arm64 $(T)
#: unit  builds and runs unit tests only (T=word)
unit: $(foreach t,$(call built,unit),$(if $(findstring $(or $(T),unit),$t),$t))
	for test in $^; do echo "$$test"; $$test || failed=1; done; [ -z "$$failed" ]
#: coverage  prints how many lines and branches of grader/ the tests reach (build/coverage/html)
coverage:
	MAKE=$(MAKE_COMMAND) tools/coverage $(or $(T),unit ptx fuzz cli programs/clang)
#: bench  measures time and memory of grading each lab, and the simulator's speed
bench: all $(call built,bench)
	tests/bench/run $(T)
#: students  grades the submissions in tests/students through both compilers (T=lab3, T=tenth)
students: all
	tests/students/check $(T)
#: bench-class  grades a synthetic class, kills it again and again, measures throughput and memory (STUDENTS=300, KILLS=20, T="cores growth")
bench-class: all $(call built,bench mutation)
	tests/bench/class $(or $(STUDENTS),300) $(or $(KILLS),20) $(T)
#: semester  grades 400 synthetic students from four course systems, with 20 kills (STUDENTS=400, KILLS=20)
semester: all
	STUDENTS=$(or $(STUDENTS),400) KILLS=$(or $(KILLS),20) GRADED= bats tests/cli/semester.bats
#: attack  grades every attack of tests/cheats, with and without bubblewrap, as several users (T=word)
attack: all $(call built,cheats bench)
	tests/cheats/all $(T)
#: attack-table  prints the verdict on each attack through each compiler (DIR=folder)
attack-table: all
	tests/cheats/table $(DIR)
#: fidelity  compares the counters and times of each launch with an H200's (build/fidelity.csv; T=word)
fidelity: $(TEST)/truth/fidelity all
	$< "$(T)" build/fidelity.csv && tools/ladder verdicts build/fidelity.csv
#: ladder  simulates the ladders' times again, and updates the tables and pictures of docs/
ladder: all
	tools/ladder predict && tools/ladder write
#: mistakes  grades an example of each mistake again, and updates docs/mistakes.md
mistakes: all
	tools/mistakes write
#: baselines  simulates the labs' baselines again, and writes their records (LAB=lab3: of one lab)
baselines: all
	tools/baselines $(LAB)
#: devices  computes the labs' thresholds for the other devices
devices: all
	tools/ladder devices
#: mutation  plants one defect at a time in each kernel, and checks that the grader finds it (LAB=lab3, JOBS=N, V=1)
mutation: $(TEST)/mutation/mutation all
	$< $(JOBS:%=--jobs %) $(V:%=-v) $(LAB)

# ---- packages, documents and kits

needs-student needs-developer:
	CC="$(CC)" tools/setup check $(@:needs-%=%)

#: format  formats all C sources
#: check-format  prints which C sources are not formatted
format check-format:
	clang-format $(if $(filter format,$@),-i,--dry-run -Werror) $(wildcard $(FOLDERS:%=grader/%/*.[ch]) labs/*/*.c tests/*/*.[ch])
#: handouts  makes web pages and PDFs of the handouts, and updates their tables
handouts: | needs-developer
	tools/handouts refresh && tools/handouts site build/handouts && tools/handouts pdf build/handouts && echo build/handouts/index.html
#: docs  makes a site of all documents, with a search
docs: | needs-developer
	tools/handouts docs build/docs && echo build/docs/index.html
#: messages  updates the translations in po/ from the sources
messages:
	tools/messages update && tools/messages check
kit: all $(B)/carry/all
	tools/arm64 kit $(MAKE_COMMAND)
#: dist  packs the student's kit without solutions (ANSWERS=yes: with the exercises' answers)
dist: kit
	tools/dist $(B) warpwise-student.tar.gz $(ANSWERS)
#: release  packs kit, student's kit and handouts with checksums (build/release-files)
release: kit | needs-developer
	tools/release $(B) build/release-files
#: gradescope  packs it as Gradescope's autograder.zip (LAB=lab3; otherwise the submitted file's lab; SEED=N)
gradescope: kit
	tools/gradescope $(B) autograder.zip "$(LAB)" "$(SEED)"
#: autolab  packs it for Autolab, in autolab/ (LAB=lab3; SEED=N)
autolab: kit
	tools/autolab $(B) autolab "$(LAB)" "$(SEED)"
#: carry  packs the built kit for a machine without packages, C compiler or root (T=tests: with tests)
carry: all $(B)/carry/all $(if $(T),$(call built,gpu ptx bench mutation))
	tools/carry $(B) warpwise-carry.tar.gz $(T)
#: clean  removes everything that was built, but never student/
clean:
	rm -rf build grade
#: help  lists what can be made
help:
	awk -F '  +' '/^#: / { printf "  make %-15s %s\n", substr($$1, 4), $$2 }' Makefile
endif
