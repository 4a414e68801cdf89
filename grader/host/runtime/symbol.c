// Finds the variables of a program's device code. For a managed variable, the runner process sends a file descriptor,
// and libcudart maps the variable like other managed memory at its first use. A managed variable compiled by clang also
// exists as a host variable of the program, which begins on a page boundary. For such a variable, libcudart also maps
// the managed memory over the host variable, and keeps the other bytes on the host variable's last page. Until
// libcudart maps a managed variable compiled by clang, its host variable is zero, whatever the initialiser. If the host
// variable is not zero when libcudart maps the managed variable, the program has written to the host variable, and
// libcudart keeps the written value.
#define _GNU_SOURCE
#include "host/runtime/symbol.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "host/runtime/memory.h"
#include "host/runtime/register.h"

static int is_zero(const char *at, uint64_t bytes)
{
    return !bytes || (!at[0] && !memcmp(at, at + 1, bytes - 1));
}

static cudaError_t map(const struct cudart_variable *variable, uint64_t address, uint64_t bytes, int descriptor)
{
    char *host = (char *)(uintptr_t)variable->host, *device = (char *)(uintptr_t)address;
    int again = variable->managed ? -1 : dup(descriptor);
    cudaError_t error = cudart_memory_map(address, bytes, HOST_MEMORY_MANAGED, descriptor);
    if (!error) cudart_memory_find(address)->lasting = 1;
    if (variable->managed || error) return error;
    uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE), pages = (bytes + page - 1) / page * page;
    if (!is_zero(host, bytes)) memcpy(device, host, bytes);
    memcpy(device + bytes, host + bytes, pages - bytes);
    void *at = mmap(host, pages, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, again, 0);
    close(again);
    return at == host ? cudaSuccess : cudaErrorMemoryAllocation;
}

cudaError_t cudart_symbol(const void *host, uint64_t *address, uint64_t *bytes)
{
    struct cudart_variable *variable = cudart_variable_find(host);
    if (!variable) return cudaErrorInvalidSymbol;
    int twin = cudart_variable_is_twin(variable);
    struct host_command command = {.op = HOST_OP_variable, .variable = {.managed = variable->managed || twin}};
    struct host_reply reply;
    int descriptor;
    cudaError_t error =
        cudart_module_load(variable->module, variable->name, &command.variable.module, command.variable.name);
    if (!error) error = cudart_send(&command, &reply, &descriptor);
    if (error) return error == cudaErrorSymbolNotFound ? cudaErrorInvalidSymbol : error;
    if (descriptor >= 0 && cudart_memory_find(reply.address))
        close(descriptor);
    else if (descriptor >= 0)
        error = map(variable, reply.address, reply.bytes, descriptor);
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
