# lab6: wrong output
# 3: no copies at all: the kernel works on managed memory, and nothing is overlapped because nothing is brought.
sed 's/cudaMallocHost(in, bytes)/cudaMallocManaged(in, bytes)/; s/cudaMallocHost(out, bytes)/cudaMallocManaged(out, bytes)/
    s/cudaFreeHost(/cudaFree(/; /cudaMemcpyAsync/d
    s/(device_in + first, device_out + first, count)/((unsigned *)in + first, out + first, count)/' \
    "${1%/*}/lab6_streams.cu" >managed.cu
grep -q cudaMallocManaged managed.cu && ! grep -q cudaMemcpyAsync managed.cu && echo "$PWD/managed.cu"
