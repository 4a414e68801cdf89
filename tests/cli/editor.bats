#!/usr/bin/env bats
# What VS Code, Vim and Emacs list of a report's findings.
#
# Each kernel is graded once. The lists of VS Code, Vim and Emacs must be those of the report in JSON. ALL=1: of every wrong
# kernel, which takes ten minutes; otherwise of every eighth, chosen by a hash of its name.

setup() {
    GRADE=${GRADE:-$PWD/build/release/grade}
    dir=$BATS_TEST_TMPDIR
    kept=$BATS_FILE_TMPDIR
    root=$PWD
    modules=${XDG_CACHE_HOME:-$HOME/.cache}/warpwise/web/node_modules
    tasks=student_template/.vscode/tasks.json
}
has() { [[ $output == *"$1"* ]] || { echo "no '$1' in: $output"; return 1; }; }
few=(lab0_coalescing/wrong/{misspelled,no_guard,strided} lab2_tiling/wrong/barrier_inside_the_guard)
chosen() { [ -n "${ALL-}" ] || [ $(($(cksum <<<"$1" | cut -d' ' -f1) % 8)) = 0 ]; }
many() { for file in labs/*/wrong/*.cu; do ! chosen "$file" || { file=${file#labs/} && echo "${file%.cu}"; }; done; }

# Grades kernels. Their reports are then in $outputs. What the reports in JSON tell is in $dir/expected: a line
# "OUTPUT FILE:LINE:SEVERITY: MESSAGE" for each finding and each message of the compiler, and "OUTPUT FILE:LINE:note"
# for a finding's second place.
grade() { # grade KERNEL…
    local kernel lab output
    outputs=()
    for kernel in "$@"; do
        lab=${kernel%%_*} output=$kept/${kernel////.}
        [ -e "$output" ] || "$GRADE" "$lab" "labs/$kernel.cu" --all --hints rule --json "$output.json" >"$output" 2>&1 || [ $? = 1 ] ||
            grep -q 'sandbox is too weak' "$output" || { cat "$output"; return 1; }
        [ ! -e "$output.json" ] || outputs+=("$output")
    done
    for output in "${outputs[@]}"; do
        jq -r --arg output "$output" '
            def severity: if .severity == "defect" then "error" else "warning" end;
            $output + " " + (
                .stage as $stage | (.compiler_messages / "\n")[] |
                    capture("^(?<place>[^:]+:[0-9]+):[0-9]+: (fatal )?(?<severity>error|warning|note): (?<text>.*)$") |
                    select($stage == "build" or .severity == "warning") | "\(.place):\(.severity): \(.text)"),
            $output + " " + (.findings[] | "\(.at.file):\(.at.line):\(severity): \(.word): \(.text)"),
            $output + " " + (.findings[] | select(.follows == null and .other and .other.line > 0 and .other.line != .at.line) |
                "\(.other.file):\(.other.line):note")' "$output.json"
    done | short >"$dir/expected"
}
short() { sed -E 's/^(.*:[0-9]+:note): .*/\1/' | sort; }
equal() { # equal LIST: an editor's list is the one of the reports
    short <"$1" | diff "$dir/expected" - | head -20 >"$dir/differs"
    [ ! -s "$dir/differs" ] || { cat "$dir/differs"; return 1; }
}

vscode() { # vscode OUTPUT…: a line "TASK OUTPUT FILE:LINE:SEVERITY: MESSAGE" for each problem
    tools/setup has web || skip "no packages from npm (make setup-dev fetches them)"
    node tests/editor/vscode.mjs "$modules" $tasks . "$@"
}
# What Vim and Emacs list after commands; in $dir/list, "FILE:LINE:SEVERITY: MESSAGE" behind the last word of the command.
vim() {
    LIST=$dir/list command vim -Nu NONE -es -S "$root/tests/editor/vim.vim" "$@" >/dev/null 2>&1
    sed -i 's/^[^ ]* //' "$dir/list"
}
# Emacs gives its processes TERM=dumb, but not in batch mode.
emacs() { TERM=dumb command emacs -Q --batch -l "$root/tests/editor/emacs.el" "$@" 2>/dev/null | sed 's/^[^ ]* //' >"$dir/list"; }
check_vscode() {
    vscode "${outputs[@]}" >"$dir/vscode"
    for task in build grade watch; do
        sed -n "s/^$task \(.*:[0-9]*:[a-z]*: .*\)/\1/p" "$dir/vscode" >"$dir/list"
        equal "$dir/list" || { echo "of the task '$task'"; return 1; }
    done
}
check_vim() {
    type -P vim >/dev/null || skip "no vim"
    vim "${outputs[@]/#/cat }"
    equal "$dir/list"
}
check_emacs() {
    type -P emacs >/dev/null || skip "no emacs"
    emacs "${outputs[@]/#/cat }"
    equal "$dir/list"
}

@test "VS Code lists the findings of a few kernels" {
    grade "${few[@]}"
    check_vscode
}
@test "Vim lists them after :make" {
    grade "${few[@]}"
    check_vim
}
@test "Emacs lists them after M-x compile" {
    grade "${few[@]}"
    check_emacs
}

student() { # student: a folder of a student's, in $dir/student, with a wrong kernel; what its findings are, in $dir/expected
    tools/student student_template "$dir/student"
    cp labs/lab0_coalescing/wrong/no_guard.cu "$dir/student/lab0_coalescing.cu"
    printf 'lab0_coalescing.cu:10:error: out of bounds: thread (1,0,0) of block (0,0,0) %s element\n' \
        "reads in[1]: 'in' has 1" "writes out[1]: 'out' has 1" >"$dir/expected"
    export KIT=$root
}

@test "make in the student's folder, as Vim and Emacs start it, gives the findings and no other line" {
    [[ $BUILD == */release ]] || skip "make starts ./grade of the release"
    student
    cd "$dir/student"
    ! type -P vim || { vim "make grade0" && sed 's/^grade0 //' "$dir/list" >"$dir/own" && equal "$dir/own"; }
    ! type -P emacs || { emacs "make grade0" && sed 's/^grade0 //' "$dir/list" >"$dir/own" && equal "$dir/own"; }
    for task in $(sed '/^\/\//d' "$root/$tasks" | jq -r '.tasks[].args | index("-C") as $at | .[$at + 2]'); do
        make --no-print-directory -n $task LAB=lab0_coalescing | grep -q "/grade .*lab0_coalescing" || { echo "$task"; return 1; }
    done
}

# bats test_tags=rest
@test "VS Code sees when watch begins and ends, in each language" {
    tools/setup has web || skip "no packages from npm (make setup-dev fetches them)"
    student
    cd "$dir/student"
    for language in en ko; do
        SUBMISSION=$dir/student LANGUAGE=$language LC_ALL= LANG=ko_KR.UTF-8 "$GRADE" watch lab0 --all >"$dir/$language" 2>&1 </dev/null &
        watcher=$!
        for turn in 1 2; do
            for _ in {1..600}; do [ "$(grep -c "'.*[.]cu'[^.]*$" "$dir/$language")" -lt $turn ] || break; sleep 0.1; done
            [ $turn = 2 ] || touch lab0_coalescing.cu
        done
        kill $watcher
        wait $watcher || true
        node "$root/tests/editor/vscode.mjs" "$modules" "$root/$tasks" . "$dir/$language" | sed -n 's/^watch [^ ]* //p' >"$dir/list"
        [ "$(grep -xE 'begins|ends' "$dir/list" | paste -sd' ')" = "begins ends begins ends" ] || { cat "$dir/list" "$dir/$language"; return 1; }
        [ "$(grep -c '^lab0_coalescing.cu:10:error: ' "$dir/list")" -eq 2 ]
    done
}

@test "the beginning of a finding's line is plain where the report has colours" {
    "$GRADE" lab0 labs/lab0_coalescing/wrong/strided.cu --hints rule --color=always >"$dir/report" || true
    grep -qP '^labs/\S+:8:1: error: \e' "$dir/report"
    grep -qP '^labs/\S+:13:5: warning: \e' "$dir/report"
}

# bats test_tags=rest
@test "VS Code lists the findings of many wrong kernels" {
    grade $(many)
    [ "$(wc -l <"$dir/expected")" -gt 9 ]
    check_vscode
}
# bats test_tags=rest
@test "Vim lists them, too" {
    grade $(many)
    check_vim
}
# bats test_tags=rest
@test "Emacs lists them, too" {
    grade $(many)
    check_emacs
}
