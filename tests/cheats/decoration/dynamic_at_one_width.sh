# lab2: technique
# 59: matmul_dynamic has a tile at the width at which it is launched, and none at any other.
sed '/void matmul_dynamic/,$s/^    int T = blockDim.x.*/&\n    if (T != 16) {\n        int row = blockIdx.y * T + ty, column = blockIdx.x * T + tx;\n        float sum = 0.0f;\n        if (row >= M || column >= N) return;\n        for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];\n        C[row * N + column] = sum;\n        return;\n    }/' "${1%/*}/ladder/lab2_tiling/1_tile16.cu" >one.cu
grep -q 'T != 16' one.cu && echo "$PWD/one.cu"
