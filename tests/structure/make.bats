#!/usr/bin/env bats
# What make and its tools promise: installing, filling the student's folder, refusing labs that are not complete.

setup() {
    root=$PWD
    dir=$BATS_TEST_TMPDIR
    # Stand-ins that write down how they were called, so that no test installs anything.
    mkdir -p "$dir/bin"
    fake apt-get 'echo "apt-get $*" >>"'"$dir"'/calls"'
    fake sudo '[ "$1" = -n ] && exit '"1"'; exit 1'
    fake id 'echo 0'
    touch "$dir/calls"
    is debian
}
is() { # is ID [ID_LIKE]: the system that setup sees
    printf 'NAME="Some Linux"\nID="%s"\nID_LIKE="%s"\n' "$1" "${2-}" >"$dir/os-release"
    export OS_RELEASE=$dir/os-release
}
fake() { # fake name script
    printf '#!/bin/sh\n%s\n' "$2" >"$dir/bin/$1"
    chmod +x "$dir/bin/$1"
}
with_fakes() { PATH="$dir/bin:$PATH" "$@"; }
# A compiler that knows no library: whatever is looked for is missing.
bare_compiler() { fake bare 'exit 1'; echo "$dir/bin/bare"; }

@test "setup is silent and installs nothing when all is there" {
    tools/setup check student 2>/dev/null || skip "this machine lacks what a student needs"
    run with_fakes tools/setup student
    [ "$status" -eq 0 ]
    [ -z "$output" ]
    [ ! -s "$dir/calls" ]
}

@test "setup finds the headers of a compiler that has another program before it" {
    tools/setup check student 2>/dev/null || skip "this machine lacks what a student needs"
    CC='env gcc' run with_fakes tools/setup student
    [ "$status" -eq 0 ]
    [ -z "$output" ]
}

@test "setup installs only what is absent, as root without sudo" {
    export CC=$(bare_compiler)
    run with_fakes tools/setup student
    grep -q 'apt-get install .*libjansson-dev' "$dir/calls"
    ! grep -q 'apt-get install.* make' "$dir/calls"
}

@test "setup without root and without sudo says what an administrator must install" {
    export CC=$(bare_compiler)
    fake id 'echo 1000'
    run with_fakes tools/setup student
    [ "$status" -ne 0 ]
    [[ $output == *"an administrator must run: apt-get install"*libjansson-dev* ]]
    [ ! -s "$dir/calls" ]
}

@test "setup uses sudo where it may" {
    export CC=$(bare_compiler)
    fake id 'echo 1000'
    fake sudo 'case $1 in -n) exit 0;; -*) shift;; esac; exec "$@"'
    run with_fakes tools/setup student
    grep -q 'apt-get install .*libjansson-dev' "$dir/calls"
}

@test "each family of systems installs with its own command, under its own names" {
    export CC=$(bare_compiler)
    for command in dnf pacman zypper; do fake $command "echo $command"' "$*" >>"'"$dir"'/calls"'; done
    while read -r id like command; do
        : >"$dir/calls"
        is "$id" "${like//,/ }"
        run with_fakes tools/setup student
        grep -q "^$command" "$dir/calls" || { echo "$id: $(cat "$dir/calls")"; return 1; }
    done <<'END'
linuxmint ubuntu,debian apt-get install .*libjansson-dev
fedora none dnf install -y .*jansson-devel
rocky rhel,centos,fedora dnf install -y .*jansson-devel
manjaro arch pacman -S .*libutf8proc
opensuse-leap suse,opensuse zypper --non-interactive install .*libjansson-devel
END
}

@test "on a system like RHEL, setup names the repositories that some packages are in; on Fedora it does not" {
    export CC=$(bare_compiler)
    fake id 'echo 1000'
    fake dnf 'exit 1'
    is rocky "rhel centos fedora"
    run with_fakes tools/setup student
    [ "$status" -eq 2 ]
    [[ $output == *"an administrator must run: dnf install -y"*jansson-devel* ]]
    [[ $output == *CRB*EPEL* ]]
    is fedora
    run with_fakes tools/setup student
    [[ $output != *EPEL* ]]
}

@test "on another system, setup lists what to install" {
    export CC=$(bare_compiler)
    is plan9
    run with_fakes tools/setup student
    [ "$status" -eq 2 ]
    [[ $output == *"missing: "*jansson* ]]
    grep -qE 'jansson +libjansson-dev +jansson-devel$' <<<"$output"
    [ ! -s "$dir/calls" ]
}

@test "what the kit works without is not demanded, and a system that lacks it gets the rest" {
    export CC=$(bare_compiler)
    fake apt-get 'echo "apt-get $*" >>"'"$dir"'/calls"; case "$*" in *libcu++*) exit 100; esac'
    mkdir "$dir/tools"
    for tool in bash env sh sed grep mktemp rm tail make cat awk tr cut paste cmp g++; do ln -s "$(command -v $tool)" "$dir/tools/$tool"; done
    sed 's,/usr/include,/nonexistent,' tools/setup >"$dir/tools/setup" && chmod +x "$dir/tools/setup"
    cp tools/packages "$dir/tools/"
    (cd "$dir" && PATH="$dir/bin:$dir/tools" run tools/setup student)
    [[ $(tail -n 1 "$dir/calls") == "apt-get install "*libjansson-dev* ]]
    [[ $(tail -n 1 "$dir/calls") != *libcu++* ]]
}

@test "the table has a package, or a dash, for each requirement and system, and names no package elsewhere" {
    awk -F '|' '/^#|^$|^system/ { next } NF != 7 { print; bad = 1 } { for (i = 1; i <= NF; i++) if ($i ~ /^ *$/) { print; bad = 1 } } END { exit bad }' tools/packages
    for tool in $(grep -vE '^(#|$|system|for)' tools/packages | cut -d'|' -f3 | awk '{ print $1 }' | sort -u); do
        grep -q "^$tool()" tools/setup || { echo "$tool is no test of tools/setup"; return 1; }
    done
    ! grep -nE -- 'lib[a-z0-9]+-dev|-devel|apt-get|dnf|pacman|zypper' tools/setup tools/kit/Makefile tools/kit/gradescope/setup.sh
}

@test "a missing library is named before the compiler complains" {
    export CC=$(bare_compiler)
    run make -s B="$dir/build" CC="$CC" "$dir/build/grader/base/text.o"
    [ "$status" -ne 0 ]
    [[ $output == *"missing: "*jansson* ]]
    [[ $output == *"make setup"* ]]
}

@test "other flags make again what they concern" {
    remade() { make -n B="$dir/build" "$@" | grep -c "$word" || true; }
    word="compile  "
    make -s B="$dir/build" "$dir/build/grader/base/text.o" "$dir/build/link.flags"
    [ "$(remade "$dir/build/grader/base/text.o")" = 0 ]
    [ "$(remade "$dir/build/grader/base/text.o" LDFLAGS=-s)" = 0 ]
    [ "$(remade "$dir/build/grader/base/text.o" CFLAGS=-O1)" = 1 ]
    [ "$(remade "$dir/build/grader/base/text.o" CC=cc)" = 1 ]
    word=printf
    [ "$(remade "$dir/build/link.flags")" = 0 ]
    [ "$(remade "$dir/build/link.flags" LDFLAGS=-s)" = 1 ]
}

@test "chosen suites build the programs that they start, and no other" {
    programs() { BUILD=b tests/run --needs "$@"; }
    [ -z "$(programs labs/)" ]
    [ "$(programs fuzz)" = b/tests/fuzz/replay ]
    [ "$(programs unit/base_text)" = b/tests/unit/base_text_test ]
    programs cli/card | grep -q libcuda
    BUILD=b tests/run --card --needs | grep -q '^b/tests/gpu/'
    # make knows how to build each of them.
    BUILD=$dir/build tests/run --needs | xargs make -n B="$dir/build" >/dev/null
}

@test "each test belongs to one tier, and bats files are divided by tests only where the tiers say so" {
    list() { BUILD=b tests/run "$@" --list cli/ labs/ programs/ structure/ unit/; }
    diff <(list | sort) <({ list --first; list --rest; } | sort -u)
    divided=$(comm -12 <(list --first | sort) <(list --rest | sort) | grep -E '^(cli|structure)/')
    diff <(echo "$divided") <(grep -l '^# bats test_tags=rest$' tests/*/*.bats | sed 's,^tests/,,; s,.bats$,,')
    for name in $divided; do
        count() { bats --count --filter-tags "$1" "tests/$name.bats"; }
        [ $(($(count rest) + $(count '!rest'))) = "$(bats --count "tests/$name.bats")" ]
    done
}

@test "the student's folder is filled from the template" {
    mkdir "$dir/template"
    echo one >"$dir/template/a.cu"
    tools/student "$dir/template" "$dir/student"
    [ "$(cat "$dir/student/a.cu")" = one ]
}

@test "an edited file is never touched, whatever becomes of the template" {
    mkdir "$dir/template"
    echo one >"$dir/template/a.cu"
    tools/student "$dir/template" "$dir/student"
    echo mine >"$dir/student/a.cu"
    echo two >"$dir/template/a.cu"
    tools/student "$dir/template" "$dir/student"
    tools/student "$dir/template" "$dir/student"
    [ "$(cat "$dir/student/a.cu")" = mine ]
}

@test "a file that was there before the template is never touched" {
    mkdir "$dir/template" "$dir/student"
    echo one >"$dir/template/a.cu"
    echo mine >"$dir/student/a.cu"
    tools/student "$dir/template" "$dir/student"
    [ "$(cat "$dir/student/a.cu")" = mine ]
}

@test "a link is never touched nor written through" {
    mkdir "$dir/template" "$dir/student"
    echo one >"$dir/template/a.cu"
    echo elsewhere >"$dir/elsewhere"
    ln -s "$dir/elsewhere" "$dir/student/a.cu"
    tools/student "$dir/template" "$dir/student"
    [ -L "$dir/student/a.cu" ]
    [ "$(cat "$dir/elsewhere")" = elsewhere ]
}

@test "an untouched file follows a newer template" {
    mkdir "$dir/template"
    echo one >"$dir/template/a.cu"
    tools/student "$dir/template" "$dir/student"
    echo two >"$dir/template/a.cu"
    tools/student "$dir/template" "$dir/student"
    [ "$(cat "$dir/student/a.cu")" = two ]
}

@test "an edit that equals an older template's other file is still an edit" {
    mkdir "$dir/template"
    echo one >"$dir/template/a.cu"
    tools/student "$dir/template" "$dir/student"
    echo mine >"$dir/student/a.cu"
    echo mine >"$dir/template/a.cu"
    tools/student "$dir/template" "$dir/student"
    echo three >"$dir/template/a.cu"
    tools/student "$dir/template" "$dir/student"
    [ "$(cat "$dir/student/a.cu")" = mine ]
}

# A tree of the same labs in which something can be taken away.
labs_tree() {
    mkdir "$dir/tree"
    cp -r Makefile grader labs reference student_template handouts tools "$dir/tree/"
    cd "$dir/tree"
}

@test "every lab is complete" {
    run make -s B="$dir/build" "$dir/build/labs.c"
    echo "$output"
    [ "$status" -eq 0 ]
    [ -z "$output" ]
}

@test "a lab with a missing part is refused by the part's name" {
    labs_tree
    lab=$(basename "$(dirname "$(echo labs/*/lab.c | cut -d' ' -f1)")")
    for part in "labs/$lab/baseline.cu" "reference/$lab.cu" "student_template/$lab.cu" "handouts/$lab.md" \
        "reference/ladder/$lab" "labs/$lab/wrong" "labs/$lab/lab.c"; do
        mv "$part" "$dir/aside"
        run make -s B="$dir/build" "$dir/build/labs.c"
        mv "$dir/aside" "$part"
        echo "without $part: $output"
        [ "$status" -ne 0 ]
        [[ $output == *"$part"* ]]
    done
}

@test "a new lab edits nothing: its files are found" {
    labs_tree
    lab=$(basename "$(dirname "$(echo labs/*/lab.c | cut -d' ' -f1)")")
    cp -r "labs/$lab" labs/lab9_new
    cp -r "reference/ladder/$lab" reference/ladder/lab9_new
    cp "reference/$lab.cu" reference/lab9_new.cu
    cp "student_template/$lab.cu" student_template/lab9_new.cu
    cp "handouts/$lab.md" handouts/lab9_new.md
    make -s B="$dir/build" "$dir/build/labs.c"
    grep -q '&lab9_new,' "$dir/build/labs.c"
}

@test "the model's hash changes with the simulator's code, and not with its comments" {
    labs_tree
    header=$dir/build/include/judge/job/model.h
    model() { make -s B="$dir/build" "$header" "$@" && sed -n "s/^#define $labs//p" "$header"; }
    for labs in MODEL_KERNEL_LABS MODEL_HOST_LABS; do
        first=$(model)
        [ -n "$first" ]
        sed -i -e 's,^// ,// Well: ,' -e 's,^    ,\t,' grader/sim/sim_run.c grader/host/devices/virtual_clock.c
        [ "$(model)" = "$first" ]
        [ "$(model HOSTILE=1)" != "$first" ]
        echo 'static int more;' >>grader/host/devices/virtual_clock.c
        # no clock of a host has a part in the time of kernels alone
        if [ $labs = MODEL_HOST_LABS ]; then [ "$(model)" != "$first" ]; else [ "$(model)" = "$first" ]; fi
        second=$(model)
        echo 'static int more;' >>grader/sim/sim_run.c
        [ "$(model)" != "$second" ]
    done
}

@test "an unknown lab is answered with those there are" {
    run make -s lab42
    [ "$status" -ne 0 ]
    [[ $output == *"there is no lab 'lab42'"*lab3* ]]
}

@test "help names the two commands of the README" {
    run make help
    [[ $output == *"make setup "* ]]
    [[ $output == *"make test "* ]]
}

@test "without any CUDA compiler setup installs clang" {
    mkdir "$dir/tools"
    for tool in bash env sh sed grep mktemp rm tail gcc make cat awk tr cut paste cmp; do ln -s "$(command -v $tool)" "$dir/tools/$tool"; done
    CUDA_HOME=/nonexistent PATH="$dir/bin:$dir/tools" run tools/setup student
    grep -q 'apt-get install .*clang' "$dir/calls"
}

@test "four turns run each suite of the rest once" {
    list() { BUILD=$dir/build tests/run --rest --list; }
    for k in 0 1 2 3; do TURN=$k/4 list; done | sort >"$dir/turns"
    list | sort >"$dir/all"
    [ "$(wc -l <"$dir/all")" -gt 20 ]
    diff "$dir/all" "$dir/turns"
    [ "$(TURN=0/4 list | wc -l)" -lt "$(($(wc -l <"$dir/all") / 3))" ]
}
