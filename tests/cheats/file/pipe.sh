# lab0: not graded
# 35: a pipe that nobody writes into.
mkfifo pipe.cu
echo "$PWD/pipe.cu"
