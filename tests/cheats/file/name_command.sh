# lab0: passed
# 40: a command in the name: compilers start their tools through a shell.
name='a$(touch canary).cu'
cp "$1" "./$name"
echo "$PWD/$name"
