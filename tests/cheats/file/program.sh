# lab0: does not build
# 35: a program instead of a source.
cp /bin/true true.cu
echo "$PWD/true.cu"
