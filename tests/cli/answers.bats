#!/usr/bin/env bats
# The worked answers to the exercises: shown after a pass or with --now, in the reader's language, if the kit has them.

setup() {
    GRADE=${GRADE:-$PWD/build/release/grade}
    export SUBMISSION=$BATS_TEST_TMPDIR
    unset NO_COLOR
}
answers() { run "$GRADE" answers "$@"; }
has() { [[ $output == *"$1"* ]] || { echo "no '$1' in: $output"; return 1; }; }
has_not() { [[ $output != *"$1"* ]] || { echo "'$1' in: $output"; return 1; }; }
record() { # record LAB PASSED
    echo "{\"schema\": \"warpwise-progress/1\", \"labs\": {\"$1\": {\"best\": 95, \"passed\": $2}}}" >"$SUBMISSION/.progress.json"
}

@test "before a pass the answers are closed, and the message says what opens them" {
    answers lab3
    [ "$status" -eq 1 ]
    has "when you have passed it"
    has "./grade hint lab3"
    has "./grade answers lab3 --now"
    has_not "16,777,216"
    record lab3 false
    answers lab3
    [ "$status" -eq 1 ]
    record lab2 true # another lab
    answers lab3
    [ "$status" -eq 1 ]
}

@test "a pass opens them" {
    record lab3 true
    answers lab3
    [ "$status" -eq 0 ]
    has "Answers to lab 3"
    has "3. 17. One after the tile is filled"
    has "6. Unsigned addition"
}

@test "--now shows them without a pass, all or one" {
    answers lab3 --now
    [ "$status" -eq 0 ]
    has "1. They contribute 0"
    answers lab3 4 --now
    [ "$status" -eq 0 ]
    [[ $output == "4. 4096 sums."* ]]
    has_not "5. "
}

@test "on a terminal code and emphasis are painted; elsewhere code keeps its backticks, and no line is too long" {
    answers lab3 5 --now
    has '`a[31]`'
    has_not '*'$'*'
    has "   unsigned *b = a + TILE; "
    answers lab3 5 --now --color=always
    has $'\033[32ma[31]\033[0m'
    has $'\033[1mA race'
    for lab in 0 1 2 3 4 5 6 7 8; do
        LC_ALL=C.UTF-8 "$GRADE" answers lab$lab --now >"$BATS_TEST_TMPDIR/text"
        ! LC_ALL=C.UTF-8 grep -E '^.{101}|\*\*|\]\(' "$BATS_TEST_TMPDIR/text"
        LC_ALL=C "$GRADE" answers lab$lab --now >"$BATS_TEST_TMPDIR/text"
        ! grep '?' "$BATS_TEST_TMPDIR/text" | grep -vF 'i < n ? in[i]' # each sign has one in ASCII
    done
}

@test "the items of a list within an answer are lines of their own" {
    answers lab8 4 --now
    has $'\n   - Through the host'
    has $'\n   - Peer access'
}

@test "in Korean" {
    command -v msgfmt >/dev/null || skip "this build has no catalogues: gettext is missing"
    LC_ALL=ko_KR.UTF-8 answers lab3
    [ "$status" -eq 1 ]
    has "통과하면 열립니다"
    LC_ALL=ko_KR.UTF-8 answers lab3 --now
    [ "$status" -eq 0 ]
    has "실습 3의 답"
    has "3. 17번입니다."
}

@test "a lab or an exercise that does not exist, and a word too many" {
    answers
    [ "$status" -eq 2 ]
    has "./grade answers lab3"
    answers lab33 --now
    [ "$status" -eq 2 ]
    has "is 'lab3' meant?"
    for exercise in 7 0 x 3x -1; do
        answers lab3 --now -- "$exercise"
        [ "$status" -eq 2 ]
        has "lab3 has no exercise '$exercise'"
    done
    answers lab3 1 2
    [ "$status" -eq 2 ]
    has "one word too many"
}

@test "a kit without answers says so" {
    local kit=$BATS_TEST_TMPDIR/kit
    mkdir -p "$kit/build/release" "$kit/grader"
    cp "$GRADE" "$kit/build/release/grade"
    ln -s "$(dirname "$(readlink -f "$GRADE")")/runner-sim" "$kit/build/release/"
    ln -s "$PWD/labs" "$kit/"
    ln -s "$PWD/grader/kit" "$kit/grader/"
    run "$kit/build/release/grade" answers lab3 --now
    [ "$status" -eq 2 ]
    has "this kit has no answers to the exercises of lab3"
    mkdir "$kit/handouts"
    ln -s "$PWD/handouts/answers" "$kit/handouts/" # and with them, it has
    run "$kit/build/release/grade" answers lab3 --now
    [ "$status" -eq 0 ]
    has "Answers to lab 3"
}

@test "help and completion know the command" {
    run "$GRADE" --help
    has "answers LAB [EXERCISE]"
    run "$GRADE" completion words answers
    has "--now"
    has "lab3"
}

# Packs the student's kit from stand-ins for the programs, and compares its answers and instructors' pages with a list.
packs() { # packs LIST [ANSWERS]
    tools/dist "$BATS_TEST_TMPDIR/b" "$BATS_TEST_TMPDIR/kit.tar.gz" "${@:2}" >/dev/null
    tar -tzf "$BATS_TEST_TMPDIR/kit.tar.gz" >"$BATS_TEST_TMPDIR/list"
    grep -q 'warpwise/handouts/ko/lab3_syncthreads.md' "$BATS_TEST_TMPDIR/list"
    diff <(grep -E '(answers|instructors).*[.]md$' "$BATS_TEST_TMPDIR/list") <(echo -n "$1")
}
@test "the student's kit holds the answers only with ANSWERS=yes" {
    tools/setup has clang || tools/setup has nvcc || skip "no CUDA compiler"
    mkdir -p "$BATS_TEST_TMPDIR/b/carry/cudart"
    for file in carry/grade runner-sim runner-gpu carry/cudart/libcudart.so.12; do cp /bin/true "$BATS_TEST_TMPDIR/b/$file"; done
    printf '#!/bin/sh\nwhile [ $# -gt 1 ]; do [ "$1" != -o ] || cp /bin/true "$2"; shift; done\n' >"$BATS_TEST_TMPDIR/b/grade"
    chmod +x "$BATS_TEST_TMPDIR/b/grade"
    packs ""
    packs "" no
    packs "$(printf 'warpwise/%s\n' handouts/answers/*.md handouts/ko/answers/*.md)"$'\n' yes
    run tools/dist "$BATS_TEST_TMPDIR/b" "$BATS_TEST_TMPDIR/kit.tar.gz" perhaps
    [ "$status" -eq 2 ]
    has "ANSWERS takes yes or no, not 'perhaps'"
    make -n dist ANSWERS=yes | grep -q 'tools/dist .* yes$'
    make help | grep 'make dist .*ANSWERS=yes'
}
