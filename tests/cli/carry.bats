#!/usr/bin/env bats
# make carry: the built kit, packed for a machine where nothing can be installed, grades from wherever it is unpacked.
# needs: carry/all

setup() {
    [[ $BUILD == */release ]] || skip "only the release build is carried"
}

@test "the carried kit grades, and its programs need no library but the C library's" {
    local kit=$BATS_TEST_TMPDIR/warpwise
    tools/carry "$BUILD" "$BATS_TEST_TMPDIR/kit.tar.gz"
    tar -C "$BATS_TEST_TMPDIR" -xzf "$BATS_TEST_TMPDIR/kit.tar.gz"
    run ldd "$kit/$BUILD/grade" "$kit/$BUILD/runner-sim"
    [ "$(grep -c 'not a dynamic executable' <<<"$output")" = 2 ]
    ! ldd "$kit/$BUILD/runner-gpu" | grep -vE 'linux-vdso|libc\.so|libm\.so|ld-linux'
    ! ldd "$kit/$BUILD"/cudart/* | grep -vE 'linux-vdso|lib(c|m)\.so|ld-linux|^[^ \t]'
    env -u SUBMISSION make -C "$kit" lab0
    cd "$BATS_TEST_TMPDIR"
    "$kit/grade" lab0 "$kit/reference/lab0_coalescing.cu" --engine sim
    [ -e "$kit/$BUILD/class" ] || return 0
    ! ldd "$kit/$BUILD/class" | grep -vE "linux-vdso|/lib(c|m|resolv)\.so|ld-linux|$kit/$BUILD/bin/lib/"
    "$kit/grade" batch "$kit/labs/lab0_coalescing/baseline.cu" --lab lab0 --engine sim
}

@test "the carried bubblewrap is used where there is no other" {
    command -v bwrap >/dev/null || skip "bubblewrap is not here"
    local kit=$BATS_TEST_TMPDIR/warpwise at=$BATS_TEST_TMPDIR/path program
    "$GRADE" doctor | grep -q '^sandbox *namespaces' || skip "bubblewrap does not work here"
    tools/carry "$BUILD" "$BATS_TEST_TMPDIR/kit.tar.gz"
    tar -C "$BATS_TEST_TMPDIR" -xzf "$BATS_TEST_TMPDIR/kit.tar.gz"
    mkdir "$at"
    for program in sh bash dirname readlink; do ln -s "$(type -P $program)" "$at/"; done
    run env PATH="$at" "$kit/grade" doctor
    echo "$output"
    [[ $output == *"sandbox     namespaces"* ]]
}
