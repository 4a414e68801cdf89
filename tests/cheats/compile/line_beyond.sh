# lab0: passed
# 29: a line that no source has: what is right stays right.
sed 's/^extern "C" __global__/#line 4000000000\n&/' "$1" >beyond.cu
grep -q '^#line' beyond.cu && echo "$PWD/beyond.cu"
