# lab2: speed case not run to its end
# 25: matmul_dynamic has no tile, and does nothing in the corner where its technique is judged.
sed '/void matmul_dynamic/,$d' "${1%/*}/ladder/lab2_tiling/1_tile16.cu" >idle.cu
cat >>idle.cu <<'END'
extern "C" __global__ void matmul_dynamic(const float *A, const float *B, float *C, int M, int N, int K)
{
    int r = blockIdx.y * blockDim.y + threadIdx.y, c = blockIdx.x * blockDim.x + threadIdx.x;
    if (r >= M || c >= N || (M == 64 && N == 64 && K == 64)) return;
    float sum = 0.0f;
    for (int k = 0; k < K; k++) sum += A[r * K + k] * B[k * N + c];
    C[r * N + c] = sum;
}
END
echo "$PWD/idle.cu"
