// Gives access to the CUDA driver, which is opened at run time. Because the CUDA driver is opened at run time, the
// grader can be built and started on a computer without CUDA. The file driver.def lists the functions of the CUDA
// driver that the grader calls.
#ifndef GPU_DRIVER_H
#define GPU_DRIVER_H

#include <stddef.h>
#include <stdint.h>

struct driver {
#define DRIVER(name, symbol, parameters, since) int(*name) parameters;
#include "gpu/driver.def"
#undef DRIVER
};

// Opens libcuda.so.1 and calls cuInit() once per process. Returns a static table of pointers to the CUDA driver's
// functions. Returns NULL with a sentence in `why` if there is no CUDA driver or no GPU, or if the driver is too old.
const struct driver *driver_open(char *why, size_t capacity);
// Writes the name and the description of a CUDA driver error into `text`, for example "CUDA_ERROR_ILLEGAL_ADDRESS: an
// illegal memory access was encountered".
void driver_error(const struct driver *, int error, char *text, size_t capacity);

// The enumerations in driver.h contain numbers of the CUDA driver's ABI. The ABI numbers are from the section "Data
// types used by CUDA driver" of the CUDA Driver API reference.
enum driver_result {
    DRIVER_OK = 0,
    DRIVER_NO_MEMORY = 2,
    DRIVER_NO_BINARY = 209, // no kernel image for this device
    DRIVER_BAD_PTX = 218,
    DRIVER_NEWER_PTX = 222, // the PTX version is newer than the driver supports
    DRIVER_NOT_FOUND = 500,
    DRIVER_NOT_READY = 600,
    DRIVER_ILLEGAL_ADDRESS = 700,
    DRIVER_NO_RESOURCES = 701,
    DRIVER_TIMEOUT = 702,
    DRIVER_ASSERT = 710,
    DRIVER_STACK_ERROR = 714,
    DRIVER_ILLEGAL_INSTRUCTION = 715,
    DRIVER_MISALIGNED = 716,
    DRIVER_INVALID_SPACE = 717,
    DRIVER_INVALID_PC = 718,
    DRIVER_LAUNCH_FAILED = 719,
};
enum driver_device_fact {
    FACT_THREADS_PER_BLOCK = 1,
    FACT_SHARED_PER_BLOCK = 8,
    FACT_CONSTANT_BYTES = 9,
    FACT_REGISTERS_PER_BLOCK = 12,
    FACT_CLOCK_KHZ = 13,
    FACT_SMS = 16,
    FACT_MEMORY_CLOCK_KHZ = 36,
    FACT_BUS_BITS = 37,
    FACT_L2_BYTES = 38,
    FACT_THREADS_PER_SM = 39,
    FACT_COPY_ENGINES = 40,
    FACT_MAJOR = 75,
    FACT_MINOR = 76,
    FACT_SHARED_PER_SM = 81,
    FACT_REGISTERS_PER_SM = 82,
    FACT_SINGLE_TO_DOUBLE = 87,
    FACT_SHARED_OPTIN = 97, // maximum shared memory of a block that opts in, in bytes
    FACT_BLOCKS_PER_SM = 106,
    FACT_PERSISTING_L2_BYTES = 108,
    FACT_SHARED_RESERVED = 111,
};
enum driver_function_fact {
    FUNCTION_THREADS = 0,
    FUNCTION_SHARED_BYTES = 1,
    FUNCTION_LOCAL_BYTES = 3,
    FUNCTION_REGISTERS = 4,
    FUNCTION_DYNAMIC_SHARED = 8, // can be set: maximum dynamic shared memory of a launch, in bytes
};
enum driver_pin { PIN_PORTABLE = 1 }; // page-locked for all contexts
enum driver_limit { LIMIT_PRINTF_BYTES = 1, LIMIT_HEAP_BYTES = 2 };

#endif
