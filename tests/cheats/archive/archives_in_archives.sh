# batch: an archive within an archive within
# 35: a source that lies four archives deep.
mkdir alice bob && cp "$1" alice/ && cp "$1" bob/lab0.cu
zip -qr 1.zip bob && zip -q 2.zip 1.zip && zip -q 3.zip 2.zip && zip -qr deep.zip alice 3.zip
rm -r alice bob ?.zip
echo "$PWD/deep.zip"
