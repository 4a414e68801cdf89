// Variables of device code, by their host side.
#ifndef CUDART_SYMBOL_H
#define CUDART_SYMBOL_H

#include "cudart/call.h"

// Where the variable lies on the current device. 0, or cudaErrorInvalidSymbol and the errors of loading.
cudaError_t cudart_symbol(const void *host, uint64_t *address, uint64_t *bytes);

#endif
