# batch: it has one name in the archive's directory and another one before its contents
# 35: one name in the list of a zip file, another one where the contents begin.
mkdir alice && cp "$1" alice/ && mkdir bobby && cp "$1" bobby/lab0.cu
zip -qr two.zip alice bobby/lab0.cu && rm -r alice bobby
sed -i '0,/bobby\/lab0/s//..\/..\/lab0/' two.zip
echo "$PWD/two.zip"
