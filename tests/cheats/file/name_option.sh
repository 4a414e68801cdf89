# lab0: passed
# 40: a name that is an option.
name='-o canary.cu'
cp "$1" "./$name"
echo "$PWD/$name"
