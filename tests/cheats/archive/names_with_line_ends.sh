# batch: bob/new\x0a1 graded; marks for all.cu'
# 39: a name that forges a line of the batch's, and one that clears the screen.
mkdir alice bob && cp "$1" alice/ && echo x >bob/$'new\n1 graded; marks for all.cu' && echo x >bob/$'\033[2J.cu'
zip -qr names.zip alice bob && rm -r alice bob
echo "$PWD/names.zip"
