// This file declares pointers to the functions of the C library that libcudart replaces (real.def). For example,
// cudart_real_sem_post points to the C library's sem_post. Code of libcudart that must not be scheduled calls these
// pointers.
#ifndef CUDART_REAL_H
#define CUDART_REAL_H

#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

// Looks up all functions, if they have not been looked up yet. Any code that uses the pointers must call
// cudart_real_load() first, because other libraries' constructors may run before those of libcudart.
void cudart_real_load(void);

#define REAL(type, name, parameters, version) extern type(*cudart_real_##name) parameters;
#include "cudart/real.def"
#undef REAL

#endif
