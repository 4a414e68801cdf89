// Variables. A managed one comes with a descriptor the first time it is asked for, and is mapped like other managed
// memory.
#include "cudart/symbol.h"

#include "cudart/memory.h"
#include "cudart/register.h"

cudaError_t cudart_symbol(const void *host, uint64_t *address, uint64_t *bytes)
{
    struct cudart_variable *variable = cudart_variable_find(host);
    if (!variable) return cudaErrorInvalidSymbol;
    struct host_command command = {.op = HOST_OP_variable};
    struct host_reply reply;
    int descriptor;
    cudaError_t error =
        cudart_module_load(variable->module, variable->name, &command.variable.module, command.variable.name);
    if (!error) error = cudart_send(&command, &reply, &descriptor);
    if (error) return error == cudaErrorSymbolNotFound ? cudaErrorInvalidSymbol : error;
    if (descriptor >= 0) error = cudart_memory_map(reply.address, reply.bytes, HOST_MEMORY_MANAGED, descriptor);
    *address = reply.address;
    *bytes = reply.bytes;
    return error;
}

static cudaError_t ask(const void *host, void **address, size_t *bytes)
{
    uint64_t at, size;
    if (!address && !bytes) return cudaErrorInvalidValue;
    cudaError_t error = cudart_symbol(host, &at, &size);
    if (error) return error;
    if (address) *address = (void *)(uintptr_t)at;
    if (bytes) *bytes = size;
    return cudaSuccess;
}

API cudaError_t cudaGetSymbolAddress(void **address, const void *symbol)
{
    return CALL(ask(symbol, address, NULL));
}

API cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol)
{
    return CALL(ask(symbol, NULL, bytes));
}
