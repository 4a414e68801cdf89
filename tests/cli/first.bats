#!/usr/bin/env bats
# The first five minutes of somebody who has only what git gives: README's first command, then what the start page says,
# typed as it stands there, to the first lab passed. No folder of settings, no language, no variable of ours.
#
# What is compiled comes along: a build of the same sources, which make finds up to date. That it can be built at all is
# seen by whoever runs these tests; tests/bare/check does all of it in a Debian that has nothing.

setup_file() {
    kit=$BATS_FILE_TMPDIR/kit
    mkdir "$kit"
    git ls-files -z 2>/dev/null | xargs -0 ls -d 2>/dev/null | tar -cf - -T - | tar -C "$kit" -xf -
    [ -e "$kit/Makefile" ] || return 0 # no git here, or no repository
    tar -cf - --exclude web --exclude tests --exclude class.tmp "$BUILD" | tar -C "$kit" -xf -
}
setup() {
    kit=$BATS_FILE_TMPDIR/kit
    [ -e "$kit/Makefile" ] || skip "not a clone"
    [[ $BUILD == build/release ]] || skip "only the release build is what a newcomer makes"
    cd "$kit"
}
newcomer() { # newcomer COMMAND: as it would be typed
    mkdir -p "$BATS_FILE_TMPDIR/home"
    run env -i PATH="$PATH" HOME="$BATS_FILE_TMPDIR/home" TERM=dumb bash -c "$1" </dev/null
}
has() { [[ $output == *"$1"* ]] || { echo "no '$1' in: $output"; return 1; }; }

@test "README's first command builds, fills the folder and grades the stub" {
    first=$(tests/docs/block README.md '^make setup')
    [ "$(wc -l <<<"$first")" -eq 1 ]
    newcomer "make -n all | grep -c '  cc' || true" # up to date, as said above
    newcomer "$first"
    [ "$status" -eq 1 ]
    has "not passed"
    [ -e student/lab3_syncthreads.cu ] && [ -e student/lab0_coalescing.cu ]
}

@test "what README names next is there" {
    for page in $(grep -oE '\]\([a-z_/0-9]+\.md' README.md | cut -c3-); do [ -e "$page" ] || { echo "$page"; return 1; }; done
    grep -A1 -F '[handouts/start.md]' README.md | grep -q 'begin with lab 0'
    newcomer "make help && ./grade --help"
    [ "$status" -eq 0 ]
}

# bats test_tags=rest
@test "the start page's kernel, with the first lab's formula in it, passes" {
    newcomer "$(tests/docs/block handouts/start.md 'make lab0')" # the stub, as it was handed out
    [ "$status" -eq 1 ]
    kernel=$(tests/docs/block handouts/start.md '__global__' | sed 's/negate/scale/; s/-in\[i\];  */2.0f * in[i] + 1.0f; /')
    grep -q 'out\[i\] = 2.0f' <<<"$kernel"
    sed -i '/^extern "C"/,$d' student/lab0_coalescing.cu
    echo "$kernel" >>student/lab0_coalescing.cu
    newcomer "$(tests/docs/block handouts/start.md 'make lab0')"
    [ "$status" -eq 0 ]
    has "passed: on to lab1"
    newcomer "./grade list"
    has "1 of 9 passed"
}

@test "each lab's file leads to its handout, and the handout to the file" {
    for file in student/lab?_*.cu; do
        page=handouts/$(basename "$file" .cu).md
        grep -q "handouts/$(basename "$page")" "$file"
        grep -q "student/$(basename "$file")" "$page" || { echo "$page does not name $file"; return 1; }
    done
}

# bats test_tags=rest
@test "what was begun is graded from the folder alone, and a hint is one word away" {
    newcomer "make -C student began"
    [ "$status" -eq 0 ]
    has "100"
    newcomer "make -C student hint1"
    has "hint 1"
}
