// This file declares how libcudart creates threads of its own, which turn.c schedules like the program's threads; see
// thread.c.
#ifndef CUDART_THREAD_H
#define CUDART_THREAD_H

// Creates a detached thread that calls function(argument). The creation of this thread takes no virtual time. Returns 0
// or an error number.
int cudart_thread_serve(void *(*function)(void *), void *argument);

#endif
