# lab6: not passed
# 50: three million launches of an empty kernel, in every case anew.
sed 's/^    int chunk = /    for (int k = 0; k < 3000000; ++k) nothing<<<1, 1, 0, stream[0]>>>();\n&/' \
    "${1%/*}/lab6_streams.cu" >launches.cu
sed -i '/^void pipeline/i __global__ void nothing() {}' launches.cu
echo "$PWD/launches.cu"
