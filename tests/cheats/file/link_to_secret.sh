# lab0: not graded
# 35: a link to a file of the system.
ln -s /etc/passwd link.cu
echo "$PWD/link.cu"
