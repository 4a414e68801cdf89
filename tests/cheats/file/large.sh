# lab0: does not build
# 35: ten megabytes of spaces.
head -c 10000000 /dev/zero | tr "\0" " " >large.cu
echo "$PWD/large.cu"
