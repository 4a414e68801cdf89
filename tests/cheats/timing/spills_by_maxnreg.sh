# lab1: technique
# 57: as spills_by_bounds.sh, but the limit is a number of registers, which clang's headers do not know.
sed 's/__launch_bounds__(WARP \* 8, 2)/__maxnreg__(32)/' "${1%/*}/lab1_registers.cu" >spills.cu
grep -q '__maxnreg__(32)' spills.cu && echo "$PWD/spills.cu"
