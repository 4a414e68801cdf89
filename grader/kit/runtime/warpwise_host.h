// This file declares the functions of the kit's libcudart that the main() of a host lab (labs/<lab>/main.h) calls.
// NVIDIA's runtime library does not have the functions of this file, so a program looks them up at run time. The grader
// starts a host lab's program once per test case.
#ifndef WARPWISE_HOST_H
#define WARPWISE_HOST_H

#include <dlfcn.h>

// Asks for the next run of the test case, and stores the test case's dimensions in `dim`, as labs/<lab>/lab.c defines
// them. On simulated devices a test case has one run. On a real GPU a test case has one run per timed iteration.
// Returns 1, or 0 if the test case has no further run. If the grader did not start the program, the call ends the
// program.
typedef int warpwise_exam_function(unsigned dim[4]);
// Begins the timed part of the program. `buffer` lists the addresses of the program's input and output buffers, in the
// order that the lab defines. When the function returns, the input buffers contain the inputs. Returns 0, or another
// value if the device has an error.
typedef int warpwise_begin_function(void *const buffer[]);
// Ends the timed part of the program and sends the outputs to the runner. Returns 0, or another value if the device has
// an error.
typedef int warpwise_end_function(void);
// Announces that the program's host code itself will compute `bytes` bytes of an output buffer, from the address
// `output` on.
typedef void warpwise_host_works_function(const void *output, unsigned long bytes);

// Returns the function warpwise_<name>, or a null pointer if the loaded CUDA library is not the kit's libcudart.
#define WARPWISE(name) ((warpwise_##name##_function *)dlsym(RTLD_DEFAULT, "warpwise_" #name))

#endif
