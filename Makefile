# Warpwise: the only build file. "make help" lists what can be made.
#
# Labs, sources and tests are found by wildcard: adding one edits nothing here. Each variant of the build (release,
# sanitize, hostile, coverage) keeps its objects in a folder of its own, build/<variant>/. Each folder of grader/ becomes a
# library (sim's parts too); a program is linked with those that grader/matrix.txt lets its folder include, and with no other.
#
# Variables: SUBMISSION=dir (whose labN_*.cu "make labN" compiles; student/), SANITIZE=1 (ASan and UBSan), HOSTILE=1 (what
# is right by luck goes wrong), T=word (the tests to run), V=1 (show whole commands), CC, CFLAGS, LDFLAGS.

MAKEFLAGS += --no-builtin-rules --no-print-directory
# On all processors, unless the command says how many.
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
# ---------------------------------------------------------------- setup: what the build needs, installed where absent
# Make looks around before it builds. So other goals of the same command wait for a make of their own that sees what
# was installed: "make setup lab3" does what "make setup && make lab3" does, with -j too.

AFTER := $(filter-out $(SETUP),$(MAKECMDGOALS))
.NOTPARALLEL:
.PHONY: $(SETUP) $(AFTER)

#: setup           installs what a student needs to build and grade
setup:
	@tools/setup student
#: setup-dev       installs what the tests need besides
setup-dev:
	@tools/setup developer
$(AFTER): $(SETUP)
	+@$(MAKE) $@

else
# ---------------------------------------------------------------- what there is

# Grading a class needs libraries that a student does not have: grader/batch is built where they are.
HAS_CLASS := $(shell CC="$(or $(filter-out default,$(CC)),gcc)" tools/setup has class && echo yes)
FOLDERS := $(filter-out $(if $(HAS_CLASS),,batch),$(sort $(patsubst grader/%/,%,$(dir $(wildcard grader/*/*.c grader/*/*/*.c)))))
LABS    := $(patsubst labs/%/lab.c,%,$(wildcard labs/*/lab.c))#  lab3_syncthreads …
LABN    := $(foreach lab,$(LABS),$(firstword $(subst _, ,$(lab))))#  lab3 …
UNITS   := $(patsubst tests/unit/%.c,%,$(wildcard tests/unit/*_test.c))

# ---------------------------------------------------------------- how it is built

VARIANT := $(or $(VARIANT),$(if $(filter 1,$(SANITIZE)),sanitize),$(if $(filter 1,$(HOSTILE)),hostile),release)
B       := build/$(VARIANT)

CC       ?= gcc
ifeq ($(origin CC),default)
CC       := gcc
endif
CFLAGS   ?= -O2 -g
# How vectors are passed depends on the vector units; here they are passed within a file alone.
WARNINGS := -Wall -Wextra -Werror -Wno-psabi
release_FLAGS  :=
# Instrumented code misleads the warnings that follow values; the release build has them.
sanitize_FLAGS := -Wno-format-truncation -Wno-stringop-truncation -Wno-maybe-uninitialized -O1 -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
# grader/base/hostile.h says what is different.
hostile_FLAGS  := -DHOSTILE
hostile_WRAPS  := malloc calloc realloc aligned_alloc strdup strndup
hostile_LINK   := -Wl,-u,base_hostile_begin $(hostile_WRAPS:%=-Wl,--wrap=%)
coverage_FLAGS := -Wno-maybe-uninitialized -O1 --coverage -DCOVERAGE='"$(CURDIR)/$(B)"'
coverage_LINK  := -Wl,-u,__gcov_dump
COMPILE  = $(CC) -std=c11 $(WARNINGS) -Igrader $(CFLAGS) $($(VARIANT)_FLAGS) -pthread -MMD -MP
LINK     = $(CC) $(CFLAGS) $($(VARIANT)_FLAGS) $($(VARIANT)_LINK) $(LDFLAGS) -pthread
# The simulator's runner stands in a sandbox and takes no library with it; a sanitizer needs its own, so not there.
STATIC   := $(if $(filter sanitize,$(VARIANT)),,-static)

# Objects and programs depend on a file with the flags that they are made with: it is rewritten when the flags change.
COMPILED_WITH := $(B)/compile.flags
LINKED_WITH   := $(B)/link.flags
$(COMPILED_WITH): export flags = $(COMPILE)
$(COMPILED_WITH): $(if $(subst =$(file <$(COMPILED_WITH))=,,=$(COMPILE)=),FORCE)
$(LINKED_WITH): export flags = $(LINK)
$(LINKED_WITH): $(if $(subst =$(file <$(LINKED_WITH))=,,=$(LINK)=),FORCE)
$(COMPILED_WITH) $(LINKED_WITH):
	@mkdir -p $(@D); printf '%s\n' "$$flags" >$@

# grader/matrix.txt as words "folder:other,other", the folders one may include, and with all that these need.
comma   := ,
MATRIX  := $(shell sed -e '/^\#/d' -e 's/: */:/' -e 's/  */,/g' grader/matrix.txt)
needs    = $(subst $(comma), ,$(patsubst $1:%,%,$(filter $1:%,$(MATRIX))))
closure  = $(sort $1 $(foreach f,$(call needs,$1),$(call closure,$f)))
sources  = $(filter-out $(MAINS),$(wildcard grader/$1/*.c))
with_sources = $(foreach f,$1,$(if $(call sources,$f),$f))
# Libraries of the given folders; whoever knows labs gets all of them.
library  = $(B)/lib$(subst /,-,$1).a
libs     = $(foreach f,$(call with_sources,$1) $(if $(filter lab,$1),labs),$(call library,$f))

# ---------------------------------------------------------------- programs

# The grader is grader/cli's main; each grader/runner/main_X.c is a runner, linked with the engine X and no other.
MAINS    := $(shell grep -l '^int main' grader/*/*.c)
GRADE_MAIN := grader/cli/main.c
RUNNERS  := $(patsubst grader/runner/main_%.c,$(B)/runner-%,$(filter grader/runner/main_%,$(MAINS)))
PROGRAMS := $(B)/grade $(RUNNERS) $(if $(HAS_CLASS),$(B)/class)
runner_libs = $(call libs,$(filter-out $(foreach f,$(filter-out $1,sim gpu),$f $f/%),$(call closure,runner)))

# The CUDA runtime that host programs are linked with, in the versions whose programs run.
CUDARTS  := 12 13

.PHONY: all
#:                 builds the grader: ./grade and its runner
all: $(call libs,$(FOLDERS)) $(PROGRAMS) $(CUDARTS:%=$(B)/cudart/libcudart.so.%)
ifeq ($(VARIANT),release)
	@ln -sfn $(B)/grade grade
	@ln -sfn $(RUNNERS:build/%=%) $(B:build/%=%)/cudart build/
endif

# Messages in other languages, where gettext's tools are: without them the grader speaks English.
CATALOGUES := $(patsubst po/%.po,build/locale/%/LC_MESSAGES/warpwise.mo,$(if $(shell type -P msgfmt),$(wildcard po/*.po)))
all: $(CATALOGUES)
build/locale/%/LC_MESSAGES/warpwise.mo: po/%.po
	@mkdir -p $(@D)
	$(call say,messages $@)
	$(Q)msgfmt --output-file=$@ $<

link_objects = -o $@ $(filter %.o,$^) -Wl,--start-group $(filter %.a,$^) -Wl,--end-group
$(B)/grade $(B)/carry/grade: $(GRADE_MAIN:%.c=$(B)/%.o) $(call libs,$(filter-out batch,$(call closure,cli))) $(LINKED_WITH)
	@mkdir -p $(@D)
	$(call say,link     $@)
	$(Q)$(LINK) $(if $(findstring /carry/,$@),-static) $(link_objects) -ljansson -lseccomp -lm
# The commands for a class are a program of their own, which grade starts. Where it was carried to, its libraries lie
# beside it.
CLASS_LIBS := -lsqlite3 -larchive -lgit2 -lyaml -lmd -lzstd
$(B)/class: $(B)/grader/cli/main_class.o $(call libs,$(call closure,cli)) $(LINKED_WITH)
	$(call say,link     $@)
	$(Q)$(LINK) $(link_objects) -ljansson $(CLASS_LIBS) -lseccomp -lm '-Wl,--disable-new-dtags,-rpath,$$ORIGIN/bin/lib'
$(B)/grader/batch/gradebook.o: grader/batch/schema.sql

.SECONDEXPANSION:
$(RUNNERS): $(B)/runner-%: $(B)/grader/runner/main_%.o $$(call runner_libs,$$*) $(LINKED_WITH)
	$(call say,link     $@)
	$(Q)$(LINK) $(if $(filter sim,$*),$(STATIC)) $(link_objects) -lm

# ---------------------------------------------------------------- objects and libraries

# sim promises the same bits everywhere: the compiler must not fuse a product and a sum that a kernel keeps apart.
$(B)/grader/sim/%.o: FOLDER_FLAGS := -ffp-contract=off

$(B)/%.o: %.c $(COMPILED_WITH) | needs-build
	@mkdir -p $(@D)
	$(call say,compile  $<)
	$(Q)$(COMPILE) $(FOLDER_FLAGS) -c -o $@ $<

# Style sheets of the report's page and pictures, as strings for C: figure.css is figure_css in report/figure_css.h.
STYLES := $(patsubst grader/%.css,$(B)/include/%_css.h,$(wildcard grader/report/*.css))
$(B)/include/report/%_css.h: grader/report/%.css
	@mkdir -p $(@D)
	@{ echo 'static const char $*_css[] ='; sed -e 's/["\\]/\\&/g' -e 's/.*/"&\\n"/' $<; echo ';'; } >$@
$(B)/grader/report/%.o: FOLDER_FLAGS := -I$(B)/include
$(patsubst %.c,$(B)/%.o,$(wildcard grader/report/*.c)): | $(STYLES)

# The executor's inner loops are compiled once for each level of vector units, and the best that the machine has is
# chosen when it runs. SIM_ISA names the level.
ISA_SOURCES := $(addprefix grader/sim/,machine/access.c machine/move.c machine/shared_access.c \
    $(addprefix op/,convert.c float.c half.c integer.c load_store.c logic.c video.c word_global.c word_shared.c))
ISAS        := $(if $(filter x86_64%,$(shell $(CC) -dumpmachine)),base v3 v4,base)
v3_FLAGS    := -march=x86-64-v3
v4_FLAGS    := -march=x86-64-v4 -mprefer-vector-width=512
define isa_rule
$(B)/grader/sim/%.$1.o: grader/sim/%.c $(COMPILED_WITH) | needs-build
	@mkdir -p $$(@D)
	$$(call say,compile  $$< for $1)
	$$(Q)$$(COMPILE) $$(FOLDER_FLAGS) $$($1_FLAGS) $$(if $$(filter release,$$(VARIANT)),-O3) -DSIM_ISA=$1 -c -o $$@ $$<
endef
$(foreach isa,$(ISAS),$(eval $(call isa_rule,$(isa))))

objects = $(foreach c,$(call sources,$1),$(if $(filter $c,$(ISA_SOURCES)),$(ISAS:%=$(c:%.c=$(B)/%).%.o),$(c:%.c=$(B)/%.o)))
# A library also waits for its folder, whose time changes when a file comes or goes.
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

# Each version has the name, the version node and the layouts of the real one. No sanitizer: it is loaded into programs
# that have none. What it executes there is counted, though.
SHARED_FLAGS   := $(if $(filter coverage,$(VARIANT)),$(coverage_FLAGS))
SHARED_LINK    := $(if $(filter coverage,$(VARIANT)),$(coverage_LINK))
12_API         := 12080
13_API         := 13000
SHARED_OBJECTS  = $(patsubst %.c,$(B)/shared-$1/%.o,$(foreach f,$(call closure,cudart),$(call sources,$f)))
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

# What a lab consists of besides its lab.c, and what of it is not there.
wrong_min := 5
lab_files    = labs/$1/baseline.cu reference/$1.cu student_template/$1.cu handouts/$1.md
# A host lab, which has a main.h, gives a kernel in the kit's header of its name.
lab_files   += $(if $(wildcard labs/$1/main.h),grader/compile/kit/$(firstword $(subst _, ,$1)).h)
lab_missing  = $(filter-out $(wildcard $(lab_files)),$(lab_files)) \
               $(if $(wildcard reference/ladder/$1/*.cu),,reference/ladder/$1/*.cu) \
               $(if $(word $(wrong_min),$(wildcard labs/$1/wrong/*.cu)),,labs/$1/wrong/*.cu:at-least-$(wrong_min))
LABS_MISSING := $(foreach lab,$(LABS),$(call lab_missing,$(lab))) \
                $(foreach lab,$(filter-out $(LABS),$(patsubst labs/%/,%,$(wildcard labs/*/))),labs/$(lab)/lab.c)

# Rewritten only when the list of labs changed.
$(B)/labs.c: FORCE
	@for part in $(LABS_MISSING); do echo "a lab is not complete: '$$part' is missing" >&2; done
	@[ -z "$(strip $(LABS_MISSING))" ]
	@mkdir -p $(@D)
	@{ echo '// Written by make from labs/*/lab.c.'; echo '#include "lab/lab.h"'; \
	   for lab in $(LABS); do echo "extern const struct lab $$lab;"; done; \
	   echo 'const struct lab *const lab_all[] = {'; for lab in $(LABS); do echo "    &$$lab,"; done; echo '    0};'; } >$@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

# The student's folder is filled from the template; a file that was edited there is never touched again.
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
                 tests/truth/fidelity.c tests/mutation/mutation.c $(wildcard tests/cheats/*.c)
TEST_PROGRAMS := $(TEST_SOURCES:%.c=$(B)/%)
FUZZ_OBJECTS  := $(patsubst %.c,$(B)/%.o,$(filter-out %/replay.c,$(wildcard tests/fuzz/*.c)))
$(TEST)/fuzz/replay: $(FUZZ_OBJECTS)
# A unit test's name begins with the folder of grader/ that it tests, and is linked with what that folder may include
# (that of no folder there with all); mutation judges kernels; the other programs compile them and drive the engines.
test_folder = $(if $(findstring /unit/,$1),$(filter $(FOLDERS),$(firstword $(subst _, ,$(notdir $1)))),\
                $(if $(findstring /mutation/,$1),judge,$(if $(findstring /cheats/,$1),wire) $(if $(findstring /gpu/,$1),judge gpu) $(if $(findstring /ptx/,$1),gpu) $(if $(findstring /fuzz/,$1),judge runner) sim compile))
test_libs   = $(call libs,$(or $(sort $(foreach f,$(call test_folder,$1),$(call closure,$f))),$(FOLDERS)))

$(TEST_PROGRAMS): %: %.o $$(call test_libs,$$*) $(LINKED_WITH)
	$(call say,link     $@)
	$(Q)$(LINK) $(if $(filter %/liar,$@),$(STATIC)) $(link_objects) $(if $(findstring /unit/,$@),-lcmocka $(if $(filter %/libreport.a,$^),-ljansson) $(if $(filter %/libbatch.a,$^),$(CLASS_LIBS)) \
	    $(if $(filter %/libcudart.a,$^),-lzstd -llz4)) $(if $(filter %/libbox.a,$^),-lseccomp) -lm
$(TEST_PROGRAMS:%=%.o) $(FUZZ_OBJECTS): | needs-test
-include $(TEST_PROGRAMS:%=%.d) $(FUZZ_OBJECTS:.o=.d)

# A driver and NVML for tests of a machine with a card. No sanitizer: they are loaded into programs that have none.
TEST_DRIVERS := $(patsubst tests/card/%.c,$(TEST)/card/lib%.so.1,$(wildcard tests/card/*.c))
$(TEST_DRIVERS): $(TEST)/card/lib%.so.1: tests/card/%.c grader/gpu/driver.h grader/gpu/driver.def $(COMPILED_WITH) | needs-test
	@mkdir -p $(@D)
	$(call say,link     $@)
	$(Q)$(CC) -std=c11 $(WARNINGS) -Igrader $(CFLAGS) -fPIC -shared -Wl,-soname,$(@F) -Wl,-z,defs -o $@ $< -lm

# Programs for machines without packages.
STATIC_PROGRAMS := $(B)/carry/grade $(CUDARTS:%=$(B)/carry/cudart/libcudart.so.%)
.PHONY: $(B)/carry/all
$(B)/carry/all: $(if $(filter release,$(VARIANT)),$(STATIC_PROGRAMS))

.PHONY: test unit coverage bench fidelity
#: test            runs all tests (SANITIZE=1: with ASan and UBSan; HOSTILE=1: in the hostile build; T=word: the suites with the word in their name)
# All suites need all test programs; those that a word chooses need what they start.
chosen_need = $(shell BUILD=$(B) tests/run $1 --needs $(T))
test: all $$(if $$(T),$$(chosen_need),$(TEST_PROGRAMS) $(TEST_DRIVERS) $(B)/carry/all)
	@BUILD=$(B) tests/run $(T)

#: test-gpu        runs the tests that need a card (T=word: those with the word in their name); skips them where none is
.PHONY: test-gpu
test-gpu: all $$(call chosen_need,--card)
	@BUILD=$(B) tests/run --card $(T)

#: test-bare       the first five minutes of a newcomer, in a Debian that has nothing (root, debootstrap, some minutes)
.PHONY: test-bare
test-bare:
	@tests/run --bare

#: unit            builds and runs unit tests alone (T=word: those with the word in their name)
unit: $(foreach t,$(filter $(TEST)/unit/%,$(TEST_PROGRAMS)),$(if $(or $(if $(T),,all),$(findstring $(T),$t)),$t))
	@for test in $^; do echo "$$test"; $$test || failed=1; done; [ -z "$$failed" ]

#: coverage        prints the line and branch coverage of grader/ by the tests; pages in build/coverage/html
# Without the labs' own tests, which take long in this build and reach nothing more.
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

#: bench           measures: time and memory of each lab's grading, speed of the simulator
bench: all $(filter $(TEST)/bench/%,$(TEST_PROGRAMS))
	@BUILD=$(B) tests/bench/run $(T)

#: bench-class     grades a synthetic class: throughput, memory, killed again and again (STUDENTS=300, KILLS=20, T="cores growth")
.PHONY: bench-class
bench-class: all $(TEST)/bench/peak $(TEST)/mutation/mutation
	@BUILD=$(B) tests/bench/class $(or $(STUDENTS),300) $(or $(KILLS),20) $(T)

#: attack          hands in every attack of tests/cheats, with and without bubblewrap, as several users (T=word)
.PHONY: attack
attack: all $(filter $(TEST)/cheats/% $(TEST)/bench/%,$(TEST_PROGRAMS))
	@BUILD=$(B) tests/cheats/all $(T)

#: fidelity        compares counters and time with those of an H200, launch by launch; build/fidelity.csv (T=word)
-include $(TEST)/truth/figures.d
$(TEST)/truth/fidelity: $(TEST)/truth/figures.o
fidelity: $(TEST)/truth/fidelity all
	@$< "$(T)" build/fidelity.csv
	@echo; echo 'verdicts by speed that differ between card and model'; tools/ladder verdicts build/fidelity.csv

#: ladder          predicts the ladders' times anew, and refreshes the tables of README.md (reference/measured)
.PHONY: ladder
ladder: all
	@tools/ladder predict && tools/ladder write

#: devices         carries the labs' thresholds over to the other devices, by the model (grader/lab/threshold.def)
.PHONY: devices
devices: all
	@tools/ladder devices

#: mutation        changes each kernel in one place at a time: does the grader see it? (LAB=lab3, JOBS=N, V=1: what killed each)
MUTATION := $(TEST)/mutation/mutation
$(MUTATION) $(TEST)/unit/mutation_operator_test: $(patsubst %.c,$(B)/%.o,$(filter-out %/mutation.c,$(wildcard tests/mutation/*.c)))
.PHONY: mutation
mutation: all $(MUTATION)
	@BUILD=$(B) $(MUTATION) $(if $(JOBS),--jobs $(JOBS)) $(if $(V),-v) $(LAB)

# ---------------------------------------------------------------- what must be installed

.PHONY: needs-build needs-test FORCE
needs-build:
	@CC="$(CC)" tools/setup check student
needs-test:
	@CC="$(CC)" tools/setup check developer
FORCE:

# ---------------------------------------------------------------- the rest

.PHONY: format check-format dist clean help
SOURCES := $(foreach row,$(MATRIX),$(wildcard grader/$(firstword $(subst :, ,$(row)))/*.[ch])) $(wildcard labs/*/*.c tests/*/*.[ch])
#: format          formats all C sources
format:
	@clang-format -i $(SOURCES)
#: check-format    says which C sources are not formatted
check-format:
	@clang-format --dry-run -Werror $(SOURCES)
#: handouts        makes pages (build/handouts/index.html) and PDF of the handouts, and refreshes their tables
.PHONY: handouts
handouts: | needs-test
	@tools/handouts refresh && tools/handouts site build/handouts && tools/handouts pdf build/handouts
	@echo build/handouts/index.html
#: messages        brings the translations in po/ up to date with the sources
.PHONY: messages
messages:
	@tools/messages update && tools/messages check
#: dist            packs the student's kit: no solutions, compiled baselines, static programs (tools/kit)
dist: all $(STATIC_PROGRAMS)
	@tools/dist $(B) warpwise-student.tar.gz
#: gradescope      packs the same as Gradescope's autograder.zip (LAB=lab3; else the lab whose file is handed in; SEED=N)
.PHONY: gradescope
gradescope: all $(STATIC_PROGRAMS)
	@tools/gradescope $(B) autograder.zip "$(LAB)" "$(SEED)"
#: autolab         packs it for Autolab: autolab/autograde.tar and autolab/autograde-Makefile (LAB=lab3; SEED=N)
.PHONY: autolab
autolab: all $(STATIC_PROGRAMS)
	@tools/autolab $(B) autolab "$(LAB)" "$(SEED)"
#: carry           packs the built kit for a machine without packages, compiler or root, a GPU server say (T=tests: its tests, too)
.PHONY: carry
carry: all $(B)/carry/grade $(if $(T),$(filter $(TEST)/gpu/% $(TEST)/ptx/% $(TEST)/bench/% $(TEST)/mutation/%,$(TEST_PROGRAMS)))
	@tools/carry $(B) warpwise-carry.tar.gz $(T)
#: clean           removes everything that was built (never student/)
clean:
	rm -rf build grade
#: help            lists what can be made
help:
	@sed -n 's/^#: /  make /p' Makefile
endif
