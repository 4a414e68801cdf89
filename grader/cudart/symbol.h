// This file declares the search for a variable of device code by the address of its host side.
#ifndef CUDART_SYMBOL_H
#define CUDART_SYMBOL_H

#include "cudart/call.h"

// Finds the variable on the current device, and stores its device address and its size in bytes. Returns 0,
// cudaErrorInvalidSymbol, or the error of loading.
cudaError_t cudart_symbol(const void *host, uint64_t *address, uint64_t *bytes);

#endif
