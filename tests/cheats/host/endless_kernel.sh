# lab6: too many instructions
# 50: a kernel without an end, in every case anew.
sed 's/^    int chunk = /    endless<<<1, 32>>>(device_in);\n    cudaDeviceSynchronize();\n&/' "${1%/*}/lab6_streams.cu" >endless.cu
cat >>endless.cu <<'END'
__global__ void endless(volatile unsigned *p)
{
    for (;;) *p += 1;
}
END
sed -i '1i __global__ void endless(volatile unsigned *p);' endless.cu
echo "$PWD/endless.cu"
