# batch: it has too many entries
# 35: ten thousand empty files in the archive of one.
mkdir alice many && cp "$1" alice/
(cd many && seq -f '%06.0f.txt' 10000 | xargs touch)
tar -czf bob.tgz many && zip -qr many.zip alice bob.tgz && rm -r alice many bob.tgz
echo "$PWD/many.zip"
