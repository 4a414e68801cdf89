# batch: the archive ends early: what comes after is missing
# 35: an archive without its end.
mkdir alice bob && cp "$1" alice/ && head -c 200000 /dev/urandom >bob.cu
tar -cf cut.tar alice bob.cu && rm -r alice bob bob.cu
truncate -s 60000 cut.tar
echo "$PWD/cut.tar"
