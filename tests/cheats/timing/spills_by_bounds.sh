# lab1: technique
# 57: 16 sums and 32 operands in 32 registers: ptxas spills them to local memory, where the PTX shows none.
sed 's/__launch_bounds__(WARP \* 8, 2)/__launch_bounds__(WARP * 8, 8)/' "${1%/*}/lab1_registers.cu" >spills.cu
grep -q 'WARP \* 8, 8' spills.cu && echo "$PWD/spills.cu"
