#!/usr/bin/env bats
# What clangd marks while a student types, with the student's compile_flags.txt: tests/editor/clangd.mjs asks it.
# ALL=1: of every submission; otherwise of every fourth, chosen by a hash of its name.

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

# A mark is right where the device's pass of clang says the same of the file.
@test "clangd says nothing of the students' submissions that clang does not say of them" {
    tools/setup has clang || skip "no clang"
    clang=$(type -P clang || compgen -c clang- | grep -E '^clang-[0-9]+$' | sort | tail -1)
    clangd $(find tests/students -name '*.cu' | sort | while read -r file; do
        [ -z "${ALL-}" ] && [ $(($(cksum <<<"$file" | cut -d' ' -f1) % 4)) != 0 ] || echo "$file"
    done)
    for file in $(cut -d: -f1 "$dir/diagnostics" | sort -u); do
        cp "$file" "$dir/student/"
        (cd "$dir/student" && "$clang" -fsyntax-only --cuda-device-only $(cat compile_flags.txt) "${file##*/}") 2>&1 |
            sed -nE 's/^[^:]+:[0-9]+:[0-9]+: (warning: .*) \[.*/\1/p' >"$dir/said"
        grep "^$file:" "$dir/diagnostics" | sed -E 's/^([^:]*:){3} //; s/ \(fix(es)? available\)$//' | grep -vixFf "$dir/said" | sed "s,^,$file: ," || true
    done >"$dir/differs"
    [ ! -s "$dir/differs" ] || { cat "$dir/differs"; return 1; }
}
