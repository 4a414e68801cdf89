# batch: it unpacks to far more than it is
# 35: sixty-four megabytes of zeros in as many kilobytes.
mkdir alice && cp "$1" alice/ && zip -q bomb.zip alice/*
head -c 64M /dev/zero >alice/zeros.bin && zip -q bomb.zip alice/zeros.bin
rm -r alice
echo "$PWD/bomb.zip"
