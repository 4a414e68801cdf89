# lab0: does not build
# 35: two gigabytes that take no room.
truncate -s 2G large.cu
echo "$PWD/large.cu"
