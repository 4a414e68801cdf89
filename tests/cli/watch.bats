#!/usr/bin/env bats
# Studying alone: watch in a terminal of tmux's, reset, reference, list, the page grade(1), completion, JUnit.

setup() {
    GRADE=${GRADE:-$PWD/build/release/grade}
    dir=$BATS_TEST_TMPDIR
    mkdir "$dir/student"
    export SUBMISSION=$dir/student
    mine=$SUBMISSION/lab0_coalescing.cu
    rung=$(ls -d reference/ladder/lab0_coalescing/*.cu | head -1)
    socket=warpwise-$BATS_TEST_NUMBER-$$
}
teardown() { tmux -L "$socket" kill-server 2>/dev/null || true; }
grade() { run "$GRADE" "$@"; }
has() { [[ $output == *"$1"* ]] || { echo "no '$1' in: $output"; return 1; }; }
has_not() { [[ $output != *"$1"* ]] || { echo "'$1' in: $output"; return 1; }; }

terminal() { # a shell in a terminal of its own
    tmux -L "$socket" -f /dev/null new-session -d -x 130 -y 60 \
        "env -u TMUX SUBMISSION=$SUBMISSION GRADE=$GRADE PS1='READY> ' bash --norc"
    shows 'READY>'
}
keys() { tmux -L "$socket" send-keys "$@"; }
screen() { tmux -L "$socket" capture-pane -p -S -200; }
shows() { # shows TEXT: it comes on the screen within a minute
    for _ in {1..300}; do
        [[ $(screen) != *"$1"* ]] || return 0
        sleep 0.2
    done
    echo "no '$1' on the screen:"
    screen
    return 1
}

@test "watch grades at each save, answers keys, and gives the terminal back" {
    cp student_template/lab0_coalescing.cu "$mine"
    terminal
    keys '$GRADE watch lab0' Enter
    shows 'q quit'
    shows 'not passed'
    cp reference/lab0_coalescing.cu "$SUBMISSION/new" && mv "$SUBMISSION/new" "$mine" # as editors do
    shows '100 of 100'
    shows 'q quit'
    keys h
    shows 'hint 1 of 3'
    keys e
    shows 'busiest access'
    keys l
    shows 'A histogram with atomics'
    keys r
    shows '(y/n)'
    keys n
    cmp reference/lab0_coalescing.cu "$mine"
    keys r
    shows '(y/n)'
    keys y
    shows 'not passed'
    cmp student_template/lab0_coalescing.cu "$mine"
    keys n
    shows "watching '$SUBMISSION/lab1_registers.cu'"
    keys q
    keys 'stty -a | grep -wo -e -icanon -e -echo; echo "end of it"' Enter
    shows $'\nend of it'
    [[ $(screen) != *$'\n-icanon'* && $(screen) != *$'\n-echo'* ]]
}

@test "watch gives the terminal back when it is ended by a signal" {
    cp student_template/lab0_coalescing.cu "$mine"
    terminal
    keys '$GRADE watch lab0' Enter
    shows 'q quit'
    keys C-c
    keys 'stty -a | grep -wo -e -icanon -e -echo; echo "end of it"' Enter
    shows $'\nend of it'
    [[ $(screen) != *$'\n-icanon'* ]]
    keys 'clear; $GRADE watch lab0 & sleep 5; kill -TERM $!; wait $!; echo "ended with $?"' Enter
    shows 'ended with '
}

@test "watch without a terminal watches too, and the lab saved last is the one" {
    cp student_template/lab7_transpose.cu "$SUBMISSION/"
    sleep 0.1
    cp student_template/lab0_coalescing.cu "$mine"
    "$GRADE" watch <"/dev/null" >"$dir/out" 2>&1 &
    watcher=$!
    for _ in {1..300}; do grep -q '^watching' "$dir/out" && break || sleep 0.2; done
    grep -q "lab0_coalescing.cu" "$dir/out"
    cp reference/lab0_coalescing.cu "$mine"
    for _ in {1..10}; do [ "$(grep -c '^grading' "$dir/out")" -ge 2 ] && break || sleep 0.1; done # within a second
    [ "$(grep -c '^grading' "$dir/out")" -ge 2 ]
    kill $watcher
    wait $watcher || true
}

@test "watch of nothing says what to type" {
    grade watch
    [ "$status" -eq 2 ]
    has "make lab0"
    grade watch lab0 lab1
    [ "$status" -eq 2 ]
}

@test "reset begins anew and keeps what was there, each time" {
    echo "first" >"$mine"
    grade reset lab0
    [ "$status" -eq 0 ]
    has ".bak1"
    cmp student_template/lab0_coalescing.cu "$mine"
    echo "second" >"$mine"
    grade reset lab0
    [ "$(cat "$mine.bak1")" = first ]
    [ "$(cat "$mine.bak2")" = second ]
    rm "$mine"
    grade reset lab0
    [ "$status" -eq 0 ]
    [ ! -e "$mine.bak3" ]
}

@test "the reference opens after passing; then grade, list and reference speak of rungs" {
    cp student_template/lab0_coalescing.cu "$mine"
    grade reference lab0
    [ "$status" -eq 1 ]
    has "opens when you have passed"
    cp "$rung" "$mine"
    grade lab0
    [ "$status" -eq 0 ]
    has "ladder    as fast as rung 1 of"
    grade list
    has "rung 1/"
    has "1 of "
    grade reference lab0
    [ "$status" -eq 0 ]
    has "1_one_each"
    has "+++ lab0_coalescing.cu"
    grade reference lab0 1
    has "yours is the same"
    grade reference lab0 99
    [ "$status" -eq 2 ]
}

@test "the page grade(1) says what --help says, and troff has nothing against it" {
    "$GRADE" manual >"$dir/grade.1"
    run groff -k -man -Tutf8 -ww -P-c "$dir/grade.1"
    [ "$status" -eq 0 ]
    has_not "warning"
    page=$(sed 's/.\x08//g' <<<"$output" | tr -s ' \n' '  ')
    for command in $("$GRADE" --help | sed -n 's/^       .\/grade \([a-z]*\) .*/\1/p'); do
        [[ $page == *"grade $command"* ]] || { echo "no '$command'"; return 1; }
        for option in $("$GRADE" "$command" --help | grep -o '^  --[a-z-]*'); do
            [[ $page == *"$option"* ]] || { echo "no '$option' of '$command'"; return 1; }
        done
    done
}

@test "bash completes commands, labs and options" {
    complete_() { # complete_ WORD…: what is offered for the last one
        bash -c 'source <("$0" completion); COMP_WORDS=("$0" "$@"); COMP_CWORD=$#; _grade "$0" "${!#}"; echo "${COMPREPLY[@]}"' \
            "$GRADE" "$@"
    }
    [ "$(complete_ expl)" = explain ]
    [ "$(complete_ explain lab7)" = lab7 ]
    [ "$(complete_ explain lab7 --sv)" = --svg ]
    [ "$(complete_ lab7 --ht)" = --html ]
    [[ $(complete_ l) == *list*lab0* ]]
}

@test "--junit: a test case for each part" {
    cp student_template/lab0_coalescing.cu "$mine"
    grade lab0 --junit "$dir/a.xml"
    [ "$status" -eq 1 ]
    grep -q '<testsuite name="lab0" tests="[0-9]*" failures="[1-9]' "$dir/a.xml"
    grep -q 'classname="lab0.correct"' "$dir/a.xml"
    echo '<&"nonsense' >"$dir/bad.cu"
    grade lab0 "$dir/bad.cu" --junit -
    [ "$status" -eq 1 ]
    has '<failure message='
    has_not '<&'
    [ "$(grep -c '<testcase' <<<"$output")" -eq 1 ]
}

@test "NO_COLOR is respected, and --color goes before it" {
    grade lab0 reference/lab0_coalescing.cu --color=always
    has $'\033['
    terminal
    keys "clear; NO_COLOR=1 \$GRADE lab0 reference/lab0_coalescing.cu" Enter
    shows '100 of 100'
    [[ $(tmux -L "$socket" capture-pane -p -e) != *$'\033[3'* ]]
}
