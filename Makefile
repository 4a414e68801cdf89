# Warpwise: the only build file. "make help" lists what can be made.
#
# Wildcards find labs, sources and tests, so adding one does not change this file. Each variant of the build (release,
# sanitize, hostile, coverage) has its own folder, build/<variant>/. Each folder and subfolder of grader/ becomes a
# library. A program is linked only with the libraries of the folders that its own folder may include, by
# grader/matrix.txt.
#
# Variables:
#   SUBMISSION=dir       "make labN" compiles dir/labN_*.cu (student/)
#   SANITIZE=1           builds with ASan and UBSan
#   HOSTILE=1            builds a grader in which code that works by luck fails (grader/base/hostile.h)
#   T=word               runs the test suites that have the word in their name
#   V=1                  prints whole commands
#   CC, CFLAGS, LDFLAGS  as usual; a change rebuilds

MAKEFLAGS += --no-builtin-rules --no-print-directory
# Uses all processors unless the command line has a -j of its own.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc)
endif
SHELL := /bin/bash
.SUFFIXES:
.DELETE_ON_ERROR:
.SECONDARY:
Q := $(if $(V),,@)
say = $(if $(V),,@echo "  $1")
.DEFAULT_GOAL := all

SETUP := $(sort $(filter setup setup-dev,$(MAKECMDGOALS)))
ifneq ($(SETUP),)
# ---------------------------------------------------------------- setup: installs missing packages
# This file looks for compilers and libraries when make reads it. Goals after "setup" therefore run in a second make,
# which finds the newly installed packages: "make setup lab3" is "make setup && make lab3", also with -j.

AFTER := $(filter-out $(SETUP),$(MAKECMDGOALS))
.NOTPARALLEL:
.PHONY: $(SETUP) $(AFTER)

#: setup           installs what a student needs to build and grade
setup:
	@tools/setup student
	@[ "$(MAKECMDGOALS)" != setup ] || echo 'all that is needed is installed: make lab0'
#: setup-dev       installs what the tests need besides
setup-dev:
	@tools/setup developer
$(AFTER): $(SETUP)
	+@$(MAKE) $@

else
# ---------------------------------------------------------------- folders, labs and tests

# The commands for a class need more libraries than a student has. grader/batch is built if they are installed.
HAS_CLASS := $(shell CC="$(or $(filter-out default,$(CC)),gcc)" tools/setup has class && echo yes)
FOLDERS := $(filter-out $(if $(HAS_CLASS),,batch),$(sort $(patsubst grader/%/,%,$(dir $(wildcard grader/*/*.c grader/*/*/*.c)))))
LABS    := $(patsubst labs/%/lab.c,%,$(wildcard labs/*/lab.c))#  lab3_syncthreads …
LABN    := $(foreach lab,$(LABS),$(firstword $(subst _, ,$(lab))))#  lab3 …
UNITS   := $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/*_test.c))

# ---------------------------------------------------------------- variants and flags

VARIANT := $(or $(VARIANT),$(if $(filter 1,$(SANITIZE)),sanitize),$(if $(filter 1,$(HOSTILE)),hostile),release)
B       := build/$(VARIANT)

CC       ?= gcc
ifeq ($(origin CC),default)
CC       := gcc
endif
CFLAGS   ?= -O2 -g
# -Wno-psabi: the calling convention of vector types differs between vector units, but no vector crosses a file here.
WARNINGS := -Wall -Wextra -Werror -Wno-psabi
release_FLAGS  :=
# Sanitizers and coverage cause false warnings about values. The release build keeps these warnings on.
FALSE_WARNINGS := -Wno-format-truncation -Wno-stringop-truncation -Wno-maybe-uninitialized
sanitize_FLAGS := $(FALSE_WARNINGS) -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
# grader/base/hostile.h describes this variant.
hostile_FLAGS  := -DHOSTILE
hostile_WRAPS  := malloc calloc realloc aligned_alloc strdup strndup
hostile_LINK   := -Wl,-u,hostile_begin $(hostile_WRAPS:%=-Wl,--wrap=%)
coverage_FLAGS := $(FALSE_WARNINGS) -O1 --coverage -DCOVERAGE='"$(CURDIR)/$(B)"'
coverage_LINK  := -Wl,-u,__gcov_dump
COMPILE  = $(CC) -std=c11 $(WARNINGS) -Igrader $(CFLAGS) $($(VARIANT)_FLAGS) -pthread -MMD -MP
LINK     = $(CC) $(CFLAGS) $($(VARIANT)_FLAGS) $($(VARIANT)_LINK) $(LDFLAGS) -pthread
# The simulator's runner is static because its sandbox holds no libraries. A sanitizer's runtime cannot be linked statically.
STATIC   := $(if $(filter sanitize,$(VARIANT)),,-static)

# Each object depends on a file that holds the compiler and its flags, each program on one that holds the flags of the link.
# Such a file is rewritten only when its flags change.
COMPILED_WITH := $(B)/compile.flags
LINKED_WITH   := $(B)/link.flags
$(COMPILED_WITH): export flags = $(COMPILE)
$(COMPILED_WITH): $(if $(subst =$(file <$(COMPILED_WITH))=,,=$(COMPILE)=),FORCE)
$(LINKED_WITH): export flags = $(LINK)
$(LINKED_WITH): $(if $(subst =$(file <$(LINKED_WITH))=,,=$(LINK)=),FORCE)
$(COMPILED_WITH) $(LINKED_WITH):
	@mkdir -p $(@D); printf '%s\n' "$$flags" >$@

# MATRIX holds the rows of grader/matrix.txt as words "folder:other,other". closure is a folder with all folders that it
# may include, directly or through others.
comma   := ,
MATRIX  := $(shell sed -e '/^\#/d' -e 's/: */:/' -e 's/  */,/g' grader/matrix.txt)
needs    = $(subst $(comma), ,$(patsubst $1:%,%,$(filter $1:%,$(MATRIX))))
closure  = $(sort $1 $(foreach f,$(call needs,$1),$(call closure,$f)))
sources  = $(filter-out $(MAINS),$(wildcard grader/$1/*.c))
with_sources = $(foreach f,$1,$(if $(call sources,$f),$f))
# libs gives the libraries of a list of folders. With "lab" come the labs themselves.
library  = $(B)/lib$(subst /,-,$1).a
libs     = $(foreach f,$(call with_sources,$1) $(if $(filter lab,$1),labs),$(call library,$f))

# ---------------------------------------------------------------- programs

# grade is grader/cli/main.c. grader/runner/main_X.c is the runner of the engine X and is linked with this engine only.
MAINS    := $(shell grep -l '^int main' grader/*/*.c)
GRADE_MAIN := grader/cli/main.c
RUNNERS  := $(patsubst grader/runner/main_%.c,$(B)/runner-%,$(filter grader/runner/main_%,$(MAINS)))
PROGRAMS := $(B)/grade $(RUNNERS) $(if $(HAS_CLASS),$(B)/class)
# Of the other engine, neither its folders are linked nor those that include them.
runner_libs = $(call libs,$(foreach f,$(call closure,runner),$(if $(filter $(foreach e,$(filter-out $1,sim gpu),$e $e/%),$(call closure,$f)),,$f)))

# Major versions of the CUDA runtime for which a libcudart is built.
CUDARTS  := 12 13

.PHONY: all
#:                 builds the grader: ./grade and its runners
all: $(call libs,$(FOLDERS)) $(PROGRAMS) $(CUDARTS:%=$(B)/cudart/libcudart.so.%)
ifeq ($(VARIANT),release)
	@ln -sfn $(B)/grade grade
	@ln -sfn $(RUNNERS:build/%=%) $(B:build/%=%)/cudart build/
endif

# Translated messages. Without gettext's msgfmt they are not built, and the grader speaks English.
CATALOGUES := $(patsubst po/%.po,build/locale/%/LC_MESSAGES/warpwise.mo,$(if $(shell type -P msgfmt),$(wildcard po/*.po)))
all: $(CATALOGUES)
build/locale/%/LC_MESSAGES/warpwise.mo: po/%.po
	@mkdir -p $(@D)
	$(call say,messages $@)
	$(Q)msgfmt --output-file=$@ $<

# Libraries that the reports need.
REPORT_LIBS  := -ljansson -lutf8proc
link_objects = -o $@ $(filter %.o,$^) -Wl,--start-group $(filter %.a,$^) -Wl,--end-group
$(B)/grade $(B)/carry/grade: $(GRADE_MAIN:%.c=$(B)/%.o) $(call libs,$(filter-out batch,$(call closure,cli))) $(LINKED_WITH)
	@mkdir -p $(@D)
	$(call say,link     $@)
	$(Q)$(LINK) $(if $(findstring /carry/,$@),-static) $(link_objects) $(REPORT_LIBS) -lseccomp -lm
# The commands for a class are a second program, started by grade. "make carry" puts its shared libraries into bin/lib
# beside it; the rpath finds them there.
CLASS_LIBS := -lsqlite3 -larchive -lgit2 -lyaml -lmd -lz -lzstd
$(B)/class: $(B)/grader/cli/main_class.o $(call libs,$(call closure,cli)) $(LINKED_WITH)
	$(call say,link     $@)
	$(Q)$(LINK) $(link_objects) $(REPORT_LIBS) $(CLASS_LIBS) -lseccomp -lm '-Wl,--disable-new-dtags,-rpath,$$ORIGIN/bin/lib'
$(B)/grader/batch/gradebook.o: grader/batch/schema.sql

.SECONDEXPANSION:
$(RUNNERS): $(B)/runner-%: $(B)/grader/runner/main_%.o $$(call runner_libs,$$*) $(LINKED_WITH)
	$(call say,link     $@)
	$(Q)$(LINK) $(if $(filter sim,$*),$(STATIC)) $(link_objects) -lm

# ---------------------------------------------------------------- objects and libraries

# The simulator gives the same bits on every machine, so the compiler must not fuse a multiplication and an addition.
$(B)/grader/sim/%.o: FOLDER_FLAGS := -ffp-contract=off

$(B)/%.o: %.c $(COMPILED_WITH) | needs-build
	@mkdir -p $(@D)
	$(call say,compile  $<)
	$(Q)$(COMPILE) $(FOLDER_FLAGS) -c -o $@ $<

# Converts style sheets to C strings: grader/report/figure.css becomes figure_css in report/figure_css.h.
STYLES := $(patsubst grader/%.css,$(B)/include/%_css.h,$(wildcard grader/report/*.css))
$(B)/include/report/%_css.h: grader/report/%.css
	@mkdir -p $(@D)
	@{ echo 'static const char $*_css[] ='; sed -e 's/["\\]/\\&/g' -e 's/.*/"&\\n"/' $<; echo ';'; } >$@
$(B)/grader/report/%.o: FOLDER_FLAGS := -I$(B)/include
$(patsubst %.c,$(B)/%.o,$(wildcard grader/report/*.c)): | $(STYLES)

# Writes hashes of the simulator's sources to judge/job/model.h, without comments and white space. Records of baselines
# hold these hashes (grader/judge/job/record.h). The time of a host lab's program depends on more sources. The header is
# rewritten only when a hash changes. A hostile build has hashes of its own, because it simulates another device.
MODEL_KERNEL := $(sort $(filter-out %/finding.def %/refusal.def,$(foreach f,ptx device engine sim sim/*,$(wildcard grader/$f/*.[ch] grader/$f/*.def))))
MODEL_HOST   := $(MODEL_KERNEL) $(sort $(foreach f,runtime devices,$(wildcard grader/host/$f/*.[ch] grader/host/$f/*.def)))
model_hash    = $$(cat $1 | LC_ALL=C sed -e 's,^[[:space:]]*//.*,,' -e 's,[[:space:]]//[[:space:]].*,,' | LC_ALL=C tr -d '[:space:]' | \
    { cat; echo "$(filter hostile,$(VARIANT))"; } | sha256sum | cut -c 1-16)
MODEL := $(B)/include/judge/job/model.h
$(MODEL): FORCE
	@mkdir -p $(@D)
	@{ echo '// Written by make.'; echo "#define MODEL_KERNEL_LABS \"$(call model_hash,$(MODEL_KERNEL))\""; \
	   echo "#define MODEL_HOST_LABS \"$(call model_hash,$(MODEL_HOST))\""; } >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi
$(B)/grader/judge/job/record.o: FOLDER_FLAGS := -I$(B)/include
$(B)/grader/judge/job/record.o: $(MODEL)

# Files with the simulator's inner loops over lanes. They are compiled once for each level of x86-64 vector units, named
# by SIM_ISA; the simulator picks the best level of the machine when it starts (grader/sim/core/vector_level.h).
VECTORISED  := $(addprefix grader/sim/,machine/access.c machine/shared_lanes.c machine/transfer.c \
    $(addprefix op/,convert.c float.c half.c integer.c load_store.c logic.c video.c word_global.c word_shared.c))
LEVELS      := $(if $(filter x86_64%,$(shell $(CC) -dumpmachine)),base v3 v4,base)
v3_FLAGS    := -march=x86-64-v3
v4_FLAGS    := -march=x86-64-v4 -mprefer-vector-width=512
define level_rule
$(B)/grader/sim/%.$1.o: grader/sim/%.c $(COMPILED_WITH) | needs-build
	@mkdir -p $$(@D)
	$$(call say,compile  $$< for $1)
	$$(Q)$$(COMPILE) $$(FOLDER_FLAGS) $$($1_FLAGS) $$(if $$(filter release,$$(VARIANT)),-O3) -DSIM_ISA=$1 -c -o $$@ $$<
endef
$(foreach level,$(LEVELS),$(eval $(call level_rule,$(level))))

objects = $(foreach c,$(call sources,$1),$(if $(filter $c,$(VECTORISED)),$(LEVELS:%=$(c:%.c=$(B)/%).%.o),$(c:%.c=$(B)/%.o)))
# A library depends on its folder too: the folder's time changes when a file is added or removed.
define library_rule
$(call library,$1): $(call objects,$1) grader/$1
	@mkdir -p $$(@D); rm -f $$@
	$$(Q)ar rcs $$@ $$(filter %.o,$$^)
endef
$(foreach folder,$(call with_sources,$(FOLDERS)),$(eval $(call library_rule,$(folder))))

LAB_OBJECTS := $(LABS:%=$(B)/labs/%/lab.o)
$(B)/labs.o: $(B)/labs.c $(COMPILED_WITH)
	$(call say,compile  $<)
	$(Q)$(COMPILE) -c -o $@ $<
$(B)/liblabs.a: $(B)/labs.o $(LAB_OBJECTS)
	@rm -f $@
	$(Q)ar rcs $@ $^

OBJECTS := $(foreach f,$(FOLDERS),$(call objects,$f)) $(MAINS:%.c=$(B)/%.o) $(LAB_OBJECTS)
-include $(OBJECTS:.o=.d) $(B)/labs.d

# ---------------------------------------------------------------- libcudart

# Each version has the file name, symbol version and struct layouts of NVIDIA's library. It is built without sanitizers,
# as the programs that load it have none, but with coverage.
SHARED_FLAGS   := $(if $(filter coverage,$(VARIANT)),$(coverage_FLAGS))
SHARED_LINK    := $(if $(filter coverage,$(VARIANT)),$(coverage_LINK))
12_API         := 12080
13_API         := 13000
SHARED_OBJECTS  = $(patsubst %.c,$(B)/shared-$1/%.o,$(foreach f,$(call closure,host/runtime),$(call sources,$f)))
define cudart_rule
$(B)/shared-$1/%.o: %.c $(COMPILED_WITH) | needs-build
	@mkdir -p $$(@D)
	$$(call say,compile  $$< for CUDA $1)
	$$(Q)$(CC) -std=c11 $(WARNINGS) -Igrader $(CFLAGS) $(SHARED_FLAGS) -pthread -MMD -MP -fPIC -fvisibility=hidden -DCUDART_VERSION=$$($1_API) -c -o $$@ $$<
$(B)/cudart/libcudart.so.$1 $(B)/carry/cudart/libcudart.so.$1: $(call SHARED_OBJECTS,$1) $(LINKED_WITH)
	@mkdir -p $$(@D)
	$$(call say,link     $$@)
	@echo 'libcudart.so.$1 { global: cuda*; __cuda*; warpwise_*; };' >$(B)/shared-$1/versions
	$$(Q)$(CC) $(CFLAGS) $(SHARED_FLAGS) $(SHARED_LINK) -shared -pthread -o $$@ $$(filter %.o,$$^) -Wl,-soname,libcudart.so.$1 -Wl,--version-script,$(B)/shared-$1/versions \
	    -Wl,-Bsymbolic-functions -Wl,-z,defs -Wl,-z,nodelete $$(if $$(findstring /carry/,$$@),-l:libzstd.a -l:liblz4.a -Wl$$(comma)--exclude-libs$$(comma)ALL,-lzstd -llz4)
-include $(patsubst %.o,%.d,$(call SHARED_OBJECTS,$1))
endef
$(foreach v,$(CUDARTS),$(eval $(call cudart_rule,$v)))

# ---------------------------------------------------------------- labs

# lab_files lists the files of a lab besides its lab.c, lab_missing those that do not exist.
wrong_min := 5
lab_files    = labs/$1/baseline.cu reference/$1.cu student_template/$1.cu handouts/$1.md
# A host lab has a main.h, and a header in grader/kit with its kernel.
lab_files   += $(if $(wildcard labs/$1/main.h),grader/kit/$(firstword $(subst _, ,$1)).h)
lab_missing  = $(filter-out $(wildcard $(lab_files)),$(lab_files)) \
               $(if $(wildcard reference/ladder/$1/*.cu),,reference/ladder/$1/*.cu) \
               $(if $(word $(wrong_min),$(wildcard labs/$1/wrong/*.cu)),,labs/$1/wrong/*.cu:at-least-$(wrong_min))
LABS_MISSING := $(foreach lab,$(LABS),$(call lab_missing,$(lab))) \
                $(foreach lab,$(filter-out $(LABS),$(patsubst labs/%/,%,$(wildcard labs/*/))),labs/$(lab)/lab.c)

# labs.c is rewritten only when the list of labs changes. Its draft has a name of its own, because a test may start make
# while another make builds test programs.
$(B)/labs.c: FORCE
	@for part in $(LABS_MISSING); do echo "a lab is not complete: '$$part' is missing" >&2; done
	@[ -z "$(strip $(LABS_MISSING))" ]
	@mkdir -p $(@D)
	@{ echo '// Written by make from labs/*/lab.c.'; echo '#include "lab/lab.h"'; \
	   for lab in $(LABS); do echo "extern const struct lab $$lab;"; done; \
	   echo 'const struct lab *const lab_all[] = {'; for lab in $(LABS); do echo "    &$$lab,"; done; echo '    0};'; } >$@.$$$$; \
	 if cmp -s $@.$$$$ $@; then rm $@.$$$$; else mv $@.$$$$ $@; fi

# Copies the template into the student's folder. A file that the student edited is left as it is.
.PHONY: student $(LABN)
student:
	@tools/student student_template student

#: labN            compiles your lab N and shows its errors (SUBMISSION=dir: in another folder than student/)
SUBMISSION ?= student
$(LABN): all $(if $(filter student,$(SUBMISSION)),student)
	@./grade compile $@ $(SUBMISSION)/$(filter $@_%,$(LABS)).cu

UNKNOWN := $(filter-out $(LABN),$(filter lab%,$(MAKECMDGOALS)))
.PHONY: $(UNKNOWN)
$(UNKNOWN):
	@echo "there is no lab '$@'; there are: $(LABN)" >&2; exit 2

# ---------------------------------------------------------------- tests

TEST          := $(B)/tests
TEST_SOURCES  := $(wildcard tests/unit/*_test.c tests/ptx/run.c tests/fuzz/replay.c tests/bench/*.c tests/gpu/*.c) \
                 tests/truth/fidelity.c tests/truth/registers.c tests/mutation/mutation.c $(wildcard tests/cheats/*.c)
TEST_PROGRAMS := $(TEST_SOURCES:%.c=$(B)/%)
FUZZ_OBJECTS  := $(patsubst %.c,$(B)/%.o,$(filter-out %/replay.c,$(wildcard tests/fuzz/*.c)))
PTX_TEXT      := $(patsubst %.c,$(B)/%.o,$(wildcard tests/ptx_text/*.c))
$(TEST)/fuzz/replay: $(FUZZ_OBJECTS) $(PTX_TEXT)
$(filter $(TEST)/unit/ptx_%,$(TEST_PROGRAMS)): $(PTX_TEXT)
# The libraries of a test program. The name of a unit test begins with the folder of grader/ that it tests; it gets this
# folder's closure, or all libraries if no folder has this name. The other programs get the folders listed here.
test_folder = $(if $(findstring /unit/,$1),$(filter $(FOLDERS),$(firstword $(subst _, ,$(notdir $1)))),\
                $(if $(findstring /mutation/,$1),judge,$(if $(findstring /cheats/,$1),wire) $(if $(findstring /gpu/,$1),judge gpu) $(if $(findstring /ptx/,$1),gpu) $(if $(findstring /fuzz/,$1),judge runner) sim compile))
test_libs   = $(call libs,$(or $(sort $(foreach f,$(call test_folder,$1),$(call closure,$f))),$(FOLDERS)))

$(TEST_PROGRAMS): %: %.o $$(call test_libs,$$*) $(LINKED_WITH)
	$(call say,link     $@)
	$(Q)$(LINK) $(if $(filter %/liar,$@),$(STATIC)) $(link_objects) $(if $(findstring /unit/,$@),-lcmocka $(if $(filter %/libreport.a,$^),$(REPORT_LIBS)) $(if $(filter %/libbatch.a,$^),$(CLASS_LIBS)) \
	    $(if $(filter %/libcudart.a,$^),-lzstd -llz4)) $(if $(filter %/libbox.a,$^),-lseccomp) -lm
$(TEST_PROGRAMS:%=%.o) $(FUZZ_OBJECTS) $(PTX_TEXT): | needs-test
-include $(TEST_PROGRAMS:%=%.d) $(FUZZ_OBJECTS:.o=.d) $(PTX_TEXT:.o=.d)

# Stand-ins for the CUDA driver and NVML, which test the GPU engine without a GPU. They are built without sanitizers, as
# the programs that load them have none.
TEST_DRIVERS := $(patsubst tests/card/%.c,$(TEST)/card/lib%.so.1,$(wildcard tests/card/*.c))
$(TEST_DRIVERS): $(TEST)/card/lib%.so.1: tests/card/%.c grader/gpu/driver.h grader/gpu/driver.def $(COMPILED_WITH) | needs-test
	@mkdir -p $(@D)
	$(call say,link     $@)
	$(Q)$(CC) -std=c11 $(WARNINGS) -Igrader $(CFLAGS) -fPIC -shared -Wl,-soname,$(@F) -Wl,-z,defs -o $@ $< -lm

# Static programs: they run where the libraries' packages are not installed.
STATIC_PROGRAMS := $(B)/carry/grade $(CUDARTS:%=$(B)/carry/cudart/libcudart.so.%)
.PHONY: $(B)/carry/all
$(B)/carry/all: $(if $(filter release,$(VARIANT)),$(STATIC_PROGRAMS))

.PHONY: test test-rest test-all unit coverage bench fidelity
# tests/run builds the programs that the suites start, with MAKE. The suites without programs run meanwhile. The lines
# name MAKE_COMMAND, since make runs a line with its own name even when it is only to print it.
RUN_TESTS = @BUILD=$(B) MAKE=$(MAKE_COMMAND) tests/run
#: test            runs the tests that find nearly every defect, in minutes (T=word: all tests of the suites with the word in their name)
test: all
	$(RUN_TESTS) $(if $(T),$(T),--first)
#: test-rest       runs the tests that "make test" leaves out
test-rest: all
	$(RUN_TESTS) --rest $(T)
#: test-all        runs all tests (SANITIZE=1: with ASan and UBSan; HOSTILE=1: in the hostile build; both work with "test" too)
test-all: all
	$(RUN_TESTS) $(T)
.PHONY: test-programs
test-programs: $(TEST_PROGRAMS) $(TEST_DRIVERS) $(B)/carry/all

#: test-gpu        runs the tests that need a GPU, and skips them if there is none (T=word: suites with the word in their name)
.PHONY: test-gpu
test-gpu: all
	$(RUN_TESTS) --card $(T)

#: test-bare       installs and uses the kit in a bare Debian (needs root and debootstrap; takes some minutes)
.PHONY: test-bare
test-bare:
	@tests/run --bare

#: unit            builds and runs unit tests only (T=word: those with the word in their name)
unit: $(foreach t,$(filter $(TEST)/unit/%,$(TEST_PROGRAMS)),$(if $(or $(if $(T),,all),$(findstring $(T),$t)),$t))
	@for test in $^; do echo "$$test"; $$test || failed=1; done; [ -z "$$failed" ]

#: coverage        prints how much of grader/ the tests reach, by lines and branches; writes pages to build/coverage/html
# The labs' own tests are left out: they take long in this build and reach no further line.
coverage: T := $(or $(T),unit ptx fuzz cli programs/clang)
coverage:
	@find build/coverage -name '*.gcda' -delete 2>/dev/null; true
	@$(MAKE) VARIANT=coverage T="$(T)" test; status=$$?; $(MAKE) VARIANT=coverage coverage-report && exit $$status
LCOV := lcov --quiet --rc lcov_branch_coverage=1
.PHONY: coverage-report
coverage-report:
	@$(LCOV) --capture --directory $(B) --base-directory . --no-external --output-file $(B)/all.info 2>&1 | grep -v redefined || true
	@$(LCOV) --extract $(B)/all.info '$(CURDIR)/grader/*' --output-file $(B)/grader.info
	@genhtml --quiet --branch-coverage --prefix $(CURDIR) --output-directory $(B)/html $(B)/grader.info
	@lcov --rc lcov_branch_coverage=1 --summary $(B)/grader.info 2>&1 | sed -n 's/^ *\(lines\|branches\)\.*: /\1: /p'

#: bench           measures time and memory of grading each lab, and the simulator's speed
bench: all $(filter $(TEST)/bench/%,$(TEST_PROGRAMS))
	@BUILD=$(B) tests/bench/run $(T)

#: students        grades the submissions of students in tests/students through both compilers (T=lab3, T=tenth)
.PHONY: students
students: all
	@GRADE=$(B)/grade tests/students/check $(T)

#: bench-class     grades a synthetic class and measures throughput and memory; kills it again and again (STUDENTS=300, KILLS=20, T="cores growth")
.PHONY: bench-class
bench-class: all $(TEST)/bench/peak $(TEST)/mutation/mutation
	@BUILD=$(B) tests/bench/class $(or $(STUDENTS),300) $(or $(KILLS),20) $(T)

#: semester        grades 400 synthetic students over all labs from four course systems, with 20 kills (STUDENTS=400, KILLS=20)
.PHONY: semester
semester: all
	@BUILD=$(B) GRADE=$(CURDIR)/$(B)/grade STUDENTS=$(or $(STUDENTS),400) KILLS=$(or $(KILLS),20) GRADED= bats tests/cli/semester.bats

#: attack          grades every attack of tests/cheats, with and without bubblewrap, as several users (T=word)
.PHONY: attack
attack: all $(filter $(TEST)/cheats/% $(TEST)/bench/%,$(TEST_PROGRAMS))
	@BUILD=$(B) tests/cheats/all $(T)

#: attack-table    prints the verdict on each attack through each compiler (DIR=folder)
.PHONY: attack-table
attack-table: all
	@BUILD=$(B) JOBS=$(or $(JOBS),$(shell nproc)) tests/cheats/table $(DIR)

#: fidelity        compares the counters and times of each launch with those of an H200; writes build/fidelity.csv (T=word)
-include $(TEST)/truth/figures.d
$(TEST)/truth/fidelity: $(TEST)/truth/figures.o
fidelity: $(TEST)/truth/fidelity all
	@$< "$(T)" build/fidelity.csv
	@echo; echo 'verdicts by speed that differ between card and model'; tools/ladder verdicts build/fidelity.csv

#: ladder          simulates the ladders' times again, and updates the tables and pictures of docs/ (reference/measured)
.PHONY: ladder
ladder: all
	@tools/ladder predict && tools/ladder write

#: mistakes        grades an example of each mistake again, and updates docs/mistakes.md
.PHONY: mistakes
mistakes: all
	@tools/mistakes write

#: baselines       simulates the labs' baselines again, and writes their records (labs/*/baseline.record; LAB=lab3: of one lab)
.PHONY: baselines
baselines: all
	@tools/baselines $(LAB)

#: devices         computes the labs' thresholds for the other devices (grader/lab/threshold.def)
.PHONY: devices
devices: all
	@tools/ladder devices

#: mutation        plants one defect at a time in each kernel, and checks that the grader finds it (LAB=lab3, JOBS=N, V=1: prints what found each)
MUTATION := $(TEST)/mutation/mutation
$(MUTATION) $(TEST)/unit/mutation_operator_test: $(patsubst %.c,$(B)/%.o,$(filter-out %/mutation.c,$(wildcard tests/mutation/*.c)))
.PHONY: mutation
mutation: all $(MUTATION)
	@BUILD=$(B) $(MUTATION) $(if $(JOBS),--jobs $(JOBS)) $(if $(V),-v) $(LAB)

# ---------------------------------------------------------------- checks for required packages

.PHONY: needs-build needs-test FORCE
needs-build:
	@CC="$(CC)" tools/setup check student
needs-test:
	@CC="$(CC)" tools/setup check developer
FORCE:

# ---------------------------------------------------------------- the rest

.PHONY: format check-format dist clean help
SOURCES := $(filter-out grader/kit/%,$(foreach row,$(MATRIX),$(wildcard grader/$(firstword $(subst :, ,$(row)))/*.[ch])) \
    $(wildcard labs/*/*.c tests/*/*.[ch]))
#: format          formats all C sources
format:
	@clang-format -i $(SOURCES)
#: check-format    prints which C sources are not formatted
check-format:
	@clang-format --dry-run -Werror $(SOURCES)
#: handouts        makes web pages (build/handouts/index.html) and PDFs of the handouts, and updates their tables
.PHONY: handouts
handouts: | needs-test
	@tools/handouts refresh && tools/handouts site build/handouts && tools/handouts pdf build/handouts
	@echo build/handouts/index.html
#: docs            makes a site of all documents, with a search (build/docs/index.html)
.PHONY: docs
docs: | needs-test
	@tools/handouts docs build/docs && echo build/docs/index.html
#: messages        updates the translations in po/ from the sources
.PHONY: messages
messages:
	@tools/messages update && tools/messages check
#: dist            packs the student's kit: without solutions, with compiled baselines and static programs (ANSWERS=yes: with the answers to the exercises)
dist: all $(STATIC_PROGRAMS)
	@tools/dist $(B) warpwise-student.tar.gz $(ANSWERS)
#: release         packs kit, student's kit and handouts with checksums (build/release-files); the same bytes twice
.PHONY: release
release: all $(STATIC_PROGRAMS) | needs-test
	@tools/release $(B) build/release-files
#: gradescope      packs it as Gradescope's autograder.zip (LAB=lab3, otherwise the lab of the submitted file; SEED=N)
.PHONY: gradescope
gradescope: all $(STATIC_PROGRAMS)
	@tools/gradescope $(B) autograder.zip "$(LAB)" "$(SEED)"
#: autolab         packs it for Autolab: autolab/autograde.tar and autolab/autograde-Makefile (LAB=lab3; SEED=N)
.PHONY: autolab
autolab: all $(STATIC_PROGRAMS)
	@tools/autolab $(B) autolab "$(LAB)" "$(SEED)"
#: carry           packs the built kit for a machine without packages, C compiler or root, such as a GPU server (T=tests: with its tests)
.PHONY: carry
carry: all $(B)/carry/grade $(if $(T),$(filter $(TEST)/gpu/% $(TEST)/ptx/% $(TEST)/bench/% $(TEST)/mutation/%,$(TEST_PROGRAMS)))
	@tools/carry $(B) warpwise-carry.tar.gz $(T)
#: clean           removes everything that was built, but never student/
clean:
	rm -rf build grade
#: help            lists what can be made
help:
	@sed -n 's/^#: /  make /p' Makefile
endif
