// What a program registers before main: its fat binaries, their kernels and their variables.
#ifndef CUDART_REGISTER_H
#define CUDART_REGISTER_H

#include "cudart/call.h"

struct cudart_module;
struct cudart_kernel {
    const void *host; // the function's address in the program
    char *name;       // mangled; owned
    struct cudart_module *module;
    int ready;                // 1: the runner was asked; what follows is known
    struct host_reply facts;  // function, registers, …
    struct host_param *param; // facts.bytes / sizeof
    unsigned params, param_bytes;
};
// The kernel of a host function's address or of a cudaKernel_t; asks the runner, which loads the program's code if need
// be. 0, or cudaErrorInvalidDeviceFunction and the errors of loading.
cudaError_t cudart_kernel_find(const void *function, struct cudart_kernel **);

struct cudart_variable {
    const void *host;
    char *name; // owned
    struct cudart_module *module;
    void **managed;          // a __managed__ variable of nvcc's: where the program keeps its address; else NULL
    int mapped;              // 1: a managed variable that the program can reach
    uint64_t address, bytes; // of such a one, on the device
};
// 1: clang compiled it as __managed__: its host side is to be the same memory (kit/host/prelude.h).
int cudart_variable_is_twin(const struct cudart_variable *);
// What a kernel is given for a value of 8 bytes: the device's address of what lies in such a variable, else the value.
uint64_t cudart_variable_reach(uint64_t value);
// NULL: there is none.
struct cudart_variable *cudart_variable_find(const void *host);
// The runner's number of a module, which is loaded if need be, and what a name of the module is called there.
cudaError_t cudart_module_load(struct cudart_module *, const char *name, uint32_t *number, char linked[HOST_NAME]);
void cudart_register_reset(void); // after cudaDeviceReset: nothing that was asked is known any more

#endif
