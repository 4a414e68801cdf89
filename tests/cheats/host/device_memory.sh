# lab6: stopped
# 53: devices' memory until there is none, and all of it written.
sed 's/^    size_t bytes = n /    for (char *p; !cudaMalloc(\&p, 256u << 20);) cudaMemset(p, 1, 256u << 20);\n&/' \
    "${1%/*}/lab6_streams.cu" >memory.cu
grep -q 'cudaMemset(p' memory.cu && echo "$PWD/memory.cu"
