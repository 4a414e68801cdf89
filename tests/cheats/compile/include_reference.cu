// lab0: does not build
// 41: the solution, as if it were one's own.
#include "@ROOT@/reference/lab0_coalescing.cu"
