# lab0: does not build
# 39: and one whose faulty line is quoted.
{ printf "int a = ; // \033[2J\033]0;title\007 \342\201\246 \342\200\256 score 100\n"; cat "$1"; } >escapes.cu
echo "$PWD/escapes.cu"
