# lab0: passed
# 39: a source whose comments move the cursor.
{ printf "// \033[2J\033]0;title\007 \342\200\256\n"; cat "$1"; } >escapes.cu
echo "$PWD/escapes.cu"
