# lab6: stopped
# 50: host code without an end.
sed 's/^    int chunk = /    for (volatile int k = 0;; ++k);\n&/' "${1%/*}/lab6_streams.cu" >never.cu
echo "$PWD/never.cu"
