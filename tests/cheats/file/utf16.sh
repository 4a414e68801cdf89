# lab0: bad launch
# 35: UTF-16 whose line ends are one byte. Converted, the file is a single comment, and there is no kernel.
{ printf "\377\376"; sed "s/./&\x00/g" "$1"; } >wide.cu
echo "$PWD/wide.cu"
