// This file declares the functions of the kit's libcudart that the main() of a host lab (labs/<lab>/main.h) calls.
// NVIDIA's runtime library does not have these functions, so a program looks up these functions at run time. The grader
// starts a host lab's program once per test case.
#ifndef WARPWISE_HOST_H
#define WARPWISE_HOST_H

#include <dlfcn.h>

// Asks for the next run of the test case, and stores the case's dimensions as labs/<lab>/lab.c defines them. On
// simulated devices a test case has one run. On a real GPU a test case has one run per timed iteration. Returns 1, or 0
// if there is no further run. Ends the program if the grader did not start the program.
typedef int warpwise_exam_function(unsigned dim[4]);
// Begins the timed part. `buffer` lists the program's memory for the lab's buffers, in the lab's order. The inputs are
// in place when the function returns. Returns 0, or another value if the device has an error.
typedef int warpwise_begin_function(void *const buffer[]);
// Ends the timed part and hands the outputs to the runner. Returns 0, or another value if the device has an error.
typedef int warpwise_end_function(void);
// Announces that the host itself will compute `bytes` bytes of an output, from `output` on.
typedef void warpwise_host_works_function(const void *output, unsigned long bytes);

// Returns the function with the given name, or a null pointer if the library is not the kit's libcudart.
#define WARPWISE(name) ((warpwise_##name##_function *)dlsym(RTLD_DEFAULT, "warpwise_" #name))

#endif
