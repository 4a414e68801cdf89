// This file declares pointers to the functions of the C library that libcudart replaces (real.def). For example,
// cudart_real_sem_post points to the C library's sem_post. Code of libcudart uses the pointers cudart_real_* where it
// must call the C library's function and not libcudart's replacement.
#ifndef HOST_RUNTIME_REAL_H
#define HOST_RUNTIME_REAL_H

#include <pthread.h>
#include <semaphore.h>
#include <time.h>
#include <unistd.h>

// Looks up all functions, if they have not been looked up yet. Any code that uses the pointers cudart_real_* must call
// cudart_real_load() first, because other libraries' constructors may run before those of libcudart.
void cudart_real_load(void);

#define REAL(type, name, parameters, version) extern type(*cudart_real_##name) parameters;
#include "host/runtime/real.def"
#undef REAL

#endif
