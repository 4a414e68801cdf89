// Runs the host functions that a program enqueues in streams (cudaLaunchHostFunc, cudaStreamAddCallback).
//
// Theory of operation. A host function runs at the virtual time at which its stream reaches it, in a thread that
// libcudart creates for the stream. Like a host thread that synchronises, the thread for the stream's host functions
// waits in the runner process until the work before the host function has ended. A thread that waits for a signal of a
// host function therefore continues, in virtual time, after the stream's work before the host function, and may read
// the results of this work. An API call that synchronises with a stream returns after the stream's host functions have
// ended.
//
// The runner process (which simulates the devices) executes the operations of a stream when they are issued
// (host/devices/devices.h). Work that comes after a host function in its stream may need what the host function wrote,
// for example a copy from a staging buffer. If the program issues such work behind a host function that has not run
// yet, libcudart first calls the host function. Work that stays within the devices needs nothing that a host function
// wrote (stream.c), so it does not let the function run early. After calling a host function early, libcudart waits at
// most FORCE_NS of virtual time until the host function has ended, because the host function may itself wait for the
// issuing thread. A host function that is called early also signals other threads too early in virtual time, and
// libcudart does not see which threads receive its signals. For the operations before a host function that is called
// early, the runner process therefore no longer checks whether the program reads their results too early. A missed bug
// is better than a wrong accusation. For a host function in a graph, libcudart always calls the function before its
// stream reaches it in virtual time. If turn.c does not schedule the program's threads, libcudart calls every host
// function before its stream reaches it in virtual time.
//
// libcudart's lock protects the list of functions. Threads that wait for a change of the list of host functions block
// in the scheduler (turn.c), at the address of the variable `callbacks`. They keep their turn from their look at the
// list until they block, so that no change between the two is missed.
#define _GNU_SOURCE
#include "host/runtime/callback.h"

#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "host/runtime/turn.h"

enum { FORCE_NS = 20000 };

struct callback {
    uint32_t stream;
    uint64_t ticket;
    cudaHostFn_t function;
    void *argument;
    int due;                           // 1: the program has waited for the work before the function
    int begun;                         // 1: a thread has called the function
    int stuck;                         // 1: the function has not ended within FORCE_NS
    struct cudart_turn_thread *thread; // the thread that has called the function; NULL: none, or it is not scheduled
    struct callback *next;
};
static struct callback *callbacks; // in the order of issue

struct server { // a thread that calls the functions of a stream
    uint32_t stream;
    struct server *next;
};
static struct server *servers;
static __thread int serves; // 1: the calling thread calls functions of the list, and must not wait for them

// Returns the first host function in the list `callbacks` that belongs to the stream, or NULL.
static struct callback *first_of(uint32_t stream)
{
    cudart_lock();
    struct callback *c = callbacks;
    while (c && c->stream != stream) c = c->next;
    cudart_unlock();
    return c;
}

// Returns the first host function in the list `callbacks` that may have to run before further work of the stream, or
// NULL. Further work of the legacy default stream, whose number is 0, comes after the host functions of all streams.
// Further work of any other stream comes after the host functions of this stream and of the legacy default stream.
static struct callback *first_before(uint32_t stream)
{
    cudart_lock();
    struct callback *c = callbacks;
    while (c && (c->stuck || (stream && c->stream && c->stream != stream))) c = c->next;
    cudart_unlock();
    return c;
}

static void await_change(void)
{
    cudart_turn_block(&callbacks, CUDART_TURN_NEVER);
}

static void tell_change(void)
{
    cudart_turn_wake(&callbacks, UINT_MAX);
}

static void run(struct callback *c)
{
    struct callback **at = &callbacks;
    c->begun = 1;
    c->thread = cudart_turn_self();
    tell_change();
    c->function(c->argument);
    cudart_turn_keep();
    cudart_lock();
    while (*at != c) at = &(*at)->next;
    *at = c->next;
    cudart_unlock();
    free(c);
    tell_change();
    cudart_turn_hold(-1);
}

static void wait_or_force(uint64_t ticket, int force)
{
    struct host_command command = {.op = HOST_OP_host_wait, .host_wait = {.ticket = ticket, .force = (uint32_t)force}};
    cudart_enter("a function of the host", NULL);
    cudart_ask(&command);
    cudart_leave_quietly(cudaSuccess);
}

static void *serve(void *at)
{
    const struct server *s = at;
    serves = 1;
    for (;;) {
        cudart_turn_keep();
        struct callback *c = first_of(s->stream);
        uint64_t ticket = c && !c->begun ? c->ticket : 0;
        if (!ticket) await_change();
        cudart_turn_hold(-1);
        if (!ticket) continue;
        wait_or_force(ticket, 0);
        cudart_turn_keep();
        c = first_of(s->stream);
        if (c && (c->ticket != ticket || c->begun)) c = NULL;
        if (c) c->begun = 1; // no other thread calls the function from now on
        cudart_turn_hold(-1);
        if (c) run(c);
    }
    return NULL;
}

// Makes sure that the stream has a server (a thread that calls the stream's host functions), and wakes the server. Runs
// at the end of the API call that enqueued a host function.
static void start_server(void *at)
{
    struct server *s = servers, *fresh = at;
    while (s && s->stream != fresh->stream) s = s->next;
    if (s) {
        free(fresh);
        tell_change();
        return;
    }
    fresh->next = servers;
    servers = fresh;
    int error = cudart_thread_serve(serve, fresh);
    if (error) cudart_stop("cannot create a thread: %s", strerror(error));
}

static cudaError_t enqueue(uint32_t stream, uint64_t *ticket)
{
    struct host_command command = {.op = HOST_OP_host_function, .host_function.stream = stream};
    struct host_reply reply;
    cudaError_t error = cudart_send(&command, &reply, NULL);
    *ticket = reply.ticket;
    return error;
}

cudaError_t cudart_callback_add(uint32_t stream, cudaHostFn_t function, void *argument)
{
    if (!cudart_hello()->deterministic) return cudart_callback_now(stream, function, argument);
    struct callback *c = alloc_zeroed(1, sizeof *c), **at = &callbacks;
    *c = (struct callback){.stream = stream, .function = function, .argument = argument};
    cudaError_t error = enqueue(stream, &c->ticket);
    if (error) {
        free(c);
        return error;
    }
    while (*at) at = &(*at)->next;
    *at = c;
    struct server *server = alloc_zeroed(1, sizeof *server);
    server->stream = stream;
    cudart_afterwards(start_server, server);
    return cudaSuccess;
}

static void *run_forced(void *at)
{
    serves = 1;
    run(at);
    return NULL;
}

// Calls a host function, in a new thread, before its stream reaches it in virtual time. The calling thread cannot call
// the host function itself, because it may hold a mutex that the host function locks.
static void begin_now(struct callback *c)
{
    c->begun = 1; // before the command, at which another thread may have its turn
    wait_or_force(c->ticket, 1);
    int error = cudart_thread_serve(run_forced, c);
    if (error) cudart_stop("cannot create a thread: %s", strerror(error));
}

static struct callback *find(uint64_t ticket)
{
    cudart_lock();
    struct callback *c = callbacks;
    while (c && c->ticket != ticket) c = c->next;
    cudart_unlock();
    return c;
}

// Waits until the host function has ended, at most FORCE_NS of virtual time. A function that computes for so long that
// its thread loses the turn takes no virtual time meanwhile.
static void await_end(uint64_t ticket)
{
    uint64_t deadline = cudart_turn_after(FORCE_NS);
    cudart_turn_keep();
    for (struct callback *c; (c = find(ticket));) {
        int late = cudart_turn_block(&callbacks, deadline);
        if (!late || !(c = find(ticket))) continue;
        c->stuck = !cudart_turn_works(c->thread);
        if (c->stuck) break;
        deadline = cudart_turn_after(FORCE_NS);
    }
    cudart_turn_hold(-1);
}

static void force(void *at)
{
    for (struct callback *c; (c = first_before(*(uint32_t *)at));) {
        if (!cudart_turn_on()) { // no thread is scheduled yet: the function is in the program's first graph
            wait_or_force(c->ticket, 1);
            run(c);
            continue;
        }
        uint64_t ticket = c->ticket;
        if (!c->begun) begin_now(c);
        await_end(ticket);
    }
}

void cudart_callback_force(uint32_t stream)
{
    if (serves || !first_before(stream)) return;
    serves = 1;
    cudart_outside(force, &stream);
    serves = 0;
}

struct host_call {
    cudaHostFn_t function;
    void *argument;
};

static void call(void *at)
{
    struct host_call call = *(struct host_call *)at;
    free(at);
    call.function(call.argument);
}

cudaError_t cudart_callback_now(uint32_t stream, cudaHostFn_t function, void *argument)
{
    struct host_command force = {.op = HOST_OP_host_wait, .host_wait.force = 1};
    cudaError_t error = enqueue(stream, &force.host_wait.ticket);
    if (!error) error = cudart_ask(&force);
    if (error) return error;
    struct host_call *later = alloc_bytes(sizeof *later);
    *later = (struct host_call){function, argument};
    cudart_afterwards(call, later);
    return cudaSuccess;
}

void cudart_callback_over(const unsigned char *tickets, uint64_t bytes)
{
    for (uint64_t at = 0; at + sizeof(uint64_t) <= bytes; at += sizeof(uint64_t)) {
        uint64_t ticket;
        memcpy(&ticket, tickets + at, sizeof ticket);
        for (struct callback *c = callbacks; c; c = c->next) c->due |= c->ticket == ticket;
    }
}

void cudart_callback_drain(int waits)
{
    for (int missing = !serves && cudart_turn_on(); missing;) {
        missing = 0;
        cudart_turn_keep();
        cudart_lock();
        for (const struct callback *c = callbacks; c; c = c->next) missing |= c->due && (!c->begun || waits);
        cudart_unlock();
        if (missing) await_change();
        cudart_turn_hold(-1);
    }
}
