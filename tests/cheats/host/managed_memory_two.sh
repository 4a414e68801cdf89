# lab8: wrong output
# 3: as managed_memory.sh, over two devices: managed memory is all devices', and no copy brings it home.
sed 's/cudaHostAlloc(\([a-z]*\), bytes, cudaHostAllocPortable/cudaMallocManaged(\1, bytes/; s/cudaFreeHost(/cudaFree(/; /cudaMemcpyDeviceToHost/d' "${1%/*}/lab8_devices.cu" >managed.cu
grep -q cudaMallocManaged managed.cu && ! grep -q cudaMemcpyDeviceToHost managed.cu && echo "$PWD/managed.cu"
