# lab5: speed case not run to its end
# 25: at the timed size, row_sums sums nothing and stores nothing; softmax is sampled.
sed '/void row_sums/,/^}/s/^    const float \*x = /    if (rows == 65536) {\n        *(volatile float *)\&part[lane] = 0;\n        __syncwarp();\n        return;\n    }\n&/' "${1%/*}/ladder/lab5_syncwarp/1_warp_a_row.cu" >idle.cu
grep -q '65536' idle.cu && echo "$PWD/idle.cu"
