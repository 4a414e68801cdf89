# lab6: stopped
# 31: host code that overwrites what it shares with the runner.
sed 's/^    int chunk = /    for (int fd = 3; fd < 5; ++fd) { void *at = mmap(0, 1 << 16, 3, 1, fd, 0); if (at != (void *)-1) memset(at, 0xff, 1 << 16); }\n&/' \
    "${1%/*}/lab6_streams.cu" >forges.cu
sed -i '1i #include <string.h>\n#include <sys/mman.h>' forges.cu
echo "$PWD/forges.cu"
