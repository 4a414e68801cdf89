// This file declares the objects that a program registers before main(): its fat binaries, their kernels and their
// variables.
#ifndef HOST_RUNTIME_REGISTER_H
#define HOST_RUNTIME_REGISTER_H

#include "host/runtime/call.h"

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
// Finds the kernel that belongs to the address of a host function or to a cudaKernel_t, and asks the runner process
// (which simulates the devices) for the kernel's attributes. If the runner process has not yet loaded the program's
// device code with the kernel, loads this device code before asking. Returns 0, cudaErrorInvalidDeviceFunction, or the
// error that loading the device code caused.
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
// Returns 1 if clang compiled the variable as __managed__. A managed variable compiled by clang exists as a host
// variable and as a device variable, which must share memory (kit/host/prelude.h).
int cudart_variable_is_twin(const struct cudart_variable *);
// Translates `value`, an 8-byte argument of a kernel launch, from a host address to a device address where necessary.
// If `value` is a host address in a managed variable compiled by clang, returns the corresponding device address, else
// `value`.
uint64_t cudart_variable_reach(uint64_t value);
// Returns the device variable that the program registered with the host address `host`, or NULL.
struct cudart_variable *cudart_variable_find(const void *host);
// Loads a module (the device code of a fat binary) if it is not loaded yet. Stores in *number the number by which the
// runner process knows the module. `linked` receives the name that `name` has after linking. Returns 0, or a
// cudaError_t if the module could not be loaded or the linked name is too long.
cudaError_t cudart_module_load(struct cudart_module *, const char *name, uint32_t *number, char linked[HOST_NAME]);
// Discards the stored attributes of all kernels, because cudaDeviceReset makes them invalid.
void cudart_register_reset(void);

#endif
