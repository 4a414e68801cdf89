# lab0: not graded
# 35: a folder with a source's name.
mkdir folder.cu
echo "$PWD/folder.cu"
