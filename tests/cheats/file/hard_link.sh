# lab0: not graded
# 35: a second name of somebody else's file.
cp "$1" other.cu
ln other.cu link.cu
echo "$PWD/link.cu"
