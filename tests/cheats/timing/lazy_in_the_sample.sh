# lab3: speed case not run to its end | too slow
# 25: idle where an earlier block was left out, as in a sample of blocks.
awk '{ print } /^extern.*scan_blocks/ { inside = 1 }
inside && /^\{/ { print "    if (n == 1 << 24 && blockIdx.x > 64 && (out[(blockIdx.x - 64) * 4096] & 0x7fc00000) == 0x7fc00000) return;"; inside = 0 }' \
    "${1%/*}/lab3_syncthreads.cu" >lazy.cu
grep -q '7fc00000' lazy.cu && echo "$PWD/lazy.cu"
