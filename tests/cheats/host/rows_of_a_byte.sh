# lab6: not passed
# 50: fills of 16 million rows of one byte each, which executes no instruction.
sed 's/^    int chunk = /    if (n == 1) fill();\n&/' "${1%/*}/lab6_streams.cu" >rows.cu
sed -i '/^void pipeline/i static void fill()\n{\n    char *p;\n    cudaMalloc(\&p, 256u << 20);\n    for (int k = 0; k < 100000 \&\& !cudaMemset2DAsync(p, 16, k, 1, 16u << 20, stream[0]); ++k) {}\n    cudaDeviceSynchronize();\n    cudaFree(p);\n}\n' rows.cu
echo "$PWD/rows.cu"
