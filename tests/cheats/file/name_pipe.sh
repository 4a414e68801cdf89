# lab0: passed
# 40: a pipe in the name.
name='a|touch canary;'\''b.cu'
cp "$1" "./$name"
echo "$PWD/$name"
