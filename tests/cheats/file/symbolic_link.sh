# lab0: not graded
# 35: a link to a file that the grader may read.
ln -s "$1" link.cu
echo "$PWD/link.cu"
