# batch: 1 entries are neither files nor folders, or lead elsewhere: not taken
# 35: a pipe under a source's name.
mkdir alice bob && cp "$1" alice/ && mkfifo bob/lab0.cu
tar -cf pipe.tar alice bob && rm -r alice bob
echo "$PWD/pipe.tar"
