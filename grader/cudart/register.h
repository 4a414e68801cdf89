// This file declares the objects that a program registers before main(): its fat binaries, their kernels and their
// variables.
#ifndef CUDART_REGISTER_H
#define CUDART_REGISTER_H

#include "cudart/call.h"

struct cudart_module;
struct cudart_kernel {
    const void *host; // address of the host function in the program
    char *name;       // mangled name; owned
    struct cudart_module *module;
    int ready;                // 1: the runner's answer is stored in the fields below
    struct host_reply facts;  // reply to the command `function`: handle, registers and so on
    struct host_param *param; // [params]: the parameters from the data area
    unsigned params, param_bytes;
};
// Finds the kernel that belongs to the address of a host function or to a cudaKernel_t, and asks the runner for the
// kernel's attributes. Loads the program's code first if necessary. Returns 0, cudaErrorInvalidDeviceFunction, or the
// error of loading.
cudaError_t cudart_kernel_find(const void *function, struct cudart_kernel **);

struct cudart_variable {
    const void *host;
    char *name; // owned
    struct cudart_module *module;
    void **managed; // __managed__ variable compiled by nvcc: the place where the program keeps the variable's address;
                    // else NULL
    int mapped;     // 1: a managed variable that is mapped in this process
    uint64_t address, bytes; // address and size on the device of a mapped variable
};
// Returns 1 if clang compiled the variable as __managed__. The variable's host side must then share memory with its
// device side (kit/host/prelude.h).
int cudart_variable_is_twin(const struct cudart_variable *);
// Translates an 8-byte argument for a kernel. If `value` is an address in a managed variable of clang, the function
// returns the device's address, else `value`.
uint64_t cudart_variable_reach(uint64_t value);
// Returns the variable with the host side `host`, or NULL.
struct cudart_variable *cudart_variable_find(const void *host);
// Loads a module if necessary. *number receives the runner's number of the module. `linked` receives the name that
// `name` has after linking. Returns 0 or the error of loading.
cudaError_t cudart_module_load(struct cudart_module *, const char *name, uint32_t *number, char linked[HOST_NAME]);
// Discards all stored answers of the runner. cudaDeviceReset calls this function.
void cudart_register_reset(void);

#endif
