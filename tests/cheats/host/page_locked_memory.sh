# lab6: stopped
# 53: page-locked memory until there is none, forgotten by the program and kept by its runner.
sed 's/^    size_t bytes = n /    for (char *p; !cudaMallocHost(\&p, 64u << 20);) { memset(p, 1, 64u << 20); munmap(p, 64u << 20); }\n&/' \
    "${1%/*}/lab6_streams.cu" >pinned.cu
sed -i '1i #include <string.h>\n#include <sys/mman.h>' pinned.cu
grep -q 'munmap(p' pinned.cu && echo "$PWD/pinned.cu"
