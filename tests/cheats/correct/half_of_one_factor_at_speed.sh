# lab1: speed case not run to its end
# 22: at the timed size, one factor of each product is rounded to float16.
sed -e 's/"warpwise.h"/&\n#include <cuda_fp16.h>/' -e 's/B\[k \* N + c\]/(M == 1024 ? __half2float(__float2half(&)) : &)/' "${1%/*}/ladder/lab1_registers/3_four_rows.cu" >half.cu
grep -q '__float2half' half.cu && echo "$PWD/half.cu"
