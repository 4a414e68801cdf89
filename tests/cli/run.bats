#!/usr/bin/env bats
# ./grade run: what a user sees of a program's run besides its own output. That programs run is for tests/programs.

bats_require_minimum_version 1.5.0

setup() {
    GRADE=${GRADE:-$PWD/build/release/grade}
    cd "$BATS_TEST_TMPDIR"
}
has() { # wherever lines are broken
    [[ $(tr -s ' \n' ' ' <<<"$output") == *"$(tr -s ' ' <<<"$1")"* ]] || { echo "no '$1' in: $output"; return 1; }
}

hazards() { # a program that reads too early, leaks, and never waits
    cat >hazards.cu <<'CODE'
#include <cstdio>
#include <cuda_runtime.h>
__global__ void fill(int *p, int n) { if (threadIdx.x < n) p[threadIdx.x] = 7; }
int main(int argc, char **argv)
{
    int *d, *h;
    cudaMalloc(&d, 4096);
    cudaMallocHost(&h, 4096);
    cudaStream_t s;
    cudaStreamCreate(&s);
    cudaMemcpyAsync(h, d, 4096, cudaMemcpyDeviceToHost, s);
    h[3] = 5;
    fill<<<1, 32, 0, s>>>(d, 32);
    if (argc > 2) fill<<<1, 2000>>>(d, 1);
    std::printf("arguments %d %s\n", argc, argc > 1 ? argv[1] : "");
    return 3;
}
CODE
}

@test "the program keeps its output and exit code, and nothing is said without need" {
    hazards
    run --separate-stderr "$GRADE" run hazards.cu one
    [ "$status" -eq 3 ]
    [ "$output" = "arguments 2 one" ]
    [ -z "$stderr" ]
}

@test "--check names the host's lines" {
    hazards
    run "$GRADE" run --check hazards.cu one two
    [ "$status" -eq 3 ]
    has "hazards.cu:12:5: error: early write: "
    has "byte 12 of the 4096 of 'h'"
    has "   12 |     h[3] = 5;"
    has "hazards.cu:11:5: note: "
    has "hazards.cu:13:5: error: never waited for: "
    has "hazards.cu:14:5: error: unchecked error: "
    has "cudaLaunchKernel: cudaErrorInvalidConfiguration"
    has "hazards.cu:7:5: warning: leaked memory: this memory is never freed: 4096 bytes of 'd'"
    has "hazards.cu:10:5: warning: leaked stream: "
}

@test "--check names a failed call that nobody looked at, and what it means here" {
    cat >failed.cu <<'CODE'
#include <cuda_runtime.h>
#define OK(call) if (call) last = 1
int last;
int main()
{
    int h = 0, *d;
    cudaMalloc(&d, sizeof h);
    OK(cudaMemcpy(d, &h, sizeof h, cudaMemcpyDeviceToHost));
    if (cudaSetDevice(7) != cudaSuccess) last = 2;
    cudaMemcpy(&h, d, 8,
               cudaMemcpyHostToDevice);
#ifdef LOOK
    if (cudaGetLastError()) last = 3;
#endif
    cudaFree(d);
    return 0;
}
CODE
    run "$GRADE" run --check --error-exitcode 9 failed.cu
    [ "$status" -eq 9 ]
    has "failed.cu:10:5: error: unchecked error: "
    has "cudaMemcpy: cudaErrorInvalidValue, the copy needs the kind cudaMemcpyDeviceToHost, but it is given the kind cudaMemcpyHostToDevice"
    [[ $output != *"failed.cu:8:"* && $output != *"failed.cu:9:"* ]]
    run "$GRADE" run --check --error-exitcode 9 -DLOOK failed.cu
    [ "$status" -eq 0 ]
    run "$GRADE" run failed.cu
    [ "$status" -eq 0 ]
}

@test "--check sees a race, on the image as written" {
    cat >race.cu <<'CODE'
#include <cuda_runtime.h>
__global__ void shift(int *p)
{
    __shared__ int s[64];
    s[threadIdx.x] = p[threadIdx.x];
    p[threadIdx.x] = s[63 - threadIdx.x];
}
int main()
{
    int *d;
    cudaMalloc(&d, 64 * sizeof(int));
    cudaMemset(d, 0, 64 * sizeof(int));
    shift<<<1, 64>>>(d);
    cudaError_t failed = cudaDeviceSynchronize();
    cudaFree(d);
    return failed;
}
CODE
    run "$GRADE" run --check race.cu
    [ "$status" -eq 0 ]
    has "race.cu:6:"
    has ": error: race: thread ("
    has "race.cu:13:5: note: launched here: shift"
    [ "$(grep -c hint: <<<"$output")" -eq 1 ] # one cause, though the read and the next write are races both
}

# bats test_tags=rest
@test "the heap of device code has bounds, and knows what was freed" {
    cat >heap.cu <<'CODE'
#include <cstdio>
#include <cstdlib>

__global__ void beyond(int n, int *out)
{
    int *p = (int *)malloc(n * sizeof *p);
    for (int i = 0; i <= n; i++)
        p[i] = i;
    *out = p[0];
    free(p);
}

__global__ void after(int *out)
{
    int *p = new int[4];
    p[0] = 1;
    delete[] p;
    *out = p[0];
}

__global__ void twice()
{
    int *p = new int;
    delete p;
    delete p;
}

__global__ void inside()
{
    int *p = (int *)malloc(16);
    free(p + 1);
}

__global__ void unset(int *out)
{
    int *p = (int *)malloc(16);
    *out = p[1] + 1;
    free(p);
}

__device__ int *shared_by_all;
__global__ void take()
{
    shared_by_all = new int[64];
}
__global__ void race(int *out)
{
    shared_by_all[threadIdx.x] = threadIdx.x;
    if (threadIdx.x == 0) *out = shared_by_all[63];
}
__global__ void give()
{
    shared_by_all[threadIdx.x] = threadIdx.x;
    if (threadIdx.x == 40) delete[] shared_by_all;
}

int main(int argc, char **argv)
{
    int *out, which = argc > 1 ? atoi(argv[1]) : 0;
    cudaMalloc(&out, sizeof *out);
    take<<<1, 1>>>();
    if (which == 1) beyond<<<1, 1>>>(8, out);
    if (which == 2) after<<<1, 1>>>(out);
    if (which == 3) twice<<<1, 1>>>();
    if (which == 4) inside<<<1, 1>>>();
    if (which == 5) unset<<<1, 1>>>(out);
    if (which == 6) race<<<1, 64>>>(out);
    if (which == 7) give<<<1, 64>>>();
    cudaDeviceSynchronize();
    cudaFree(out);
    return 0;
}
CODE
    lines_of() { grep -n "$1" heap.cu | sed 's/:.*//' | paste -sd ' '; }
    said() { # said WHICH LINE WORD [NOTE-LINE NOTE]: what the defect says, and the line of the other call
        run "$GRADE" run --check heap.cu "$1"
        [ "$status" -eq 0 ]
        grep -Eq "^heap.cu:$2(:[0-9]+)?: error: $3" <<<"$output"
        [ $# -lt 5 ] || grep -Eq "^heap.cu:$4(:[0-9]+)?: note: $5" <<<"$output"
    }
    run "$GRADE" run --check heap.cu 0 # one block is never given back: a leak of device code is no defect
    [ "$status" -eq 0 ]
    [ -z "$output" ]
    first=$(lines_of 'delete p;') # the two lines of the double free
    said 1 "$(lines_of 'p.i. = i;')" "out of bounds: .* writes malloc\(\)\[8\]" "$(lines_of malloc.n)" "the memory was allocated here"
    said 2 "$(lines_of 'out = p.0.' | sed 's/.* //')" "use after free: " "$(lines_of 'delete.. p;')" "the memory was freed here"
    said 3 "${first#* }" "double free: " "${first% *}" "the memory was freed here"
    said 4 "$(lines_of 'free(p + 1)')" "bad free: "
    said 5 "$(lines_of 'p.1. + 1')" "never written: "
    said 6 "$(lines_of 'shared_by_all.threadIdx' | sed 's/ .*//')" "race: "
    said 7 "$(lines_of '40) delete')" "race: " "$(lines_of 'shared_by_all.threadIdx' | sed 's/.* //')" "the other access"
}

@test "a fault of a kernel is told with its line without --check too" {
    cat >fault.cu <<'CODE'
#include <cstdio>
#include <cuda_runtime.h>
template <typename T> __global__ void store(T *p, int i) { p[i] = 1; }
int main()
{
    float *field;
    cudaMalloc(&field, 64);
    store<<<1, 1>>>(field, 16);
    std::puts(cudaGetErrorName(cudaDeviceSynchronize()));
    std::puts(cudaGetErrorName(cudaFree(field)));
    return 0;
}
CODE
    run "$GRADE" run fault.cu
    [ "$status" -eq 0 ]
    [ "${lines[0]}" = cudaErrorIllegalAddress ]
    [ "${lines[1]}" = cudaErrorIllegalAddress ]
    has "fault.cu:3:"
    has "out of bounds: thread (0,0,0) of block (0,0,0) writes field[16]: 'field' has 16 elements"
    has "fault.cu:8:5: note: launched here: store<float>"
}

@test "--profile: kernels and a timeline; --json has all of it" {
    hazards
    run "$GRADE" run --profile --json run.json hazards.cu
    [ "$status" -eq 3 ]
    has "kernels on a simulated h200"
    has "timeline: "
    has "kernels     |"
    [ "$(jq -r .schema run.json)" = warpwise-run/1 ]
    [ "$(jq -r '.kernels[0].name' run.json)" = fill ]
    [ "$(jq .exit_code run.json)" = 3 ]
    [ "$(jq '[.spans[] | .at.line] == [11, 13]' run.json)" = true ]
    [ "$(jq '.kernels[0].counters.global_st_requests' run.json)" = 1 ]
    "$GRADE" run --json again.json hazards.cu || true
    cmp run.json again.json
}

work() { # a program with a float kernel, launched twice, and one that does integer work only
    cat >work.cu <<'CODE'
#include <cuda_runtime.h>
__global__ void saxpy(int n, float a, const float *x, float *y) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i]; // <i>
}
__global__ void count(int *bins) { atomicAdd(&bins[threadIdx.x & 3], 1); }
int main(int argc, char **argv) {
    float *x, *y;
    cudaMalloc(&x, 1 << 20);
    cudaMalloc(&y, 1 << 20);
    cudaMemset(x, 0, 1 << 20);
    cudaMemset(y, 0, 1 << 20);
    saxpy<<<64, 256>>>(64 * 256, 2, x, y);
    saxpy<<<1024, 256>>>(1024 * 256, 2, x, y);
    count<<<4, 256>>>((int *)x);
    if (argc > 1) saxpy<<<1, 2000>>>(1, 2, x, y);
    cudaDeviceSynchronize();
    return argc > 1 ? 7 : 0;
}
CODE
}
part() { sed -n "/<section id=\"$1\"/,/<\/section>/p" "$2"; } # part SECTION PAGE

@test "--html writes a page: kernels, bounds, roofline, lines and timeline; nothing of it needs a network" {
    work
    "$GRADE" run work.cu --html work.html
    grep -q 'exit status 0' work.html
    ! grep -niE '<script|src=|@import|url\(|<link|https?://' work.html | grep -v 'www.w3.org/2000/svg'
    part kernels work.html >kernels
    [ "$(grep -c '<article' kernels)" -eq 2 ]
    grep -q '>saxpy</a></th><td class="number">2</td>' kernels
    grep -q '1024 × 256' kernels # of the longest launch
    [ "$(grep -c 'What would help most:' kernels)" -eq 2 ]
    grep -q 'Bottleneck: ' kernels
    part roofline work.html >roofline
    [ "$(grep -c '<circle' roofline)" -eq 1 ]
    grep -q 'only integer work: count' roofline
    part lines work.html | grep -q '<td class="line">4</td><td class="code">if (i &lt; n) y\[i\] = a \* x\[i\] + y\[i\]; // &lt;i&gt;'
    part timeline work.html | grep -q '<title>kernel, default stream, saxpy: '
    "$GRADE" run work.cu --threads 1 --html - | cmp - work.html
    LANGUAGE=ko LC_ALL= LANG=ko_KR.UTF-8 "$GRADE" run work.cu --html ko.html
    grep -q '<html lang="ko">' ko.html || ! type -P msgfmt
}

@test "--html: a program that fails, one without kernels, one whose kernels have no times, a page that cannot be written" {
    work
    run "$GRADE" run work.cu --html failed.html -- now
    [ "$status" -eq 7 ]
    grep -q 'exit status 7' failed.html
    part run failed.html | grep -q '<td>now</td>'
    part findings failed.html | grep -q 'work.cu:16:5: error: unchecked error: '
    "$GRADE" run --check work.cu --html checked.html || true
    ! grep -q 'Bottleneck' checked.html
    part lines checked.html | grep -q 'Shares are of the instructions'
    echo 'int main() { return 0; }' >none.cu
    "$GRADE" run none.cu --html none.html
    grep -q 'The program launched no kernel' none.html
    run "$GRADE" run none.cu --html nowhere/none.html
    [ "$status" -eq 2 ]
    has "cannot write 'nowhere/none.html': No such file or directory"
    run "$GRADE" run hopeless.cu --html "$PWD" # the file of the program is not looked for
    has "cannot write '$PWD': Is a directory"
    ! compgen -G "hopeless*"
}

@test "a launch that was made before on the same memory is not run anew, and counts as if it were" {
    cat >often.cu <<'CODE'
__global__ void spin(int *p, int n) { int x = 1; for (int i = 0; i < n; i++) x = x * 3 + p[32]; p[threadIdx.x] = x; }
int main(int count, char **) {
    int *p;
    cudaMalloc(&p, 256);
    cudaMemset(p, 1, 256);
    for (int i = 0; i < 6; i++) spin<<<1, 32>>>(p, 1000);
    for (int i = 0; i < 6 && count > 1; i++) { cudaMemset(p, i, 256); spin<<<1, 32>>>(p, 1000); }
    return cudaDeviceSynchronize();
}
CODE
    "$GRADE" run --json often.json often.cu
    [ "$(jq -c '.totals | [.launches, .recalled]' often.json)" = '[6,4]' ]
    "$GRADE" run --json one.json -- often.cu more
    [ "$(jq -c '.totals | [.launches, .recalled]' one.json)" = '[12,4]' ]
    [ "$(jq '.kernels[0].counters.global_ld_requests' one.json)" = "$(jq '.kernels[0].counters.global_ld_requests * 2' often.json)" ]
    "$GRADE" run --check --json checked.json often.cu || true
    [ "$(jq .totals.recalled checked.json)" = 0 ]
}

@test "a kernel's time: warm behind a copy or another kernel, the same with any number of threads, none with --no-time" {
    cat >warm.cu <<'CODE'
__global__ void sum(const float *in, float *out, int n) {
    float s = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += in[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
__global__ void again(const float *in, float *out, int n) {
    float s = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += in[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
__global__ void warm(const float *in, float *out, int n) {
    float s = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) s += in[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}
int main() {
    const int n = 1 << 20;
    float *fresh, *out, *copied, *host = (float *)calloc(n, 4);
    cudaMalloc(&fresh, n * 4);
    cudaMalloc(&copied, n * 4);
    cudaMalloc(&out, 132 * 256 * 4);
    cudaMemcpy(copied, host, n * 4, cudaMemcpyHostToDevice);
    sum<<<132, 256>>>(fresh, out, n);
    again<<<132, 256>>>(fresh, out, n);
    warm<<<132, 256>>>(copied, out, n);
    return cudaDeviceSynchronize();
}
CODE
    "$GRADE" run --threads 1 --json one.json warm.cu
    "$GRADE" run --threads 3 --json three.json warm.cu
    cmp one.json three.json
    of() { jq ".kernels[] | select(.name == \"$1\") | .$2" one.json; }
    [ "$(of sum counters.dram_ld_bytes)" = 4194304 ]
    [ "$(of again counters.dram_ld_bytes)" = 0 ]
    [ "$(of warm counters.dram_ld_bytes)" = 0 ]
    [ "$(of again time_ps)" -lt "$(of sum time_ps)" ]
    "$GRADE" run --no-time --json none.json warm.cu
    [ "$(jq -c '[.kernels[].counters.l2_ld_sectors]' none.json)" = '[0,0,0]' ]
    [ "$(jq -c '[.kernels[].counters.global_ld_sectors]' none.json)" = "$(jq -c '[.kernels[].counters.global_ld_sectors]' one.json)" ]
}

@test "a kernel on the host's memory takes the time of the link, which does not depend on what ran before" {
    cat >zero.cu <<'CODE'
__global__ void twice(const float *in, float *out) { int i = blockIdx.x * 256 + threadIdx.x; out[i] = 2 * in[i]; }
__global__ void again(const float *in, float *out) { int i = blockIdx.x * 256 + threadIdx.x; out[i] = 2 * in[i]; }
int main() {
    float *host, *device;
    cudaMallocHost(&host, 4 << 20);
    cudaMalloc(&device, 4 << 20);
    twice<<<4096, 256>>>(host, device);
    again<<<4096, 256>>>(host, device);
    return cudaDeviceSynchronize();
}
CODE
    "$GRADE" run --json zero.json zero.cu
    least=$(((4 << 20) * 1000000 / 55500)) # ps, at the profile's rate from the host
    [ "$(jq ".kernels | map(.time_ps >= $least and .time_ps < $least * 11 / 10) | all" zero.json)" = true ]
    [ "$(jq '.kernels | map(.counters.dram_ld_bytes == 0) | all' zero.json)" = true ]
    "$GRADE" run --html zero.html zero.cu
    [ "$(part kernels zero.html | grep -c 'Bottleneck: the link to the host')" -eq 2 ]
}

# bats test_tags=rest
@test "loads wait longer for DRAM beside stores, as on an H200" {
    cat >stream.cu <<'CODE'
template <bool STORES> __global__ void stream(const unsigned *p, unsigned *q, size_t n, unsigned *out)
{
    unsigned x = 0; // zero: each load waits for the one before it
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
        unsigned v;
        asm volatile("ld.global.u32 %0, [%1];" : "=r"(v) : "l"(p + i + x));
        x += v;
        if (STORES) q[i] = x;
    }
    if (x == 1) *out = x;
}
int main()
{
    const size_t bytes = 256 << 20;
    unsigned *p, *q, *out;
    cudaMalloc(&p, bytes);
    cudaMalloc(&q, bytes);
    cudaMalloc(&out, 4);
    cudaMemset(p, 0, bytes);
    stream<false><<<528, 256>>>(p, q, bytes / 4, out);
    stream<true><<<528, 256>>>(p, q, bytes / 4, out);
    return cudaDeviceSynchronize();
}
CODE
    "$GRADE" run --json stream.json stream.cu
    # tests/truth/h200_micro.txt, 1024 threads a multiprocessor: 1398 GB/s, and 1071 beside stores
    [ "$(jq -c '[.kernels | map(.time_ps / 1e3)[]] as [$alone, $beside] |
        [1398, 1071] | map(268435456 / .) as [$card, $both] |
        [$alone / $card, $beside / $both] | map(. > 0.95 and . < 1.05)' stream.json)" = '[true,true]' ]
}

@test "words of nvcc's command line before the files; what the kit has not is named" {
    echo '#include <cmath>
int main() { return N + (int)cbrt(27.0) - 8; }' >words.cu
    run "$GRADE" run -O3 -arch=sm_90 -lineinfo -gencode arch=compute_90,code=sm_90 -Xcompiler -Wall -D N=5 -lm words.cu -O3
    [ "$status" -eq 0 ]
    echo '#include <cuda.h>
int main() { return cuInit(0); }' >driver.cpp
    run "$GRADE" run driver.cpp
    [ "$status" -eq 1 ]
    has "the driver API (cu...) is not simulated"
    echo '#include <curand_kernel.h>
int main() {}' >sort.cu
    run "$GRADE" run --compiler clang sort.cu
    [ "$status" -eq 1 ]
    has "cuRAND comes with nvcc"
    echo 'int main() { cudaIpcMemHandle_t handle; return cudaIpcGetMemHandle(&handle, 0); }' >shared.cu
    run "$GRADE" run --compiler clang shared.cu
    [ "$status" -eq 1 ]
    has "memory that processes share (cudaIpc...) is not simulated"
}

@test "several files, and headers of the user's folders" {
    mkdir -p src inc
    echo 'int twice(int); __global__ void bad(int *p);' >inc/both.cuh
    printf '#include "both.cuh"\nstatic __device__ int counter = 1;\nstatic __global__ void one(int *p) { *p = N + counter; }\nint twice(int n) { int *d; cudaMalloc(&d, 4); one<<<1, 1>>>(d); int h; cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost); cudaFree(d); return n * h; }\n__global__ void bad(int *p) { p[1] = 0; }\n' >src/a.cu
    printf '#include "both.cuh"\n#include <cstdio>\nstatic __device__ int counter = 7;\nnamespace { __global__ void one(int *p) { *p = counter; } }\nint main() { int *d; cudaMalloc(&d, 4); one<<<1, 1>>>(d); int h; cudaMemcpy(&h, d, 4, cudaMemcpyDeviceToHost); std::printf("%%d %%d\\n", h, twice(5)); bad<<<1, 1>>>(d); cudaDeviceSynchronize(); return 0; }\n' >src/b.cu
    # host code alone: a name that device code has may be its own
    printf 'static unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }\nunsigned least() { return umin(3, 2) - umin(2, 3); }\n' >src/c.cpp
    for compiler in nvcc clang; do
        (cd "$OLDPWD" && tools/setup has $compiler) || continue
        run "$GRADE" run --compiler $compiler -I inc -DN=2 --html both.html src/a.cu src/b.cu src/c.cpp
        [ "$status" -eq 0 ]
        has "7 15"
        has "src/a.cu:5:"
        has "src/b.cu:5:1: note: launched here: bad"
        part lines both.html >lines
        grep -q '<td class="line">src/a.cu:3</td><td class="code">static __global__ void one' lines
        grep -q '<td class="line">src/b.cu:4</td><td class="code">namespace { __global__ void one' lines
    done
}

@test "a program built elsewhere: libcudart starts the grader, with options of the environment" {
    (cd "$OLDPWD" && tools/setup has nvcc) || skip "no nvcc"
    hazards
    nvcc=$(type -P nvcc || echo /usr/local/cuda/bin/nvcc)
    "$nvcc" -arch=compute_80 -code=compute_80 -Xcompiler -g -O2 -cudart shared -o own hazards.cu
    library=$(dirname "$(realpath "$GRADE")")/cudart
    LD_LIBRARY_PATH=$library WARPWISE_OPTIONS="--check --json own.json" run ./own
    [ "$status" -eq 3 ]
    [ "${lines[0]}" = "arguments 1 " ]
    has "hazards.cu:12:5: error: early write: "
    [ "$(jq -r .program own.json)" = own ]
    LD_LIBRARY_PATH=$library run ./own
    [ "$status" -eq 3 ]
    [ "$output" = "arguments 1 " ]
}

# No toolkit of CUDA 11 is needed: what differs are structs and two calls, which the kit's headers declare, too.
@test "a program of CUDA 11 finds its own libcudart: nothing is written behind its shorter structs" {
    kit=$(dirname "$(realpath "$GRADE")")
    cat >old.cpp <<'CODE'
#include <cstdio>
#include <cstring>
struct dim3 { unsigned x, y, z; };
#include <cuda_runtime_api.h>
static struct { cudaDeviceProp p; char after[512]; } one;
int main()
{
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t node;
    char log[8];
    int version;
    std::memset(&one, 7, sizeof one);
    if (cudaGetDeviceProperties(&one.p, 0) || cudaRuntimeGetVersion(&version)) return 2;
    for (char c : one.after)
        if (c != 7) return 3;
    if (cudaGraphCreate(&graph, 0) || cudaGraphInstantiate(&exec, graph, &node, log, sizeof log) || *log) return 4;
    cudaGraphExecUpdateResult result;
    if (cudaGraphExecUpdate(exec, graph, &node, &result) || result) return 5;
    std::printf("%d, %zu bytes, %d registers\n", version, sizeof one.p, one.p.regsPerBlock);
}
CODE
    g++ -DCUDART_VERSION=11080 -I"$OLDPWD/grader/kit/runtime" -o old old.cpp "$kit/cudart/libcudart.so.11.0"
    LD_LIBRARY_PATH=$kit/cudart run ./old
    echo "$output"
    [ "$status" -eq 0 ]
    [ "$output" = "11080, 728 bytes, 65536 registers" ]
}

ends() { # a program that ends in the way its argument names
    cat >ends.cu <<'CODE'
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>
__global__ void wait(int n) { if (threadIdx.x < n) __syncthreads(); else asm volatile("bar.sync 1, 64;"); }
__global__ void demand(int n) { assert(threadIdx.x < n); }
__global__ void add(int *p) { atomicAdd(p, 1); }
static struct holder { int *p; ~holder() { if (p) std::printf("%s\n", cudaGetErrorName(cudaFree(p))); } } last;
static void say(cudaError_t e) { std::printf("%s\n", cudaGetErrorName(e)); std::fflush(stdout); }
static int threads(int *d)
{
    std::vector<std::thread> all;
    for (int i = 0; i < 1000; ++i) all.emplace_back([=] { add<<<1, 1>>>(d); });
    for (auto &one : all) one.join();
    int n = 0;
    cudaMemcpy(&n, d, sizeof n, cudaMemcpyDeviceToHost);
    return n == 1000;
}
int main(int, char **argv)
{
    const char *how = argv[1];
    int *d;
    int go[2], first = !std::strcmp(how, "fork first");
    char byte;
    if (first && !pipe(go) && !fork()) {
        read(go[0], &byte, 1);
        cudaMalloc(&d, 4);
        _exit(0);
    }
    cudaMalloc(&d, 64);
    cudaMemset(d, 0, 64);
    if (first) {
        write(go[1], "!", 1);
        wait(nullptr);
        if (!fork()) execl("/proc/self/exe", argv[0], "again", nullptr);
        wait(nullptr);
        say(cudaFree(d));
    }
    if (!std::strcmp(how, "deadlock")) { wait<<<1, 64>>>(32); say(cudaDeviceSynchronize()); say(cudaFree(d)); }
    if (!std::strcmp(how, "assert")) { demand<<<1, 32>>>(30); say(cudaDeviceSynchronize()); say(cudaMalloc(&d, 4)); }
    if (!std::strcmp(how, "pointer")) return *d;
    if (!std::strcmp(how, "abort")) std::abort();
    if (!std::strcmp(how, "static")) last.p = d;
    if (!std::strcmp(how, "threads")) return threads(d);
    if (!std::strcmp(how, "fork")) {
        if (!fork()) { cudaMalloc(&d, 4); _exit(0); }
        wait(nullptr);
        if (!fork()) sleep(1000);
        say(cudaFree(d));
    }
    return 5;
}
CODE
}

@test "a program has shared memory of its own" {
    "$GRADE" doctor | grep -q '^sandbox *namespaces' || skip "bubblewrap does not work here"
    cat >shares.cu <<'CODE'
#include <cstdio>
#include <cuda_runtime.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>
int main()
{
    int made = shm_open("/warpwise-shares", O_CREAT | O_EXCL | O_RDWR, 0600), *devices = nullptr;
    if (made >= 0 && !ftruncate(made, 4096))
        devices = (int *)mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, made, 0);
    if (!devices) return 1;
    cudaGetDeviceCount(devices);
    std::printf("%d device\n", *devices);
}
CODE
    run "$GRADE" run shares.cu
    [ "$output" = "1 device" ]
    [ ! -e /dev/shm/warpwise-shares ]
}

# bats test_tags=rest
@test "however a program ends, it is said, and nobody is left behind" {
    ends
    run "$GRADE" run ends.cu deadlock
    [ "$status" -eq 5 ]
    [ "${lines[0]} ${lines[1]}" = "cudaErrorLaunchTimeout cudaErrorLaunchTimeout" ]
    has "ends.cu:10:"
    has ": error: deadlock: "
    run "$GRADE" run ends.cu assert
    [ "${lines[0]} ${lines[1]}" = "cudaErrorAssert cudaErrorAssert" ]
    has "assertion failed: thread (30,0,0) of block (0,0,0): threadIdx.x < n"
    run "$GRADE" run ends.cu pointer
    [ "$status" -eq 139 ]
    has "device pointer: host code uses a pointer to device memory: byte 0 of the 64 of 'd'"
    run "$GRADE" run ends.cu abort
    [ "$status" -eq 134 ]
    run "$GRADE" run ends.cu static
    [ "$status" -eq 5 ]
    [ "$output" = cudaErrorCudartUnloading ]
    run "$GRADE" run ends.cu threads
    [ "$status" -eq 1 ]
    run "$GRADE" run ends.cu fork
    [ "$status" -eq 5 ]
    has "a process that fork() made cannot use the devices of its parent"
    has "cudaSuccess"
    run "$GRADE" run --no-sandbox ends.cu "fork first"
    [ "$status" -eq 5 ]
    [ "$(grep -c "the simulated devices serve one process of a program, and another one has them already" <<<"$output")" -eq 2 ]
    has cudaSuccess
}

# ends STATUS WORD…: ./grade run WORD… ends with this status.
ends_with() {
    local wanted=$1
    shift
    run "$GRADE" run "$@"
    [ "$status" -eq "$wanted" ] || { echo "status $status, not $wanted: $output"; return 1; }
}
last() { # of the report
    [[ "${lines[-1]}" == "$1"* ]] || { echo "the last line is '${lines[-1]}'"; return 1; }
}

limits() { # a program that ends with the code that its second argument names, after it did what its first one names
    cat >limits.cu <<'CODE'
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
__global__ void wait(int n) { if (threadIdx.x < n) __syncthreads(); else asm volatile("bar.sync 1, 64;"); }
__global__ void store(int *p, int i) { p[i] = 1; }
#ifdef ODD
__global__ void odd() { asm volatile("tcgen05.wait::ld.sync.aligned;"); }
#else
__global__ void odd() { }
#endif
int main(int, char **argv)
{
    const char *how = argv[1];
    int *d;
    cudaMalloc(&d, 64);
    if (!std::strcmp(how, "nothing")) store<<<1, 1>>>(d, 1);
    if (!std::strcmp(how, "bad")) store<<<1, 1>>>(d, 16);
    if (!std::strcmp(how, "deadlock")) wait<<<1, 64>>>(32);
    if (!std::strcmp(how, "launch")) store<<<1, 2048>>>(d, 1);
    if (!std::strcmp(how, "asked")) { store<<<1, 2048>>>(d, 1); if (cudaGetLastError() == cudaSuccess) return 9; }
    if (!std::strcmp(how, "streams"))
        for (cudaStream_t s; cudaStreamCreate(&s) == cudaSuccess;) continue;
    if (!std::strcmp(how, "instruction")) { odd<<<1, 1>>>(); cudaGetLastError(); }
    cudaDeviceSynchronize();
    cudaFree(d);
    return std::atoi(argv[2]);
}
CODE
}

@test "a run in which something was refused or stopped does not end with 0, and the last line says why" {
    limits
    ends_with 0 limits.cu nothing 0
    ends_with 0 limits.cu asked 0
    ends_with 2 limits.cu deadlock 0
    last "limits.cu: incomplete run, exit status 2 instead of 0: a kernel was stopped, because its threads wait for each other"
    ends_with 2 limits.cu launch 0
    last "limits.cu: incomplete run, exit status 2 instead of 0: a launch was refused, and the program never asked for the error"
    ends_with 2 limits.cu streams 0
    last "limits.cu: incomplete run, exit status 2 instead of 0: the simulator holds at most 4096 streams"
    ends_with 2 -DODD limits.cu instruction 0
    last "limits.cu: incomplete run, exit status 2 instead of 0: "
    has "instruction 'tcgen05.wait::ld.sync.aligned' is not supported"
    ends_with 5 limits.cu deadlock 5
    last "limits.cu: incomplete run: a kernel was stopped"
}

@test "--error-exitcode is the status of a run with findings, and of no other" {
    limits
    ends_with 0 limits.cu bad 0
    ends_with 7 --error-exitcode 7 limits.cu bad 0
    ends_with 5 --error-exitcode 7 limits.cu bad 5
    ends_with 2 --error-exitcode 7 limits.cu deadlock 0
    ends_with 0 --error-exitcode 7 limits.cu nothing 0
    ends_with 2 --error-exitcode 256 limits.cu nothing 0
    has "--error-exitcode takes a number up to 255, not '256'"
}

# bats test_tags=rest
@test "a program runs on every device that is simulated, or no compiler is here for it" {
    for device in a100 gk110 h200 rtx3060 t4 textbook; do
        for compiler in nvcc clang; do
            (cd "$OLDPWD" && tools/setup has $compiler) || continue
            run "$GRADE" run --compiler $compiler --device $device "$OLDPWD/tests/programs/vector_add.cu"
            [ "$status" -eq 0 ] || { [ "$status" -eq 2 ] && has "this nvcc cannot compile for the device"; }
        done
    done
}
