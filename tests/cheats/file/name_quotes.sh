# lab0: passed
# 40: the same behind a quote.
name='a";touch canary;".cu'
cp "$1" "./$name"
echo "$PWD/$name"
