# lab0: passed
# 35: bytes that are no UTF-8: the source is read in the encoding in which it was saved.
{ printf "// caf\351\n"; cat "$1"; } >latin.cu
echo "$PWD/latin.cu"
