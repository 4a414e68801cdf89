// What the main() of a host lab (labs/<lab>/main.h) calls of the kit's libcudart. The runtime library of a card has none
// of it, nor need the compiler's: the functions are looked up when the program runs. The grader starts such a program
// once for each case.
#ifndef WARPWISE_HOST_H
#define WARPWISE_HOST_H

#include <dlfcn.h>

// The case's dimensions, as labs/<lab>/lab.c has them. 1; or 0: it was sat, and is not sat again (on a card it is, round
// after round). Ends the program where there is no case.
typedef int warpwise_exam_function(unsigned dim[4]);
// The timed part begins: `buffer` is where the program wants each of the lab's buffers, in the lab's order. Inputs are
// there when it returns. 0; else the device is broken.
typedef int warpwise_begin_function(void *const buffer[]);
// It is over: outputs are taken. 0; else the device is broken.
typedef int warpwise_end_function(void);
// The host is about to compute these bytes of an output itself.
typedef void warpwise_host_works_function(const void *output, unsigned long bytes);

// The function of that name, or a null pointer where the library is not the kit's.
#define WARPWISE(name) ((warpwise_##name##_function *)dlsym(RTLD_DEFAULT, "warpwise_" #name))

#endif
