// Variables of device code, found by the address of their host side.
#ifndef CUDART_SYMBOL_H
#define CUDART_SYMBOL_H

#include "cudart/call.h"

// Finds the variable on the current device: its address there and its size. Returns 0, cudaErrorInvalidSymbol, or an
// error of loading.
cudaError_t cudart_symbol(const void *host, uint64_t *address, uint64_t *bytes);

#endif
