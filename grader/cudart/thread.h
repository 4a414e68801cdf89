// This file declares how libcudart creates threads of its own that take part in the program's schedule; see thread.c.
#ifndef CUDART_THREAD_H
#define CUDART_THREAD_H

// Creates a detached thread that calls function(argument), at no virtual time of the host. Returns 0 or an error
// number.
int cudart_thread_serve(void *(*function)(void *), void *argument);

#endif
