#!/usr/bin/env bats
# The commands as a user types them: each gets a clear answer and the exit code that it deserves (0 passed, 1 graded and
# not passed, 2 not graded).

setup() {
    GRADE=${GRADE:-$PWD/build/release/grade}
    dir=$BATS_TEST_TMPDIR
    mkdir "$dir/student"
    export SUBMISSION=$dir/student
    ref=$PWD/reference/lab0_coalescing.cu
    stub=$PWD/student_template/lab0_coalescing.cu
}
grade() { run "$GRADE" "$@"; }
has() { [[ $output == *"$1"* ]] || { echo "no '$1' in: $output"; return 1; }; }

@test "no argument: a short usage with the labs" {
    grade
    [ "$status" -eq 2 ]
    has "usage: ./grade LAB [FILE]"
    has "lab3 "
}

@test "--help, help and help on a command" {
    grade --help
    [ "$status" -eq 0 ]
    has "usage:"
    grade lab0 --help
    [ "$status" -eq 0 ]
    has "--json FILE"
    grade help hint
    [ "$status" -eq 0 ]
    has "--all"
    grade help nonsense
    [ "$status" -eq 2 ]
}

@test "--version" {
    grade --version
    [ "$status" -eq 0 ]
    [[ $output =~ ^warpwise\ [0-9] ]]
}

@test "list names every lab and what was reached" {
    grade list
    [ "$status" -eq 0 ]
    [ "$(grep -c '^lab' <<<"$output")" -eq "$(ls -d labs/*/ | wc -l)" ]
    has "0 of "
}

@test "next names the first lab that is not passed" {
    grade next
    [ "$status" -eq 0 ]
    has "lab0:"
    has "edit   $dir/student/lab0_coalescing.cu"
}

@test "one more hint each time, all on request" {
    grade hint lab3
    [ "$status" -eq 0 ]
    has "hint 1 of 3"
    [[ $output != *"hint 2 of 3"* ]]
    grade hint lab3
    has "hint 2 of 3"
    [[ $output != *"hint 3 of 3"* ]]
    grade hint lab5 --all
    has "hint 3 of 3"
    grade hint
    [ "$status" -eq 2 ]
}

@test "an unknown lab is answered with the nearest" {
    grade lba3
    [ "$status" -eq 2 ]
    has "is 'lab3' meant?"
    grade transpose
    has "is 'lab7' meant?"
    grade xyzzy12345
    [ "$status" -eq 2 ]
    has "./grade list"
}

@test "without a card --engine gpu grades nothing" {
    [ ! -e /dev/nvidiactl ] || skip "there is a card"
    grade lab0 "$ref" --engine gpu
    [ "$status" -eq 2 ]
    has "there is no card to measure on"
}

@test "an unknown option, a bad number, an engine that is not there" {
    grade lab0 --nonsense
    [ "$status" -eq 2 ]
    has "there is no option '--nonsense'"
    grade lab0 --seed many
    [ "$status" -eq 2 ]
    has "--seed"
    grade lab0 --seed -1
    [ "$status" -eq 2 ]
    grade lab0 --engine tpu
    [ "$status" -eq 2 ]
    has "auto|sim|gpu"
    grade lab0 --json
    [ "$status" -eq 2 ]
    grade lab0 "$ref" --device riva128
    [ "$status" -eq 2 ]
    has "riva128"
    grade lab0 a.cu b.cu
    [ "$status" -eq 2 ]
}

@test "a missing file is the operator's: exit 2" {
    grade lab0 "$dir/nothing.cu"
    [ "$status" -eq 2 ]
    has "there is no file"
    grade lab0
    [ "$status" -eq 2 ]
    has "make lab0"
    grade lab0 "$dir/student"
    [ "$status" -eq 2 ]
    mkfifo "$dir/fifo.cu"
    grade lab0 "$dir/fifo.cu"
    [ "$status" -eq 2 ]
    has "regular file"
    ln -s "$ref" "$dir/link.cu"
    grade lab0 "$dir/link.cu"
    [ "$status" -eq 2 ]
    has "symbolic link"
}

@test "what is no source is graded: score 0, exit 1, one clear sentence" {
    : >"$dir/empty.cu"
    head -c 1000 /bin/true >"$dir/binary.cu"
    head -c 10000000 /dev/zero | tr '\0' ' ' >"$dir/large.cu"
    echo 'int main() { return 0; }' >"$dir/host.cu"
    for file in empty:'is empty' binary:'not a source file' large:'10000000 bytes' host:"no kernel 'scale'"; do
        grade lab0 "$dir/${file%%:*}.cu"
        echo "$output"
        [ "$status" -eq 1 ]
        has "${file#*:}"
        has "score     0 of 100"
    done
}

@test "compile errors appear in the student's own file and line" {
    sed 's/out\[/outt[/' "$ref" >"$dir/typo.cu"
    line=$(grep -n 'outt\[' "$dir/typo.cu" | head -n 1 | cut -d: -f1)
    grade lab0 "$dir/typo.cu"
    [ "$status" -eq 1 ]
    has "typo.cu:$line"
    has "score     0 of 100"
    grade compile "$dir/typo.cu"
    [ "$status" -eq 1 ]
    has "typo.cu:$line"
}

@test "absurd launches: one clear sentence, score 0, exit 1" {
    for launch in '.block = {0}':'0 threads' '.block = {4096}':'4096 x 1 x 1 threads' \
        '.block = {256}, .shared = 1048576':'1048576 bytes of shared memory' \
        '.block = {256}, .shared = 4294967296':'4294967296 bytes of shared memory' \
        '.block = {-1}':'-1 x 1 x 1 threads' '.block = {256}, .tile = {-5}':'-5 elements in x'; do
        sed "s/^LAUNCH(.*/LAUNCH(scale, ${launch%%:*});/" "$ref" >"$dir/launch.cu"
        grade lab0 "$dir/launch.cu"
        echo "$output"
        [ "$status" -eq 1 ]
        has "${launch#*:}"
        has "score     0 of 100"
    done
    sed '/^LAUNCH/d' "$ref" >"$dir/launch.cu"
    grade lab0 "$dir/launch.cu"
    [ "$status" -eq 1 ]
    has "has no LAUNCH"
    sed 's/void scale(/void skale(/' "$ref" >"$dir/launch.cu"
    grade lab0 "$dir/launch.cu"
    [ "$status" -eq 1 ]
    has "there is no kernel 'scale'"
}

@test "an endless loop that races all the time ends soon" {
    printf '#include "warpwise.h"\nLAUNCH(scale, .block = {256});\n' >"$dir/endless.cu"
    sed -n '/^extern "C" __global__/,/^{/p' "$ref" >>"$dir/endless.cu"
    printf '    for (;;) out[0] = in[0];\n}\n' >>"$dir/endless.cu"
    grade lab0 "$dir/endless.cu"
    echo "$output"
    [ "$status" -eq 1 ]
    has "too many instructions"
    has "score     9 of 100"
}

@test "the reference passes, from any directory, and the record keeps it" {
    cp "$ref" "$dir/student/"
    cd /
    grade lab0
    echo "$output"
    [ "$status" -eq 0 ]
    has "passed"
    grade list
    [[ $output =~ lab0\ +[0-9]+\ +passed ]]
    grade next
    has "lab1:"
}

@test "the stub does not pass, and is told what to do" {
    grade lab0 "$stub"
    [ "$status" -eq 1 ]
    has "not passed"
    has "next "
}

# bats test_tags=rest
@test "a directory stands for the lab's file in it" {
    cp "$stub" "$dir/lab0_coalescing.cu"
    grade lab0 "$dir"
    [ "$status" -eq 1 ]
    has "$dir/lab0_coalescing.cu"
}

@test "the report is one screen, and has colour only when asked" {
    grade lab0 labs/lab0_coalescing/wrong/no_guard.cu
    [ "${#lines[@]}" -le 40 ]
    [[ $output != *$'\033'* ]]
    grade lab0 labs/lab0_coalescing/wrong/no_guard.cu --color=always
    [[ $output == *$'\033[31m'* ]]
    LC_ALL=C grade lab0 labs/lab0_coalescing/wrong/no_guard.cu
    ! grep -qP '[^\x00-\x7f]' <<<"$output"
}

@test "a finding has file, line, source, caret and hint" {
    file=labs/lab0_coalescing/wrong/no_guard.cu
    line=$(sed -n '1s/.*at line //p' $file)
    grade lab0 $file
    [ "$status" -eq 1 ]
    has "$file:$line"
    has ": error: out of bounds:"
    has " ^"
    has "hint: "
}

@test "the page folds a finding that follows from another one, as the terminal does" {
    grade lab7 tests/students/lab7/mistakes/08_barrier_in_branch.cu --hints rule --html "$dir/page.html"
    has "1 more finding follows from this one"
    [ "$(grep -c '<article id="finding-' "$dir/page.html")" -eq 2 ]
    [ "$(sed '/<details>/,/<\/details>/d' "$dir/page.html" | grep -c '<article id="finding-')" -eq 1 ]
}

# What editors read: VS Code's problem matcher $gcc, as the C/C++ extension defines it.
gcc_matcher='^(.*?):(\d+):(\d*):?\s+(?:fatal\s+)?(warning|error):\s+(.*)$'

arrives() { # arrives LAB FILE: each cause of the JSON report arrives in the editor at its line and column
    run "$GRADE" "$1" "$2" --engine sim --json "$BATS_TEST_TMPDIR/report.json"
    [ "$status" -eq 1 ]
    [ "$(jq '[.findings[] | select(.at.line > 0 and .follows == null)] | length' "$BATS_TEST_TMPDIR/report.json")" -gt 0 ]
    matched=$(grep -P "$gcc_matcher" <<<"$output" | grep -oP '^.*?:\d+:\d+: (error|warning): ')
    [ "$matched" = "$(jq -r '.findings[] | select(.at.line > 0 and .follows == null) |
        "\(.at.file):\(.at.line):\(.at.column): \({defect: "error", note: "warning"}[.severity]): "' "$BATS_TEST_TMPDIR/report.json")" ]
}

# bats test_tags=rest
@test "each finding arrives in VS Code at its line and column, on a narrow terminal too" {
    export COLUMNS=40
    arrives lab2 tests/students/lab2/mistakes/22_double_buffer_index.cu
    arrives lab6 tests/students/lab6/mistakes/04_kernel_without_stream.cu
}

@test "JSON: to a file beside the report, or to standard output instead of it" {
    grade lab0 "$stub" --json "$dir/report.json"
    [ "$status" -eq 1 ]
    has "not passed"
    [ "$(jq -r .schema "$dir/report.json")" = warpwise-report/1 ]
    [ "$(jq -r .passed "$dir/report.json")" = false ]
    "$GRADE" lab0 "$stub" --json - 2>/dev/null >"$dir/stdout" || true
    cmp "$dir/stdout" "$dir/report.json"
    grade lab0 "$stub" --json /nonexistent/report.json
    [ "$status" -eq 2 ]
}

# bats test_tags=rest
@test "the same submission and seed give the same bytes, whatever the number of threads" {
    file=labs/lab0_coalescing/wrong/no_guard.cu
    "$GRADE" lab0 $file --json - --threads 1 2>/dev/null >"$dir/one" || true
    "$GRADE" lab0 $file --json - --threads 3 2>/dev/null >"$dir/three" || true
    cmp "$dir/one" "$dir/three"
    "$GRADE" lab0 $file --json - --seed 7 2>/dev/null >"$dir/seven" || true
    [ "$(jq .seed "$dir/seven")" = 7 ]
    ! cmp -s "$dir/one" "$dir/seven"
}

# bats test_tags=rest
@test "--coverage writes what the cases executed, as lcov and genhtml read it" {
    "$GRADE" lab3 reference/lab3_syncthreads.cu --coverage "$dir/lines.info" >"$dir/text"
    ! grep -q 'no case ran' "$dir/text"
    run lcov --rc lcov_branch_coverage=1 --summary "$dir/lines.info"
    has "lines......: 100.0%"
    has "functions..: 100.0%"
    genhtml --quiet --branch-coverage --output-directory "$dir/html" "$dir/lines.info"
    find "$dir/html" -name 'lab3_syncthreads.cu.gcov.html' | grep -q .
    grade lab0 "$stub" --coverage /nonexistent/lines.info
    [ "$status" -eq 2 ]
}

@test "lines that no case ran are named" {
    printf '%s\n' '#include "warpwise.h"' 'LAUNCH(scale, .block = {256});' \
        'extern "C" __global__ void scale(const float *in, float *out, int n)' '{' \
        '    int i = blockIdx.x * blockDim.x + threadIdx.x;' '    if (n < -5) {' '        out[0] = 1;' \
        '        out[1] = 2;' '    }' '    if (i < n) out[i] = 2 * in[i] + 1;' '}' >"$dir/scale.cu"
    grade lab0 "$dir/scale.cu" --json "$dir/report.json" --coverage "$dir/lines.info"
    has "no case ran lines 7-" # to clang, the brace behind them is a line of theirs
    jq -e '.coverage.not_run == [[7,8]] or .coverage.not_run == [[7,9]]' "$dir/report.json"
    grep -q '^DA:7,0$' "$dir/lines.info"
    grep -q '^BRDA:6,0,[01],0$' "$dir/lines.info"
}

@test "hidden cases disclose neither names nor sizes" {
    "$GRADE" lab0 tests/cheats/hidden/sizes_by_outputs.cu --json "$dir/report.json" >"$dir/text" 2>&1 || true
    [ "$(jq -c '[.cases[] | select(.hidden)]' "$dir/report.json")" = \
        '[{"name":"hidden cases","hidden":true,"result":"wrong"}]' ]
    [ "$(grep -c 'hidden cases' "$dir/text")" -eq 2 ] # one line, and the advice
    grep -q 'hidden cases: not all right' "$dir/text"
    strings "$GRADE" | grep -q '^hidden: ' # the kinds of sizes are public, sizes are not in the program
    ! strings "$GRADE" | grep '^hidden: .*[0-9][0-9]'
}

@test "compile writes an image and says nothing else" {
    grade compile "$ref" -o "$dir/image.ptx"
    [ "$status" -eq 0 ]
    [ -z "$output" ]
    grep -q '\.entry scale' "$dir/image.ptx"
    grade compile "$ref" -o "$dir/plain.ptx" --unoptimised
    [ "$status" -eq 0 ]
    ! cmp -s "$dir/image.ptx" "$dir/plain.ptx"
    grade compile "$dir/nothing.cu"
    [ "$status" -eq 2 ]
}

# bats test_tags=rest
@test "a source is read in the encoding in which it was saved, and its lines are quoted right" {
    # A race, with a comment and a message that ASCII cannot write, in the line that the finding quotes.
    cat >"$dir/utf8.cu" <<'CODE'
#include "warpwise.h"
// 커널: 학생이 쓴 파일
LAUNCH(scale, .block = {128}, .tile = {128});
extern "C" __global__ void scale(const float *in, float *out, int n)
{
	int i = blockIdx.x * 128 + threadIdx.x;
	if (i < n) out[i] = 2.0f * in[i + 1]; // 한글 주석
}
CODE
    printf '\xef\xbb\xbf' | cat - "$dir/utf8.cu" >"$dir/mark.cu"
    iconv -f UTF-8 -t CP949 "$dir/utf8.cu" >"$dir/cp949.cu"
    (printf '\xff\xfe' && iconv -f UTF-8 -t UTF-16LE "$dir/utf8.cu") >"$dir/utf16le.cu"
    (printf '\xfe\xff' && iconv -f UTF-8 -t UTF-16BE "$dir/utf8.cu") >"$dir/utf16be.cu"
    sed 's/$/\r/' "$dir/utf8.cu" >"$dir/crlf.cu"
    printf %s "$(cat "$dir/utf8.cu")" >"$dir/short.cu"
    for compiler in nvcc clang; do
        tools/setup has $compiler || continue
        for file in cp949 short $([ $compiler = clang ] || echo mark utf16le utf16be crlf); do
            grade lab0 --compiler $compiler --json "$dir/report.json" --html "$dir/report.html" --junit "$dir/report.xml" "$dir/$file.cu"
            [ "$status" -eq 1 ]
            has "$file.cu:7:"
            has "if (i < n) out[i] = 2.0f * in[i + 1]; // 한글 주석"
            for report in json html xml; do iconv -f UTF-8 -t UTF-16 "$dir/report.$report" >/dev/null; done
        done
    done
    sed 's/한글 주석/d\xe9j\xe0 vu/; s/커널: 학생이 쓴 파일/\xc4pfel/' "$dir/utf8.cu" >"$dir/latin1.cu"
    grade lab0 "$dir/latin1.cu"
    has "in[i + 1]; // déjà vu"
}

@test "a file that is somebody else's, or no text: a clear sentence, and nothing of it is read" {
    cp "$ref" "$dir/one.cu"
    ln "$dir/one.cu" "$dir/two.cu"
    grade lab0 "$dir/two.cu"
    [ "$status" -eq 2 ]
    has "more than one name"
    printf '\xff\xfe// half of UTF-16' >"$dir/half.cu"
    grade lab0 "$dir/half.cu"
    [ "$status" -eq 1 ]
    has "half.cu:1:1: error: the byte 0xff here is not UTF-8"
    cp "$ref" "$dir/"$'a\nscore 100 of 100\e[31m.cu'
    grade lab0 "$dir/"$'a\nscore 100 of 100\e[31m.cu'
    [ "$status" -eq 0 ]
    has "a?score 100 of 100?[31m.cu"
}

@test "registers that ptxas spills are no registers: the technique of lab 1 is missing" {
    command -v nvcc >/dev/null || skip "nvcc is not here"
    sed 's/__launch_bounds__([^)]*)/__launch_bounds__(256, 8)/' reference/lab1_registers.cu >"$dir/spills.cu"
    cmp -s reference/lab1_registers.cu "$dir/spills.cu" && return 1
    WARPWISE_COMPILER=nvcc grade lab1 "$dir/spills.cu"
    [ "$status" -eq 1 ]
    has "bytes of registers spilled to local memory; none is allowed: let a thread keep"
    has "technique 0/15"
}

@test "--timing prints a table on standard error, and leaves the report as it is" {
    "$GRADE" lab0 "$ref" --engine sim >"$dir/plain"
    "$GRADE" lab0 "$ref" --engine sim --timing >"$dir/timed" 2>"$dir/table"
    cmp "$dir/plain" "$dir/timed"
    grep -q 'compile, both images$' "$dir/table"
    [ "$(grep -c 'case .*, unoptimised$' "$dir/table")" -gt 5 ]
    grep -q ' speed case, safety$' "$dir/table"
    tail -n 1 "$dir/table" | grep -qE '^ +0\.000 +[0-9]+\.[0-9]{3} +all$'
}

# bats test_tags=rest
@test "next speaks of the cause: the missed barrier, the early return, the idle device, the remainder" {
    grade lab3 labs/lab3_syncthreads/wrong/03_barrier_in_branch.cu --hints rule
    has "next      line 34: every thread of the block must reach the same __syncthreads()"
    grade lab2 tests/students/lab2/mistakes/09_early_return.cu
    has "hint: some threads of the block returned before the barrier"
    has "next      remove 'if (col >= N) return;' from line 17, so that every thread goes on"
    grade lab5 tests/students/lab5/mistakes/26_shuffle_in_strided_loop.cu
    has "next      move the statement of line 29 behind the loop of line 27"
    grade lab8 tests/students/lab8/mistakes/01_no_set_device.cu
    has "next      device 1 computes nothing: call cudaSetDevice(1)"
    grade lab8 tests/students/lab8/mistakes/06_remainder_dropped.cu
    has "one part must take the remainder"
    grade lab6 tests/students/lab6/mistakes/13_lost_remainder.cu
    has "one part must take the remainder"
}

@test "a first value or a guard that leaves the results wrong is not told" {
    sed '/scale(const float/,$d' "$ref" >"$dir/undefined.cu"
    echo 'extern "C" __global__ void scale(const float *in, float *out, int n)
{
    float x;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = x;
}' >>"$dir/undefined.cu"
    sed -i 's/^LAUNCH(.*/LAUNCH(scale, .block = {256});/' "$dir/undefined.cu"
    grade lab0 "$dir/undefined.cu"
    [ "$status" -eq 1 ]
    has "never written"
    [[ $output != *"(tried: "* ]]
}

@test "a change is told only if it was tried: split a statement, add atomically, move a barrier" {
    cat >"$dir/scan.cu" <<'CODE'
#include "warpwise.h"
#define THREADS 256
LAUNCH(block_sums, .block = {THREADS});
LAUNCH(scan_sums, .block = {THREADS});
LAUNCH(scan_blocks, .block = {THREADS});
extern "C" __global__ void block_sums(const unsigned *in, unsigned *sums, int n)
{
    __shared__ unsigned tile[THREADS];
    int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    tile[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int s = THREADS / 2; s > 0; s /= 2) {
        if (t < s) tile[t] += tile[t + s];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = tile[0];
}
extern "C" __global__ void scan_sums(unsigned *sums, int m)
{
    if (threadIdx.x) return;
    unsigned before = 0;
    for (int b = 0; b < m; b++) {
        unsigned sum = sums[b];
        sums[b] = before;
        before += sum;
    }
}
extern "C" __global__ void scan_blocks(const unsigned *in, const unsigned *sums, unsigned *out, int n)
{
    __shared__ unsigned tile[THREADS];
    int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    tile[t] = i < n ? in[i] : 0;
    __syncthreads();
    for (int d = 1; d < THREADS; d *= 2) {
        if (t >= d) tile[t] += tile[t - d];
        __syncthreads();
    }
    if (i < n) out[i] = tile[t] + sums[blockIdx.x];
}
CODE
    grade lab3 "$dir/scan.cu"
    has "next      line 35 reads and writes in one statement: read into a variable, then __syncthreads()"
    grade lab4 labs/lab4_atomics/wrong/01_lost_update.cu
    has "with atomicAdd(&"
    has "(tried: the finding is gone"
    grade lab3 labs/lab3_syncthreads/wrong/03_barrier_in_branch.cu
    has "move __syncthreads() from line 34 to a place behind the branch or loop that begins in line"
    grade lab4 labs/lab4_atomics/wrong/01_lost_update.cu --hints rule
    [[ $output != *"(tried"* ]]
}

# bats test_tags=rest
@test "a change is tried with the case that showed the finding, and lets threads go on that left too early" {
    grade lab0 tests/students/lab0/mistakes/07_wrong_step.cu # only the large case shows it
    has "next      line 9: write 'gridDim.x * blockDim.x' instead of 'blockDim.x'"
    grade lab4 tests/students/lab4/mistakes/22_wrong_mask.cu
    has "next      remove 'if (i >= n) break;' from line 18, so that every thread goes on, and load from
          global memory only if i < n"
}

# bats test_tags=rest
@test "a host program's wait is tried, and told if the finding is gone" {
    grade lab6 tests/students/lab6/mistakes/08_event_forgotten.cu
    has "next      record an event in stream[1] after line 34, and let stream[2] wait for it before line 36"
    grade lab8 tests/students/lab8/mistakes/04_no_wait.cu
    has "next      call cudaDeviceSynchronize() for each device at the end of the function, in line 33"
}

# bats test_tags=rest
@test "advice says what its trial proved: a tile that is too small, one that is not, and what is left" {
    run env JOBS=2 GRADE="$GRADE" tests/students/check lab1/46 lab1/47 lab2/mistakes/07 lab2/mistakes/25
    [[ $output != *"not ok"* ]] || { echo "$output"; false; }
    for file in lab1/46_rows_without_tile lab1/47_rows_whole_tile lab2/mistakes/07_stale_edge lab2/mistakes/25_edge_and_barrier; do
        [[ $output == *"$file.cu, "*": the advice"* ]] || { echo "no advice for $file: $output"; false; }
    done
}
