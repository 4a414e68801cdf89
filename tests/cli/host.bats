#!/usr/bin/env bats
# Host labs as a user and as an attacker meets them: lab 6's times against a card's, how a program that does not come
# to its end is told, and what a hostile one gains.

setup() {
    dir=$(mktemp -d)
    cd "$BATS_TEST_DIRNAME/../.."
    card=tests/truth/h200_pipelines.txt
}
teardown() {
    rm -rf "$dir"
}

# Repairs, which take seconds, are tried in grade.bats.
grade() { # grade LAB [OPTION…] FILE: $code, $text, $json
    json=$dir/report.json
    code=0
    text=$("$GRADE" "$@" --hints rule --json "$json" 2>&1) || code=$?
    [[ $text != *"sandbox is too weak"* ]] || skip "the sandbox is too weak here"
}
ask() { jq -r "$1" "$json"; }
has() {
    [[ $text == *"$1"* ]] || {
        echo "no '$1' in: $text" >&2
        return 1
    }
}
# The reference of lab 6 with its pipeline() replaced by standard input's text.
program() {
    sed '/^void pipeline/,/^}/d' reference/lab6_streams.cu >"$dir/lab6.cu"
    cat >>"$dir/lab6.cu"
}

# Milliseconds of 16 MB each way on the card: a sixteenth of what 256 MB took.
on_card() { # on_card PIPELINE
    sed -n "s/^$1 \([0-9.]*\)$/\1/p" $card | awk '{ print $1 / 16 }'
}
near() { # near FILE PIPELINE PERCENT
    grade lab6 "$1"
    awk -v model="$(ask .speed.time_ps)" -v card="$(on_card "$2")" -v most="$3" -v what="$2" 'BEGIN {
        off = 100 * (model / 1e9 / card - 1)
        printf "%s: %.3f ms, on the card %.3f: %+.1f %%\n", what, model / 1e9, card, off
        exit !(off <= most && off >= -most)
    }'
}

# bats test_tags=rest
@test "a compiler that builds no program at all is the machine's fault, and no mark" {
    local home=$BATS_TEST_TMPDIR/cuda
    mkdir -p "$home/bin"
    printf '#!/bin/sh\n[ $1 != --version ] || { echo "release 12.0, V12.0.1"; exit; }\necho "ld: error: no -lcudart"\nexit 1\n' >"$home/bin/nvcc"
    chmod +x "$home/bin/nvcc"
    WARPWISE_COMPILER=$home/bin/nvcc run "$GRADE" lab6 reference/lab6_streams.cu
    echo "$output"
    [ "$status" -eq 2 ]
    [[ $output == *"nvcc 12.0 ('$home/bin/nvcc') does not work here: ld: error: no -lcudart"* ]]
}

@test "lab 6's ladder takes the card's times: page-locked within 10 %, pageable within 20 %" {
    near labs/lab6_streams/baseline.cu pinned 10
    near reference/ladder/lab6_streams/2_two_streams.cu "2 streams" 10
    near reference/ladder/lab6_streams/3_four_streams.cu "4 streams" 10
    near reference/ladder/lab6_streams/4_breadth_first.cu "16 streams, breadth first" 10
    near reference/lab6_streams.cu "16 streams" 10
    near reference/ladder/lab6_streams/0_pageable.cu pageable 20
}

@test "the timeline: a row an engine, the streams by their first use, JSON as the schema says" {
    grade lab6 reference/ladder/lab6_streams/2_two_streams.cu
    [ $code = 0 ]
    has "to device   |"
    has "kernels     |"
    has "to host     |"
    [ "$(ask '[.timeline.spans[].kind] | sort | unique | join(" ")')" = "kernel to device to host" ]
    [ "$(ask '[.timeline.spans[].stream] | unique | join(" ")')" = "1 2" ]
    [ "$(ask '.timeline.spans | map(.end_ps) | max')" -le "$(ask .timeline.time_ps)" ]
    [ "$(ask '.timeline.spans[0].line')" = "$(grep -n HostToDevice reference/ladder/lab6_streams/2_two_streams.cu | cut -d: -f1)" ]
}

# bats test_tags=rest
@test "the same program, the same bytes" {
    grade lab8 reference/lab8_devices.cu
    cp "$json" "$dir/once"
    grade lab8 reference/lab8_devices.cu
    cmp "$dir/once" "$json"
}

@test "a program that crashes, exits or prints without end is stopped, and not taken for right" {
    program <<'C'
void pipeline(const unsigned *in, unsigned *out, int n) { if (n) out[0] = device_in[0]; }
C
    grade lab6 "$dir/lab6.cu"
    [ $code = 1 ]
    has "ended by signal 11"
    program <<'C'
#include <csignal>
void pipeline(const unsigned *in, unsigned *out, int n) { raise(SIGXCPU); } // as who took too long
C
    grade lab6 "$dir/lab6.cu"
    [ $code = 1 ]
    has "took more than 5 seconds of the processor"
    has "not run, because the program did not end in a case before"
    program <<'C'
void pipeline(const unsigned *in, unsigned *out, int n) { exit(0); }
C
    grade lab6 "$dir/lab6.cu"
    [ $code = 1 ]
    has "before its outputs were handed in"
    program <<'C'
void pipeline(const unsigned *in, unsigned *out, int n) { for (;;) puts("passed: 100 of 100"); }
C
    grade lab6 "$dir/lab6.cu"
    [ $code = 1 ]
    [ "$(ask .score.correct.points)" = 0 ]
}

@test "a program that ends its simulator is not tried again" {
    file=$(cd "$dir" && bash "$OLDPWD/tests/cheats/host/forges_the_border.sh" "$OLDPWD/reference/lab6_streams.cu")
    grade lab6 "$file"
    [ $code = 1 ]
    has "the program ended the simulator"
    has "not run, because the program ended the simulator in a case before"
}

# bats test_tags=rest
@test "a program that waits without end is stopped, and one that launches or copies without end" {
    program <<'C'
#include <semaphore.h>
void pipeline(const unsigned *in, unsigned *out, int n)
{
    sem_t never;
    sem_init(&never, 0, 0);
    while (sem_wait(&never)) continue;
}
C
    grade lab6 "$dir/lab6.cu"
    [ $code = 1 ]
    has "the program waited for 4 seconds for something that did not come"
    has "not run, because the program did not end in a case before"
    program <<'C'
void pipeline(const unsigned *in, unsigned *out, int n) { for (;;) work<<<1024, 256>>>(device_in, device_out, 1 << 18); }
C
    grade lab6 "$dir/lab6.cu"
    [ $code = 1 ]
    has "67108864"
    program <<'C'
void pipeline(const unsigned *in, unsigned *out, int n)
{
    const size_t bytes = 64 << 20;
    char *from, *to;
    cudaMalloc(&from, bytes);
    cudaMalloc(&to, bytes);
    for (;;) cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToDevice);
}
C
    grade lab6 "$dir/lab6.cu"
    [ $code = 1 ]
    has "the program's calls gave its devices too much work"
}

# bats test_tags=rest
@test "the cases together have a time, too" {
    program <<'C'
#include <unistd.h>
void pipeline(const unsigned *in, unsigned *out, int n) { usleep(3500000); }
C
    grade lab6 "$dir/lab6.cu"
    [ $code = 1 ]
    has "no copy brought a result"
    [ "$(ask '[.cases[] | select(.message == "not run, because the cases before took too much time")] | length')" -gt 0 ]
}

@test "memory without end is refused as the real library does, and the machine goes on" {
    program <<'C'
void pipeline(const unsigned *in, unsigned *out, int n)
{
    int pinned = 0, on_device = 0;
    char *p[64], *d;
    while (cudaMallocHost(&p[pinned], 64 << 20) == cudaSuccess) ++pinned;
    cudaError_t error = cudaMalloc(&d, 64 << 20);
    for (int i = 0; i < pinned; ++i) cudaFreeHost(p[i]);
    while (cudaMalloc(&p[on_device], 64 << 20) == cudaSuccess) ++on_device;
    printf("%d page-locked, then %s; %d on the device\n", pinned, cudaGetErrorName(error), on_device);
    for (int i = 0; i < on_device; ++i) cudaFree(p[i]);
}
C
    grade lab6 "$dir/lab6.cu"
    [ $code = 1 ]
    has "7 page-locked, then cudaErrorMemoryAllocation; 7 on the device"
}

@test "calling the functions of the host test oneself gains nothing" {
    program <<'C'
#include <dlfcn.h>
// Stops the clock before the work is done.
void pipeline(const unsigned *in, unsigned *out, int n)
{
    if (n) ((int (*)())dlsym(RTLD_DEFAULT, "warpwise_end"))();
    for (int i = 0; i < n; ++i) out[i] = work_on(in[i]);
}
C
    grade lab6 "$dir/lab6.cu"
    [ $code = 1 ]
    [ "$(ask .score.correct.points)" -lt 10 ]
    program <<'C'
#include <dlfcn.h>
// Says that the host's own work is its share, which this lab does not have.
void pipeline(const unsigned *in, unsigned *out, int n)
{
    if (n) ((void (*)(const void *, unsigned long))dlsym(RTLD_DEFAULT, "warpwise_host_works"))(out, n * 4ul);
    for (int i = 0; i < n; ++i) out[i] = work_on(in[i]);
}
C
    grade lab6 "$dir/lab6.cu"
    [ $code = 1 ]
    [ "$(ask .score.correct.points)" -lt 10 ]
}

@test "commands about kernels say that a host lab has none" {
    for command in "occupancy lab8" "lab6 reference/lab6_streams.cu --coverage $dir/c"; do
        code=0
        text=$("$GRADE" $command 2>&1) || code=$?
        [ $code = 2 ]
        has "host code"
    done
}

@test "explain shows what the devices did for each line, right or wrong, and what was found" {
    text=$("$GRADE" explain lab6 reference/lab6_streams.cu 2>&1) || [[ $text == *"sandbox is too weak"* ]] || false
    [[ $text != *"sandbox is too weak"* ]] || skip "the sandbox is too weak here"
    has "more than one engine is at work during "
    line=$(grep 'cudaMemcpyAsync(device_in' <<<"$text")
    [[ $line =~ ^\ +[0-9.]+%\ +[0-9]+%\ +[0-9.]+\ +16.8M\ +16\  ]]
    text=$("$GRADE" explain lab6 student_template/lab6_streams.cu)
    has "100%" # one thing after the other: each is alone
    grep 'cudaMemcpy(out' <<<"$text" | grep -q 16.8M # the last call of its function, too
    text=$("$GRADE" explain lab6 labs/lab6_streams/wrong/06_no_event.cu)
    has "unordered streams"
    has "to host"
    "$GRADE" explain lab8 reference/lab8_devices.cu --svg "$dir/a.svg"
    grep -q "the host's share" "$dir/a.svg" || grep -q 'the host&#39;s share' "$dir/a.svg"
    echo nonsense >"$dir/lab6.cu"
    code=0
    text=$("$GRADE" explain lab6 "$dir/lab6.cu" 2>&1) || code=$?
    [ $code = 1 ]
}

@test "a file that does not build is the student's; make labN shows its errors" {
    echo 'void prepare(unsigned **in, unsigned **out, int n) { nonsense; }' >"$dir/lab6_streams.cu"
    grade lab6 "$dir/lab6_streams.cu"
    [ $code = 1 ]
    [ "$(ask .stage)" = build ]
    code=0
    "$GRADE" compile lab6 "$dir/lab6_streams.cu" || code=$?
    [ $code = 1 ]
    "$GRADE" compile lab8 reference/lab8_devices.cu
}

# Grades a correct submission of a lab twice: it must pass, with the same bytes each time.
always() { # always LAB [OPTION…] FILE
    for time in 1 2; do
        grade "$@"
        [ $code = 0 ] || {
            printf '%s: exit code %s\n%s\n%s\n' "$*" "$code" "$(ask '.cases[] | select(.result != "right")')" "$text" >&2
            return 1
        }
        [ $time = 1 ] && cp "$json" "$dir/once"
        cmp "$dir/once" "$json"
    done
}

# bats test_tags=rest
@test "lab 6: graphs from forked streams, threads, callbacks and event rings pass, with the same bytes each time" {
    always lab6 tests/students/lab6/forked_graph.cu
    has "8 streams besides the default one"
    always lab6 tests/students/lab6/thread_per_stream.cu
    always lab6 tests/students/lab6/callbacks.cu
    always lab6 tests/students/lab6/event_ring.cu
}

# bats test_tags=rest
@test "lab 6: whoever waits for what a callback signals has waited for the copy before it; staging in callbacks works" {
    always lab6 tests/students/lab6/11_host_func.cu
    always lab6 tests/students/lab6/42_staging_callbacks.cu
    grade lab6 tests/students/lab6/12_stream_callback.cu
    [ $code = 0 ]
    grade lab6 tests/students/lab6/43_captured_staging.cu
    [ "$(ask '.refused | join(", ")')" = "technique, too slow" ]
}

@test "lab 6: memory pools of several streams cost no device allocation each; memory freed in use is found" {
    grade lab6 tests/students/lab6/13_malloc_async.cu
    [ $code = 0 ]
    grade lab6 tests/students/lab6/mistakes/21_freed_while_in_use.cu
    has "freed in use"
}

# bats test_tags=rest
@test "lab 8: threads, futures, workers, callbacks and POSIX threads pass, with the same bytes each time" {
    for style in thread_per_device async_per_device promises workers callbacks yielding posix; do
        always lab8 tests/students/lab8/$style.cu
    done
}

# bats test_tags=rest
@test "lab 8: OpenMP sections run at the same time through both compilers, with the same bytes each time" {
    always lab8 tests/students/lab8/openmp_sections.cu
    [ -e /usr/lib/llvm-14/lib/libomp.so ] || skip "clang has no OpenMP library here"
    always lab8 --compiler clang tests/students/lab8/openmp_sections.cu
}

# bats test_tags=rest
@test "lab 8: an order that spinning makes is called undetermined, and costs no points" {
    grade lab8 tests/students/lab8/spinning.cu
    [ $code = 0 ]
    has "undetermined: the order of the host's threads may differ"
    has "100 of 100"
}
