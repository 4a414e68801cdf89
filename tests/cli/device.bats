#!/usr/bin/env bats
# occupancy, coalesce, doctor: what a device makes of a kernel or of an access.

setup() { GRADE=${GRADE:-$PWD/build/release/grade}; }
grade() { run "$GRADE" "$@"; }
has() { [[ $output == *"$1"* ]] || { echo "no '$1' in: $output"; return 1; }; }

@test "occupancy of a lab's kernels, and of one that is thought of" {
    grade occupancy lab2 reference/lab2_tiling.cu
    [ "$status" -eq 0 ]
    has "matmul: blocks of 256 threads (8 warps)"
    has "matmul_dynamic"
    has "<- the limit"
    grade occupancy --block 256 --registers 10 --shared 2048 --device textbook
    [ "$status" -eq 0 ]
    has "48 of 48 warps: occupancy 100 %"
    grade occupancy --block 256 --registers 11 --device textbook
    has "one block more from 10 registers a thread down"
}

@test "occupancy of what does not compile shows the errors" {
    echo 'extern "C" __global__ void matmul(' >"$BATS_TEST_TMPDIR/bad.cu"
    grade occupancy lab2 "$BATS_TEST_TMPDIR/bad.cu"
    [ "$status" -eq 1 ]
    has "error"
}

@test "coalesce draws sectors, and on gk110 transactions" {
    grade coalesce --stride 1
    [ "$status" -eq 0 ]
    has "1 request, 4 sectors in 1 lines, 128 bytes moved: 100 % of them used"
    grade coalesce --stride 32
    has "32 sectors in 32 lines"
    grade coalesce --device gk110 --stride 1
    has "1 transactions of 32, 64 or 128 bytes (0 replays)"
    # A scattered pattern: four accesses through the L1 against six past it, which move less.
    local scattered=0,64,128,288,352,416
    grade coalesce --device gk110 --cached --addresses $scattered
    has "4 accesses of 128 bytes through the L1 (3 replays), 512 bytes moved"
    grade coalesce --device gk110 --addresses $scattered
    has "6 transactions of 32, 64 or 128 bytes (5 replays), 192 bytes moved"
}

# bats test_tags=rest
@test "a tile of 16 loads a sixteenth" {
    grade lab2 reference/ladder/lab2_tiling/1_tile16.cu
    has "6.2 % of the baseline's bytes"
}

@test "bad input gets a sentence" {
    for wrong in "--stride 1 --addresses 0" "" "--addresses x" "--addresses 8-4" "--addresses 0-1024:4" "--stride 1 --bytes 3" \
        "--stride 1 --device riva128" "--stride 1 --cached" "--addresses 2" "lab1"; do
        grade coalesce $wrong
        [ "$status" -eq 2 ]
        [ -n "$output" ]
    done
    for wrong in "" "--block 256 lab2" "--device riva128 --block 32" "lab99"; do
        grade occupancy $wrong
        [ "$status" -eq 2 ]
    done
}

@test "doctor says what there is" {
    grade doctor
    [ "$status" -eq 0 ]
    has "sandbox"
    has "thresholds"
    [ -e /dev/nvidiactl ] || has "there is no NVIDIA driver"
    grade calibrate nonsense
    [ "$status" -eq 2 ]
}

# What another device allows is another figure, which the model carries over (make devices): where the model has moved
# on and the figures have not, a reference misses them.
# bats test_tags=rest
@test "every device can be graded on: the reference earns all points" {
    for device in a100 t4 rtx3060 gk110; do
        grade lab7 reference/lab7_transpose.cu --device $device --json "$BATS_TEST_TMPDIR/report"
        [ "$status" -eq 0 ]
        jq -e '.score | [.builds, .correct, .safe, .technique, .speed | .points == .of] | all' "$BATS_TEST_TMPDIR/report"
    done
}
