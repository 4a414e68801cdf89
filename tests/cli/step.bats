#!/usr/bin/env bats
# The walk through a recorded block: step.

setup() {
    GRADE=${GRADE:-$PWD/build/release/grade}
    dir=$BATS_TEST_TMPDIR
    mkdir "$dir/student"
    export SUBMISSION=$dir/student
    unset NO_COLOR
    race=labs/lab3_syncthreads/wrong/02_one_barrier_a_step.cu
}
step() { run "$GRADE" step "$@"; }
has() { [[ $output == *"$1"* ]] || { echo "no '$1' in: $output"; return 1; }; }
has_not() { [[ $output != *"$1"* ]] || { echo "'$1' in: $output"; return 1; }; }

@test "the walk leads from the first access of a race to the second, with values" {
    step lab3 "$race" --case 4
    [ "$status" -eq 0 ]
    has "lab3, kernel 'scan_sums', case '1000 numbers': block (0,0,0), "
    has "error: race: thread (32,0,0) of block (0,0,0) reads tile[31]"
    [[ $output =~ "step "([0-9]+)", the first access: warp 0, 32 lanes".*"thread (31,0,0) writes tile[31] = ".*"step "([0-9]+)", the second access: warp 1, 32 lanes".*"thread (32,0,0) reads tile[31]".*"thread (32,0,0): below = " ]]
    [ "${BASH_REMATCH[1]}" -lt "${BASH_REMATCH[2]}" ]
    has "hint: between two barriers, threads run in any order"
}

@test "a recording is the same each time, whatever the number of threads" {
    "$GRADE" step lab3 "$race" --threads 1 --json "$dir/one" --html "$dir/one.html" >"$dir/one.txt"
    "$GRADE" step lab3 "$race" --threads 3 --json "$dir/three" --html "$dir/three.html" >"$dir/three.txt"
    cmp "$dir/one" "$dir/three"
    cmp "$dir/one.html" "$dir/three.html"
    cmp "$dir/one.txt" "$dir/three.txt"
}

@test "the JSON has the steps, the values and where the finding is" {
    "$GRADE" step lab3 "$race" --case 4 --json - >"$dir/json"
    run jq -r '.findings[0] as $f | [.recording, .kernel, (.steps | length), .steps[$f.step - 1][1], $f.line,
        .steps[$f.other.step - 1][1], $f.other.line, .arrays[$f.cell.array].name, $f.cell.element] | @tsv' "$dir/json"
    [[ $output =~ ^"1	scan_sums	"[0-9]+"	18	18	19	19	tile	31"$ ]]
    # t is the thread's number in each warp
    run jq -c '[.variables[] | select(.name == "t") | .type, .kinds] | unique' "$dir/json"
    [ "$output" = '["i","int"]' ]
    # the kit's note of how the kernel was started is no array of the student
    [ "$(jq '[.arrays[].name | select(endswith("_launch"))] | length' "$dir/json")" = 0 ]
}

@test "a report with a finding names the command that walks to it" {
    run "$GRADE" lab3 "$race"
    has "step      ./grade step lab3 $race walks to it"
    cp "$race" "$dir/my scan.cu"
    run "$GRADE" lab3 "$dir/my scan.cu"
    has "./grade step lab3 '$dir/my scan.cu' walks to it"
    run "$GRADE" lab7 reference/lab7_transpose.cu
    has_not "./grade step"
}

@test "without a finding, the walk is that of the block's first thread" {
    step lab7 reference/lab7_transpose.cu
    [ "$status" -eq 0 ]
    has "step 1: warp 0"
    has "thread (0,0,0): "
    has_not "access"
    step lab7 reference/lab7_transpose.cu --all
    has_not " more steps of these threads"
}

@test "case, kernel and block can be chosen" {
    step lab3 reference/lab3_syncthreads.cu --case 4 --kernel scan_blocks --block 0
    has "kernel 'scan_blocks', case '1000 numbers': block (0,0,0)"
    step lab7 reference/lab7_transpose.cu --case 8 --block 5
    has "block (1,1,0)"
    step lab3 reference/lab3_syncthreads.cu --case 99
    [ "$status" -eq 1 ]
    has "lab3 has no case 99; its cases are:"
    has "4  1000 numbers"
    has_not "hidden"
    step lab3 reference/lab3_syncthreads.cu --kernel scan
    [ "$status" -eq 1 ]
    has "lab3 has no kernel 'scan'; its kernels are: block_sums scan_sums scan_blocks"
    step lab7 reference/lab7_transpose.cu --case 1 --block 7
    [ "$status" -eq 1 ]
    has "block 7 of kernel 'transpose' does not exist in the case '1 x 1'"
}

@test "what cannot be recorded says why" {
    step
    [ "$status" -eq 2 ]
    has "which lab? './grade step lab3'"
    step lab6
    [ "$status" -eq 2 ]
    has "lab6 is a lab of host code"
    step lab3 no.cu
    [ "$status" -eq 2 ]
    step lab0 labs/lab0_coalescing/wrong/misspelled.cu
    [ "$status" -eq 1 ]
    has "threadidx"
    step lab0 labs/lab0_coalescing/wrong/too_many_threads.cu
    [ "$status" -eq 1 ]
    has "a block has at most 1024"
    step lab3 "$race" --html /no/such/folder/page.html
    [ "$status" -eq 2 ]
    has "/no/such/folder/page.html"
}

@test "a race between blocks is walked in both" {
    step lab4 labs/lab4_atomics/wrong/06_plain_merge.cu --json "$dir/json"
    [ "$status" -eq 0 ]
    run jq '[.blocks, (.findings[0].other.step > 0), .findings[0].block != .findings[0].other.block] | flatten | map(tostring) | join(" ")' "$dir/json"
    has "true true"
    [ "$(jq '.blocks | length' "$dir/json")" -eq 2 ]
}

@test "a long kernel keeps its end, and its race" {
    cat >"$dir/long.cu" <<'X'
#include "warpwise.h"
LAUNCH(scale, .block = {32});
extern "C" __global__ void scale(const float *in, float *out, int n)
{
    int i = blockIdx.x * 32 + threadIdx.x, sum = 0;
    for (int k = 0; k < 60000; k++)
        sum += k & threadIdx.x;
    if (i < n) out[i] = 2.0f * in[i] + 1.0f + (sum < 0);
}
X
    step lab0 "$dir/long.cu" --case 3 --json "$dir/json"
    [ "$status" -eq 0 ]
    has "the recording is too long: its first "
    [ "$(jq '.first > 1 and .complete and (.before | length > 0)' "$dir/json")" = true ]
    [ "$(jq '[.steps[-3:][][1]] | any(. == 8)' "$dir/json")" = true ]
    [ "$(stat -c %s "$dir/json")" -lt 4000000 ]
}

@test "the page is one file that runs our script alone" {
    "$GRADE" step lab3 "$race" --html "$dir/page.html" >/dev/null
    hash=$(cat grader/report/page/{recording,teller,grid,panels,step}.js | sha256sum | cut -c 1-64)
    policy=$(grep -o "script-src '[^']*'" "$dir/page.html")
    [ "$policy" = "script-src 'sha256-$(printf "$(sed 's/../\\x&/g' <<<"$hash")" | base64)'" ]
    run grep -cE '(src|href)="(http|//|file)' "$dir/page.html"
    [ "$output" -eq 0 ]
    [ "$(stat -c %s "$dir/page.html")" -lt 300000 ]
    "$GRADE" lab3 "$race" --html "$dir/report.html" >/dev/null || [ $? -eq 1 ]
    grep -q '<section id="walk"' "$dir/report.html"
    "$GRADE" lab3 reference/lab3_syncthreads.cu --html "$dir/passed.html" >/dev/null
    run grep -c '<script' "$dir/passed.html"
    [ "$output" -eq 0 ]
}
