// This file declares the search for a device variable by the address of its host variable.
#ifndef HOST_RUNTIME_SYMBOL_H
#define HOST_RUNTIME_SYMBOL_H

#include "host/runtime/call.h"

// Finds a device variable on the current device, and stores its device address and its size in bytes. Returns 0,
// cudaErrorInvalidSymbol, or the error that loading the device code caused.
cudaError_t cudart_symbol(const void *host, uint64_t *address, uint64_t *bytes);

#endif
