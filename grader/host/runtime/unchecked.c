// Lists the calls that failed and whose error the program has not asked for.
//
// A program learns of a failed call by the value that the call returns, or by cudaGetLastError. libcudart cannot see
// whether a program looks at a returned value; the grader looks at the source (compile/discard.h). libcudart lists each
// failed call until its thread asks for the last error, and sends what is left when the program ends. An error that
// every later call returns as well (cudart_sticky) is a kernel's fault, for which the runner has a finding already.
#include "host/runtime/unchecked.h"

#include <stdio.h>

enum { LISTED = 32 };

static struct failure {
    uint32_t thread;
    struct host_place place;
    struct host_unchecked what;
} listed[LISTED]; // protected by libcudart's lock
static unsigned count;
static __thread struct host_unchecked present;

void cudart_unchecked_because(enum host_reason reason, uint64_t a, uint64_t b)
{
    present.reason = reason;
    present.a = a;
    present.b = b;
}

void cudart_unchecked_silent(void)
{
    present.silent = 1;
}

// Returns 1 if programs rightly ignore the error.
static int is_harmless(cudaError_t error)
{
    return error == cudaSuccess || error == cudaErrorNotReady || error == cudaErrorPeerAccessAlreadyEnabled ||
           error == cudaErrorCudartUnloading;
}

static int is_listed(const struct cudart_thread *t)
{
    for (unsigned i = 0; i < count; ++i)
        if (listed[i].thread == t->number && listed[i].place.object == t->place.object &&
            listed[i].place.offset == t->place.offset)
            return 1;
    return 0;
}

void cudart_unchecked_add(cudaError_t error)
{
    const struct cudart_thread *t = &cudart_thread;
    struct host_unchecked what = present;
    if (t->depth != 1) return;
    present = (struct host_unchecked){.code = 0};
    if (is_harmless(error) || (cudart_sticky() && !what.silent) || count == LISTED || is_listed(t)) return;
    what.code = error;
    snprintf(what.call, sizeof what.call, "%s: %s", what.silent ? "cudaLaunchKernel" : t->name,
             cudaGetErrorName(error));
    listed[count++] = (struct failure){t->number, t->place, what};
}

void cudart_unchecked_seen(void)
{
    unsigned kept = 0;
    for (unsigned i = 0; i < count; ++i)
        if (listed[i].thread != cudart_thread.number) listed[kept++] = listed[i];
    count = kept;
}

void cudart_unchecked_tell(void (*send)(struct host_command *))
{
    for (unsigned i = 0; i < count; ++i) {
        if (!listed[i].what.silent && !cudart_hello()->checks) continue;
        struct host_command command = {.op = HOST_OP_unchecked, .place = listed[i].place, .unchecked = listed[i].what};
        send(&command);
    }
}
