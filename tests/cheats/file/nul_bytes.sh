# lab0: does not build
# 35: what stands behind a NUL byte is seen by some tools alone.
{ cat "$1"; printf "\0"; } >nul.cu
echo "$PWD/nul.cu"
