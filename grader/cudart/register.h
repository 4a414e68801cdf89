// What a program registers before main(): its fat binaries, their kernels and their variables.
#ifndef CUDART_REGISTER_H
#define CUDART_REGISTER_H

#include "cudart/call.h"

struct cudart_module;
struct cudart_kernel {
    const void *host; // the function's address in the program
    char *name;       // mangled; owned
    struct cudart_module *module;
    int ready;                // 1: the fields below are set, because the runner was asked
    struct host_reply facts;  // function, registers, …
    struct host_param *param; // facts.bytes / sizeof
    unsigned params, param_bytes;
};
// Finds the kernel of a host function's address or of a cudaKernel_t, and asks the runner about it. Loads the program's
// code first if necessary. Returns 0, cudaErrorInvalidDeviceFunction, or an error of loading.
cudaError_t cudart_kernel_find(const void *function, struct cudart_kernel **);

struct cudart_variable {
    const void *host;
    char *name; // owned
    struct cudart_module *module;
    void **managed;          // a __managed__ variable compiled by nvcc: where the program keeps its address; else NULL
    int mapped;              // 1: a managed variable that is mapped in this process
    uint64_t address, bytes; // of a mapped variable, on the device
};
// Returns 1 if clang compiled the variable as __managed__. Then the variable's host side must become the same memory
// (kit/host/prelude.h).
int cudart_variable_is_twin(const struct cudart_variable *);
// Translates an argument of 8 bytes for a kernel: an address in such a variable becomes the device's address.
uint64_t cudart_variable_reach(uint64_t value);
// Returns the variable with that host side, or NULL.
struct cudart_variable *cudart_variable_find(const void *host);
// Loads a module if necessary. *number becomes the runner's number of the module, `linked` the name that `name` has
// after linking. Returns 0 or an error of loading.
cudaError_t cudart_module_load(struct cudart_module *, const char *name, uint32_t *number, char linked[HOST_NAME]);
// Forgets all answers of the runner, after cudaDeviceReset.
void cudart_register_reset(void);

#endif
