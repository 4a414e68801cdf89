#!/usr/bin/env bats
# What there is to look at: explain.

setup() {
    GRADE=${GRADE:-$PWD/build/release/grade}
    dir=$BATS_TEST_TMPDIR
    mkdir "$dir/student"
    export SUBMISSION=$dir/student
    unset NO_COLOR
}
grade() { run "$GRADE" "$@"; }
has() { [[ $output == *"$1"* ]] || { echo "no '$1' in: $output"; return 1; }; }
has_not() { [[ $output != *"$1"* ]] || { echo "'$1' in: $output"; return 1; }; }

@test "explain names the worst access of the baseline, and draws it" {
    grade explain lab7 labs/lab7_transpose/baseline.cu
    [ "$status" -eq 0 ]
    has "line 12: 32 lanes of a warp store to 'out' and touch 32 sectors, where 4 would hold"
    has "'transpose' takes "
    has "+0x4000     [1 "
    [[ $(grep -c ' | ' <<<"$output") -gt 5 ]]
    has_not "reference"
}

@test "explain draws bank conflicts pass by pass" {
    grade explain lab7 reference/ladder/lab7_transpose/1_tile.cu
    [ "$status" -eq 0 ]
    has "load from 'tile' in 16 passes through the banks, where 1 would do"
    has "pass 2   1 17"
}

@test "explain is the same each time, whatever the number of threads" {
    "$GRADE" explain lab3 reference/lab3_syncthreads.cu --threads 1 >"$dir/one"
    "$GRADE" explain lab3 reference/lab3_syncthreads.cu --threads 3 >"$dir/three"
    cmp "$dir/one" "$dir/three"
}

@test "who has passed sees the reference's access beside his own, nobody else" {
    cp reference/ladder/lab0_coalescing/"$(ls reference/ladder/lab0_coalescing | head -1)" "$SUBMISSION/lab0_coalescing.cu"
    grade explain lab0
    [ "$status" -eq 0 ]
    has_not "The reference's"
    "$GRADE" lab0 "$SUBMISSION/lab0_coalescing.cu" >/dev/null || true
    cp reference/lab0_coalescing.cu "$SUBMISSION/lab0_coalescing.cu"
    "$GRADE" lab0 >/dev/null
    grade explain lab0
    has "The reference's"
}

@test "explain of what does not build, or of no lab: said so" {
    echo 'nonsense' >"$dir/bad.cu"
    grade explain lab0 "$dir/bad.cu"
    [ "$status" -eq 1 ]
    has "bad.cu"
    grade explain
    [ "$status" -eq 2 ]
    has "./grade explain lab7"
    grade explain lab77
    [ "$status" -eq 2 ]
}

@test "colour only where it is wanted" {
    grade explain lab0 reference/lab0_coalescing.cu
    has_not $'\033'
    grade explain lab0 reference/lab0_coalescing.cu --color=always
    has $'\033['
}

@test "explain --svg writes a picture that stands alone" {
    grade explain lab7 labs/lab7_transpose/baseline.cu --svg "$dir/a.svg"
    [ "$status" -eq 0 ]
    [ -z "$output" ]
    [ "$(grep -c '<title>lane ' "$dir/a.svg")" -eq 32 ]
    grade explain lab7 reference/ladder/lab7_transpose/1_tile.cu --figure banks:21
    has "<?xml"
    has ">pass 16<"
    grade explain lab7 labs/lab7_transpose/baseline.cu --figure occupancy
    has "occupancy"
    grade explain lab7 labs/lab7_transpose/baseline.cu --figure banks
    [ "$status" -eq 2 ]
    grade explain lab7 labs/lab7_transpose/baseline.cu --figure tea
    [ "$status" -eq 2 ]
    has "sectors, banks, occupancy or grid"
    grade explain lab7 labs/lab7_transpose/baseline.cu --figure grid
    has "blocks: "
    has "60 MB"
}

@test "explain --help lists every picture, and a host lab has its timeline" {
    grade explain --help
    for picture in sectors banks occupancy grid timeline; do has "$picture"; done
    grade explain lab8 reference/lab8_devices.cu --figure timeline
    [[ $output != *"sandbox is too weak"* ]] || skip "the sandbox is too weak here"
    [ "$status" -eq 0 ]
    has "<?xml"
    has "1: copy to the device"
    grade explain lab8 labs/lab8_devices/baseline.cu --figure grid
    [ "$status" -eq 2 ]
    has "timeline"
}
