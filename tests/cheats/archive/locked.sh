# batch: encrypted; a password is needed
# 35: a zip file with a password.
mkdir alice bob && cp "$1" alice/ && cp "$1" bob/lab0.cu
zip -qr locked.zip alice && zip -qr -P secret locked.zip bob && rm -r alice bob
echo "$PWD/locked.zip"
