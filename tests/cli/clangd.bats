#!/usr/bin/env bats
# What clangd marks while a student types, with the student's compile_flags.txt: tests/editor/clangd.mjs asks it.

setup() {
    GRADE=${GRADE:-$PWD/build/release/grade}
    dir=$BATS_TEST_TMPDIR
    type -P clangd node >/dev/null || skip "no clangd, or no node"
}
clangd() { # clangd FILE…: its errors and warnings, in $dir/diagnostics
    [ -d "$dir/grader" ] || ln -s "$PWD/grader" "$dir/grader"
    [ -d "$dir/student" ] || tools/student student_template "$dir/student"
    node tests/editor/clangd.mjs "$dir/student" "$@" >"$dir/all"
    grep -E ': (error|warning): ' "$dir/all" >"$dir/diagnostics" || true
}

@test "clangd has nothing against the stubs, their programs, the references and their ladders" {
    clangd student_template/*.cu reference/*.cu reference/ladder/*/*.cu labs/*/baseline.cu
    [ ! -s "$dir/diagnostics" ] || { cat "$dir/diagnostics"; return 1; }
    echo 'int x = undeclared;' >"$dir/bad.cu"
    clangd "$dir/bad.cu"
    grep -q 'bad.cu:1:9: error: ' "$dir/diagnostics"
}

# A mark is right where the grader's own compiler has the same to say of this line.
@test "clangd marks no line of the students' submissions that clang does not mark" {
    clangd $(find tests/students -name '*.cu' | sort)
    for file in $(cut -d: -f1 "$dir/diagnostics" | sort -u); do
        lab=${file#tests/students/} lab=${lab%%/*}
        "$GRADE" compile "$lab" "$file" --compiler clang >"$dir/said" 2>&1 || true
        grep "^$file:" "$dir/diagnostics" | while IFS=: read -r _ line column severity _; do
            grep -q "^$file:$line:$column:$severity: " "$dir/said" || grep "^$file:$line:$column:" "$dir/diagnostics"
        done
    done >"$dir/differs"
    [ ! -s "$dir/differs" ] || { cat "$dir/differs"; return 1; }
}
