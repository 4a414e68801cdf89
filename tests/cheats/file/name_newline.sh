# lab0: passed
# 40: a name of two lines.
name=$'a.cu\nscore     100 of 100  passed'
cp "$1" "./$name"
echo "$PWD/$name"
