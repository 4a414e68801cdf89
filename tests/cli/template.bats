#!/usr/bin/env bats
# What a student receives besides the stubs: flags for editors, a workflow, a Makefile that grades what was begun.

setup() {
    dir=$BATS_TEST_TMPDIR
}

@test "compile_flags.txt leaves no file of the template with a red mark" {
    tools/setup has clang || skip "no clang"
    clang=$(type -P clang || compgen -c clang- | grep -E '^clang-[0-9]+$' | sort | tail -1)
    cd student_template
    for file in *.cu; do
        run "$clang" -fsyntax-only --cuda-host-only $(cat compile_flags.txt) "$file"
        [ "$status" -eq 0 ] && [ -z "$output" ] || { echo "$file: $output"; return 1; }
    done
}

@test "clangd says the same" {
    type -P clangd >/dev/null || skip "no clangd"
    cp -r student_template "$dir/student"
    ln -s "$PWD/grader" "$dir/grader"
    cd "$dir/student"
    for file in lab*.cu main_lab0.cu main_lab6.cu; do
        run clangd --check="$file"
        [[ $output == *"0 errors"* ]] || { grep '^E' <<<"$output"; return 1; }
    done
}

@test "the student's folder is filled with folders too, and what was edited is left alone" {
    tools/student student_template "$dir/student"
    cmp student_template/.github/workflows/grade.yml "$dir/student/.github/workflows/grade.yml"
    cmp student_template/compile_flags.txt "$dir/student/compile_flags.txt"
    echo "# mine" >>"$dir/student/.github/workflows/grade.yml"
    tools/student student_template "$dir/student"
    grep -q "# mine" "$dir/student/.github/workflows/grade.yml"
}

@test "make began grades what was begun, and the workflow calls it" {
    grep -q 'run: make -C student began' student_template/.github/workflows/grade.yml
    [[ $BUILD == */release ]] || skip "make builds ./grade of the release"
    tools/student student_template "$dir/student"
    run make -C "$dir/student" began KIT="$PWD"
    [ "$status" -eq 0 ]
    [[ $output != *"score"* ]]
    cp reference/lab0_coalescing.cu "$dir/student/"
    run make -C "$dir/student" began KIT="$PWD" REPORTS="$dir/reports"
    [ "$status" -eq 0 ]
    [ "$(grep -c '^score' <<<"$output")" -eq 1 ]
    [ -s "$dir/reports/lab0.html" ] && [ -s "$dir/reports/lab0.xml" ]
    echo "nonsense" >"$dir/student/lab3_syncthreads.cu"
    run make -C "$dir/student" began KIT="$PWD"
    [ "$status" -ne 0 ]
    [ "$(grep -c '^score' <<<"$output")" -eq 2 ]
}
