# lab0: passed
# 40: the same in the older form.
name='a`touch canary`.cu'
cp "$1" "./$name"
echo "$PWD/$name"
