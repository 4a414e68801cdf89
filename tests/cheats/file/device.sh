# lab0: not graded
# 35: a device, where one can be made; else a folder.
mknod zero.cu c 1 5 2>/dev/null || mkdir zero.cu
echo "$PWD/zero.cu"
