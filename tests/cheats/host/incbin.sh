# lab6: does not build
# 42: host code's own assembler, which a kernel's has no more: the file is not there to be read.
{
    cat "${1%/*}/lab6_streams.cu"
    printf 'asm(".section .rodata\\nstolen: .incbin \\"%s\\"\\n.text");\n' "$SECRET"
} >incbin.cu
echo "$PWD/incbin.cu"
