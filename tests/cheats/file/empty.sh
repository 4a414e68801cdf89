# lab0: does not build
# 35: nothing.
: >empty.cu
echo "$PWD/empty.cu"
