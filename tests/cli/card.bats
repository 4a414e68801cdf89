#!/usr/bin/env bats
# With a card, without one: the driver and NVML of tests/card stand in for a machine's, and everything above them is what
# a card's owner starts. What only hardware can show is tested by "make test-gpu".
# needs: tests/card/libcuda.so.1 tests/card/libnvidia-ml.so.1

setup() {
    [ ! -e /dev/nvidiactl ] || skip "there is a true card"
    [ -n "$(type -P clang)" ] || skip "clang is not here, whose PTX the stand-in reads"
    GRADE=${GRADE:-$PWD/build/release/grade}
    BUILD=${BUILD:-build/release}
    driver=$BATS_TEST_TMPDIR
    ln -s "$PWD/$BUILD"/tests/card/lib*.so.1 "$driver/"
    export WARPWISE_COMPILER=clang LD_LIBRARY_PATH=$driver
    ref=reference/lab5_syncwarp.cu
}
is() { printf '%s\n' "$@" >"$driver/card.txt"; }
# Graded on the card; the report's part that the query names.
grade() { run "$GRADE" "$@" --no-sandbox; }
report() { jq -r "$1" "$BATS_TEST_TMPDIR/report.json"; }
has() { [[ $output == *"$1"* ]] || { echo "no '$1' in: $output"; return 1; }; }

@test "doctor names the card, its clock, and what to do on a card that is no H200" {
    grade doctor
    [ "$status" -eq 0 ]
    has "Fake One, sm_80, 40 multiprocessors, driver for CUDA 13.0"
    has "1000 of 1000 MHz"
    has "./grade calibrate"
    echo "1 3" >"$driver/health.txt"
    grade doctor
    has "600 of 1000 MHz, held down by heat or power"
    has "2 other processes compute on the card"
    is "driver 0"
    grade doctor
    has "the driver finds no card"
}

@test "speed comes from the card, safety and technique from the simulator" {
    grade lab5 "$ref" --json "$BATS_TEST_TMPDIR/report.json"
    [ "$status" -eq 0 ]
    has "measured on Fake One: 32 pairs"
    [ "$(report '.passed and .score.total == 100 and (.speed.speedup * 10 | round) == 100 and (.speed.model | not)')" = true ]
}

# bats test_tags=rest
@test "a card is used at every level of the sandbox" {
    for level in landlock seccomp none; do
        WARPWISE_SANDBOX=$level grade lab5 "$ref"
        [ "$status" -eq 0 ]
        has "measured on Fake One"
    done
}
@test "a card that is older than the PTX that is simulated gets its own; other cards' thresholds are refused" {
    is "title Tesla Fake T4" "capability 75"
    grade lab5 "$ref"
    [ "$status" -eq 0 ]
    has "measured on Tesla Fake T4"
    [[ $BUILD == */release && ! -e calibration.json ]] || return 0
    local kit=$BATS_TEST_TMPDIR/kit
    mkdir -p "$kit/build/release" "$kit/grader"
    cp "$GRADE" "$BUILD"/runner-* "$kit/build/release/"
    ln -s "$PWD/labs" "$PWD/reference" "$kit/"
    ln -s "$PWD/grader/kit" "$kit/grader/"
    jq '.card.title = "Tesla Other"' reference/measured/h200.json >"$kit/calibration.json"
    run "$kit/build/release/grade" lab5 "$ref" --no-sandbox
    [ "$status" -eq 2 ]
    has "the thresholds were calibrated for Tesla Other, and the card is Tesla Fake T4: run './grade calibrate'"
    jq '.card.title = "Tesla Fake T4" | .thresholds.lab5 = {lesson: 14.12, furthest: 20}' reference/measured/h200.json >"$kit/calibration.json"
    run "$kit/build/release/grade" lab5 "$ref" --no-sandbox
    [ "$status" -eq 1 ]
    has "to pass 12.00 ×"
}

# bats test_tags=rest
@test "a card that is hot or busy is not believed: the simulator's time counts, and the report says so" {
    for health in "1 1" "0 3"; do
        echo "$health" >"$driver/health.txt"
        grade lab5 "$ref" --json "$BATS_TEST_TMPDIR/report.json"
        [ "$status" -eq 0 ]
        [ "$(report .speed.model)" = true ]
        has "simulated speed"
        [[ $health == 1* ]] && has "held the card's clock down" || has "others computed on the card"
    done
}

@test "a fault on the card is the kernel's; the next is graded as before" {
    is "fails 700"
    grade lab5 "$ref" --json "$BATS_TEST_TMPDIR/report.json"
    [ "$status" -eq 1 ]
    [ "$(report .refused[])" = "stopped on the card" ]
    [[ $(report .speed.card.message) == *"CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered" ]]
    has "does not count"
    rm "$driver/card.txt"
    grade lab5 "$ref"
    [ "$status" -eq 0 ]
}

@test "a time that no memory allows is not believed" {
    is "us 1"
    grade lab5 "$ref" --json "$BATS_TEST_TMPDIR/report.json"
    has "the time is below what the card's memory can do"
    [ "$(report .speed.model)" = true ]
}

# Labs 6 and 8: their programs sit rounds on the stand-in, small ones. Its streams take true time, so that of the speed
# nothing is asked but whose it is.
host_lab() { # host_lab LAB FILE WORD…
    local lab=$1 file=$2
    shift 2
    is "memory 67108864" "$@"
    run "$GRADE" "$lab" "$file" --no-sandbox --json "$BATS_TEST_TMPDIR/report.json"
    [ "$status" -le 1 ] || { echo "$output"; return 1; }
}
# Where others are at work besides, times are what they are: then there is nothing to see here.
measured() {
    for busy in "the baseline was slower than before" "below what the card's engines can do"; do
        [[ $output != *"$busy"* ]] || skip "this machine is too busy: $busy"
    done
    has "measured on Fake One"
    [ "$(report '.speed.model == false and .speed.card.end == "done" and .speed.predicted > 1.5')" = true ]
}

@test "a host lab's speed comes from the card, and all outputs of its rounds are compared" {
    host_lab lab6 reference/ladder/lab6_streams/3_four_streams.cu "slip 300000" # the baseline launches 524288
    [ "$status" -eq 1 ]
    [ "$(report '.refused[]')" = "wrong output on the card" ]
    has "an output that was timed is wrong"
    host_lab lab6 reference/ladder/lab6_streams/3_four_streams.cu
    measured
}

# bats test_tags=rest
@test "a host lab on two cards; on one the simulator's time counts, and the report says so" {
    host_lab lab8 reference/lab8_devices.cu
    [ "$status" -eq 0 ]
    has "the lab takes 2 cards, and this machine has 1"
    [ "$(report .speed.model)" = true ]
    host_lab lab8 reference/lab8_devices.cu "cards 2"
    measured
}

# bats test_tags=rest
@test "what a card cannot follow is judged by the simulator's time, with its reason" {
    local file
    for row in "0_pageable:are not page-locked" "arrays:outside of its card's memory" "own:a kernel of its own, 'mine'" \
        "sometimes:not all outputs came by copies" "refused:not all outputs came by copies" "managed:managed memory"; do
        file=$BATS_TEST_TMPDIR/${row%%:*}.cu
        case ${row%%:*} in
        0_pageable) cp reference/ladder/lab6_streams/0_pageable.cu "$file" ;;
        # What follows is right on simulated devices, whose speed case is small, and other where arrays are long.
        arrays) sed 's/cudaMemcpy(device_in, in, bytes, cudaMemcpyHostToDevice);//
                     s/work<<<\(.*\)>>>(device_in, /work<<<\1>>>(in, /' labs/lab6_streams/baseline.cu >"$file" ;;
        own) sed 's/^static unsigned/extern "C" __global__ void mine() {}\n&/; s/^    if (n == 0) return;/&\n    mine<<<1, 1>>>();/' \
            labs/lab6_streams/baseline.cu >"$file" ;;
        sometimes) sed 's/^    cudaMemcpy(device_in/    static int round; if (!round++ || n < 100000)\n&/' \
            labs/lab6_streams/baseline.cu >"$file" ;;
        refused) sed 's/, 256>>>/, n > 500000 \&\& n != 4194304 ? 2048 : 256>>>/' labs/lab6_streams/baseline.cu >"$file" ;;
        managed) sed 's/^    cudaMalloc(&device_in, bytes)/    cudaMallocManaged(\&device_in, bytes + 4)/' \
            labs/lab6_streams/baseline.cu >"$file" ;;
        esac
        host_lab lab6 "$file"
        has "${row#*:}"
        [ "$(report '.speed.model and .speed.card.end == "unreliable"')" = true ]
    done
}

@test "a program that ends on the card alone is judged by the simulator's time" {
    sed 's/^    size_t bytes = .*/&\n    if (n > 500000 \&\& n != 4194304) abort();/; s/^#include "lab6.h"/&\n#include <stdlib.h>/' \
        labs/lab6_streams/baseline.cu >"$BATS_TEST_TMPDIR/ends.cu"
    host_lab lab6 "$BATS_TEST_TMPDIR/ends.cu"
    has "the program ended before its iterations were over"
    [ "$(report .speed.model)" = true ]
}

@test "a card's runner that ends is not taken for the program's end" {
    is "memory 67108864" "breaks 3"
    grade lab6 reference/ladder/lab6_streams/1_one_stream.cu
    [ "$status" -eq 2 ]
    has "the baseline's speed is not known: the card's runner ended before the program's iterations were over"
}
