// The functions of the kit's libcudart that the main() of a host lab (labs/<lab>/main.h) calls. NVIDIA's runtime
// library does not have them, so they are looked up when the program runs. The grader starts such a program once for
// each case.
#ifndef WARPWISE_HOST_H
#define WARPWISE_HOST_H

#include <dlfcn.h>

// Asks for the next run of the case, and gets its dimensions as labs/<lab>/lab.c states them. Returns 1, or 0 if there
// is no further run. There is one run on simulated devices; on a card there is one for each timed iteration. Ends the
// program if the grader did not start it.
typedef int warpwise_exam_function(unsigned dim[4]);
// Begins the timed part. `buffer` lists the program's memory for the lab's buffers, in the lab's order; the inputs are
// in place when the function returns. Returns 0, or another value if the device has an error.
typedef int warpwise_begin_function(void *const buffer[]);
// Ends the timed part and takes the outputs. Returns 0, or another value if the device has an error.
typedef int warpwise_end_function(void);
// Announces that the host will compute these bytes of an output itself.
typedef void warpwise_host_works_function(const void *output, unsigned long bytes);

// The function of that name, or a null pointer if the library is not the kit's.
#define WARPWISE(name) ((warpwise_##name##_function *)dlsym(RTLD_DEFAULT, "warpwise_" #name))

#endif
