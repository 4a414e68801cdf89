#!/usr/bin/env bats
# Headers that a student hands in beside the lab's file: they are compiled, quoted and graded with it.

setup() {
    GRADE=${GRADE:-$PWD/build/release/grade}
    ref=$PWD/reference/lab0_coalescing.cu
    cd "$BATS_TEST_TMPDIR"
    mkdir mine
    # The reference, whose function is in a header, which includes a second header.
    { echo '#include "step.cuh"'; sed '/^static __device__/,/^}/d' "$ref"; } >mine/lab0_coalescing.cu
    printf '#pragma once\n#include "factor.h"\n' >mine/step.cuh
    sed -n '/^static __device__/,/^}/p' "$ref" | sed 's/2\.0f/FACTOR/g' >>mine/step.cuh
    printf '#ifndef FACTOR\n#define FACTOR 2.0f\n#endif\n' >mine/factor.h
}
grade() { run "$GRADE" "$@"; }
has() { [[ $output == *"$1"* ]] || { echo "no '$1' in: $output"; return 1; }; }
each_compiler() { for compiler in clang nvcc; do command -v $compiler >/dev/null && echo $compiler; done; }

# bats test_tags=rest
@test "a lab with headers passes through both compilers" {
    for WARPWISE_COMPILER in $(each_compiler); do
        export WARPWISE_COMPILER
        grade lab0 mine --engine sim
        [ "$status" -eq 0 ]
        has "100 of 100"
    done
}

@test "a compiler's error in a header names the header and its line" {
    echo 'int x = nothing;' >>mine/factor.h
    for WARPWISE_COMPILER in $(each_compiler); do
        export WARPWISE_COMPILER
        grade lab0 mine
        [ "$status" -eq 1 ]
        has "mine/factor.h:4:"
    done
}

@test "a finding in a header names the header, its line and its text" {
    sed -i 's/return make_float4/return v.x < 1e30f ? *(float4 *)16 : make_float4/' mine/step.cuh
    line=$(grep -n '(float4 \*)16' mine/step.cuh | cut -d: -f1)
    for WARPWISE_COMPILER in $(each_compiler); do
        export WARPWISE_COMPILER
        grade lab0 mine --engine sim --json report.json
        [ "$status" -eq 1 ]
        has "mine/step.cuh:$line:"
        [[ $output =~ "next      "(mine/)?step.cuh:$line:\  ]] || { echo "$output"; return 1; }
        has "$line |     return v.x < 1e30f"
        [ "$(jq -r '.findings[0].at | .file + ":" + (.line | tostring)' report.json)" = "mine/step.cuh:$line" ]
        jq -r '.refused[]' report.json | grep -q "^bad address at line step.cuh:$line$"
    done
}

@test "coverage has a record for each file" {
    grade lab0 mine --engine sim --coverage cover.info
    [ "$status" -eq 0 ]
    grep -q "^SF:.*/mine/lab0_coalescing.cu$" cover.info
    grep -q "^SF:.*/mine/step.cuh$" cover.info
    sed -n '/step.cuh$/,/^end/p' cover.info | grep -q '^DA:5,[1-9]'
}

@test "only a plain file in the same folder is taken" {
    mv mine/factor.h away.h
    ln -s ../away.h mine/factor.h
    grade lab0 mine
    [ "$status" -eq 1 ]
    has "factor.h"
    has "must lie beside the lab's file"
    sed -i 's,"step.cuh","../mine/step.cuh",' mine/lab0_coalescing.cu
    grade lab0 mine
    [ "$status" -eq 1 ]
    has "must lie beside the lab's file"
}

@test "a header with the name of the kit's own does not replace it" {
    echo '#error mine' >mine/warpwise.h
    grade lab0 mine --engine sim
    [ "$status" -eq 0 ]
}

# bats test_tags=rest
@test "a class is graded with each student's own headers" {
    mkdir -p in out
    cp -r mine in/alice
    cp -r mine in/bob
    sed -i 's/2\.0f/3.0f/' in/bob/factor.h
    (cd mine && tar czf ../in/carol.tar.gz .)
    run "$GRADE" batch in --out out --lab lab0 --engine sim
    echo "$output"
    [ "$status" -eq 0 ]
    book() { sqlite3 out/book.db "$1"; }
    [ "$(book "SELECT count(*) FROM input WHERE fate = 'header'")" -eq 6 ]
    [ "$(book "SELECT count(*) FROM source")" -eq 2 ] # alice's and carol's are the same
    [ "$(jq -c '[.students[] | .labs.lab0.points == 100]' out/gradebook.json)" = "[true,false,true]" ]
}
