// Implements what every call of the CUDA Runtime API does at its begin and end, and connects libcudart to the runner
// process.
//
// The program's first call of the API looks in the environment variable HOST_ENVIRONMENT for the channel to a runner.
// If HOST_ENVIRONMENT is not set, libcudart starts the program `grade`, which starts a runner. An on_exit handler
// receives the exit code, sends the command `goodbye` and waits for the end of `grade`. Because of this wait, `grade`
// has printed all of its output before the parent of the user's program sees the program end. Calls of the API after
// `goodbye`, for example from destructors of static objects, fail in the same way as on a real GPU. A thread holds one
// recursive mutex from cudart_enter() to cudart_leave(), so the commands of several host threads never mix. Functions
// that a stream runs on the host (cudaLaunchHostFunc) run after libcudart has released its lock, because such functions
// may wait for other threads. If the runner process (which simulates the devices) asks for deterministic results,
// turn.c lets the program's threads run one at a time, in turns. If turn.c schedules a thread, each API call of the
// thread begins in the thread's turn, and ends when the thread's wait for a device is over.
//
// A child process that the program makes by fork() has no runner. The child's first call of the CUDA Runtime API prints
// a message and ends the child process.
#define _GNU_SOURCE
#include "host/runtime/call.h"

#include <dlfcn.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/gcov.h"
#include "base/message.h"
#include "host/runtime/callback.h"
#include "host/runtime/early_access.h"
#include "host/runtime/program_clock.h"
#include "host/runtime/real.h"
#include "host/runtime/turn.h"
#include "host/runtime/unchecked.h"

__thread struct cudart_thread cudart_thread;

static pthread_mutex_t lock = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
static struct host_client client;
static struct host_reply hello;
static pid_t owner;      // the process that the runner serves; 0: no runner yet
static int over;         // 1: the command `goodbye` was sent
static uint32_t threads; // number of threads that have called the API so far
static int sticky[HOST_DEVICES];
static uint64_t quiet_ps; // no wait of a thread is over before this virtual time
static uint32_t pending;  // enum host_pending: data that replies announced and that was not fetched yet
static struct {
    uintptr_t base, low, high;
} program; // the addresses at which the program's own file is mapped

static struct { // functions that run after the lock has been released
    void (*function)(void *);
    void *argument;
} * later;
static unsigned nlater, room;

static void say_goodbye(int status, void *unused);

void cudart_stop(const char *format, ...)
{
    va_list args;
    fflush(stdout);
    va_start(args, format);
    fputs("warpwise: ", stderr);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
    say_goodbye(2, NULL);
    if (GCOV_BUILD) __gcov_dump();
    _exit(2);
}

void alloc_failed(size_t bytes)
{
    if (bytes) cudart_stop("out of memory (%zu bytes)", bytes);
    cudart_stop("out of memory");
}

// Returns the message in a reply of the runner (the process that simulates the devices), in English. All messages that
// libcudart prints in a program are in English.
static const char *told(struct host_reply *reply)
{
    reply->message[HOST_MESSAGE - 1] = '\0';
    message_unmarshal(reply->message, HOST_MESSAGE, reply->message);
    return reply->message;
}

void cudart_say(const char *format, ...)
{
    va_list args;
    fflush(stdout);
    va_start(args, format);
    fprintf(stderr, "warpwise: %s: ", cudart_thread.name);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
    va_end(args);
}

// ---------------------------------------------------------------- the runner
// Stores in `path` the path of the program `grade`, which is in the folder above libcudart's folder: build/grade for
// build/cudart/libcudart.so.13.
static void beside(char path[4096])
{
    Dl_info self;
    char *real = dladdr((void *)(uintptr_t)&cudart_stop, &self) ? realpath(self.dli_fname, NULL) : NULL;
    for (int up = 0; real && up < 2; ++up) {
        char *slash = strrchr(real, '/');
        if (slash) *slash = '\0';
    }
    snprintf(path, 4096, "%s/grade", real ? real : "");
    free(real);
}

// Starts "grade run --attached PROGRAM". The words of the environment variable WARPWISE_OPTIONS become further options
// of `grade`.
static void start_runner(void)
{
    enum { WORDS = 64 };
    char path[4096], program[64], run[] = "run", attached[] = "--attached";
    char *argv[WORDS + 1] = {path, run, attached, program}, *rest = NULL;
    int count = 4;
    const char *given = getenv("WARPWISE_OPTIONS");
    char *options = alloc_strdup(given ? given : "");
    for (char *word = strtok_r(options, " ", &rest); word && count < WORDS; word = strtok_r(NULL, " ", &rest))
        argv[count++] = word;
    beside(path);
    snprintf(program, sizeof program, "/proc/%ld/exe", (long)getpid());
    if (host_client_make(&client) || host_client_start(&client, path, argv)) cudart_stop("%s", client.message);
    free(options);
}

static void tell(struct host_command *command, struct host_reply *reply, int *descriptor)
{
    if (over) {
        *reply = (struct host_reply){.result = cudaErrorCudartUnloading};
        if (descriptor) *descriptor = -1;
        return;
    }
    cudart_turn_fill(command);
    quiet_ps = 0;
    if (host_call(&client, command, reply, descriptor)) cudart_stop("%s", client.message);
    cudart_clock_is(reply->host_ps);
}

static void tell_failure(struct host_command *command)
{
    host_call(&client, command, &(struct host_reply){0}, NULL);
}

static void say_goodbye(int status, void *unused)
{
    (void)unused;
    if (owner != getpid() || over) return;
    cudart_turn_hold(1);
    cudart_lock();
    cudart_unchecked_tell(tell_failure);
    struct host_command undetermined = {.op = HOST_OP_undetermined};
    if (cudart_turn_undetermined(&undetermined.place)) host_call(&client, &undetermined, &(struct host_reply){0}, NULL);
    cudart_early_end();
    struct host_command bye = {.op = HOST_OP_goodbye, .goodbye.exit_code = status};
    struct host_reply reply;
    host_call(&client, &bye, &reply, NULL);
    over = 1;
    fflush(stdout);
    host_client_free(&client);
    cudart_unlock();
    cudart_turn_hold(-1); // destructors that run later may wait for threads
}

static void start(void)
{
    if (owner) cudart_stop("a process that fork() made cannot use the devices of its parent");
    int inherited = host_client_inherit(&client);
    if (inherited < 0) cudart_stop("%s", client.message);
    if (inherited == 1) start_runner();
    owner = getpid();
    struct host_command command = {.op = HOST_OP_hello, .hello.version = HOST_VERSION};
    tell(&command, &hello, NULL);
    if (hello.result) cudart_stop("the runner: %s", told(&hello));
    client.tries = hello.tries;
    cudart_early_begin(hello.checks != 0);
    cudart_clock_begin(hello.deterministic != 0);
    if (hello.deterministic) cudart_turn_allow();
    on_exit(say_goodbye, NULL);
}

unsigned char *cudart_data(void)
{
    return client.data;
}

const struct host_reply *cudart_hello(void)
{
    return &hello;
}

// ---------------------------------------------------------------- commands
static void collect(uint32_t what, void (*take)(const unsigned char *, uint64_t))
{
    for (;;) {
        struct host_command command = {.op = HOST_OP_collect, .collect.what = what};
        struct host_reply reply;
        tell(&command, &reply, NULL);
        if (!reply.bytes || reply.bytes > HOST_DATA) return;
        take(client.data, reply.bytes);
    }
}

static void print(const unsigned char *text, uint64_t bytes)
{
    fwrite(text, 1, bytes, stdout);
}

static void end_tickets(const unsigned char *tickets, uint64_t bytes)
{
    cudart_early_over(tickets, bytes);
    cudart_callback_over(tickets, bytes);
}

// Fetches the data that the runner's replies announced (text that kernels printed, and the numbers of copies that have
// ended). An API call must call settle() only at its end, because settle() overwrites the channel's data area, which
// may hold data that the API call still needs.
static void settle(void)
{
    uint32_t now = pending;
    pending = 0;
    if (now & HOST_PENDING_PRINT) collect(HOST_PENDING_PRINT, print);
    if (now & HOST_PENDING_TICKETS) collect(HOST_PENDING_TICKETS, end_tickets);
}

cudaError_t cudart_send(struct host_command *command, struct host_reply *reply, int *descriptor)
{
    command->device = (uint32_t)cudart_thread.device;
    command->thread = cudart_thread.number;
    command->place = cudart_thread.place;
    tell(command, reply, descriptor);
    pending |= reply->pending;
    cudart_thread.waits = reply->waits != 0;
    sticky[command->device] = reply->sticky != 0;
    if (reply->message[0]) cudart_say("%s", told(reply));
    return (cudaError_t)reply->result;
}

cudaError_t cudart_refuse(cudaError_t error, const char *format, ...)
{
    struct host_command command = {.op = HOST_OP_refused};
    va_list args;
    va_start(args, format);
    vsnprintf(command.refused.text, sizeof command.refused.text, format, args);
    va_end(args);
    cudart_say("%s", command.refused.text);
    tell(&command, &(struct host_reply){0}, NULL);
    return error;
}

cudaError_t cudart_ask(struct host_command *command)
{
    struct host_reply reply;
    return cudart_send(command, &reply, NULL);
}

int cudart_sticky(void)
{
    return sticky[cudart_thread.device];
}

// ---------------------------------------------------------------- calls
// Records at which addresses the program's own executable file is mapped. The dynamic loader lists the executable file
// as the first object.
static int note_program(struct dl_phdr_info *object, size_t bytes, void *unused)
{
    (void)bytes, (void)unused;
    program.base = object->dlpi_addr;
    program.low = UINTPTR_MAX;
    for (int i = 0; i < object->dlpi_phnum; ++i) {
        if (object->dlpi_phdr[i].p_type != PT_LOAD) continue;
        uintptr_t low = program.base + object->dlpi_phdr[i].p_vaddr, high = low + object->dlpi_phdr[i].p_memsz;
        program.low = low < program.low ? low : program.low;
        program.high = high > program.high ? high : program.high;
    }
    return 1;
}

struct host_place cudart_place_of(const void *address)
{
    uintptr_t at = (uintptr_t)address;
    if (!program.high) dl_iterate_phdr(note_program, NULL);
    if (at >= program.low && at < program.high)
        return (struct host_place){.object = HOST_OBJECT_PROGRAM, .offset = at - program.base};
    return (struct host_place){.object = HOST_OBJECT_LIBRARY};
}

static __thread const void *called_from; // the return address that cudart_from() has set

void cudart_from(const void *from)
{
    if (!called_from) called_from = from;
}

void cudart_place_is(const struct host_place *place)
{
    cudart_thread.place = *place;
}

void cudart_lock(void)
{
    cudart_real_load();
    cudart_real_pthread_mutex_lock(&lock);
}

void cudart_unlock(void)
{
    cudart_real_pthread_mutex_unlock(&lock);
}

int cudart_progress(uint64_t until, uint32_t *number, uint64_t *ps)
{
    struct host_command command = {.op = HOST_OP_progress, .progress.until_ps = until};
    struct host_reply reply = {.result = HOST_NOT_READY};
    cudart_lock();
    int ask = !over && until >= quiet_ps; // a thread that yields in a loop asks often
    if (ask && host_call(&client, &command, &reply, NULL)) cudart_stop("%s", client.message);
    if (ask) quiet_ps = reply.quiet_ps;
    pending |= reply.pending;
    cudart_unlock();
    *number = reply.clock;
    *ps = reply.host_ps;
    return !reply.result;
}

void cudart_connect(void)
{
    if (owner || !getenv(HOST_ENVIRONMENT)) return;
    cudart_enter("pthread_create", NULL);
    cudart_leave_quietly(cudaSuccess);
}

void cudart_enter(const char *name, const void *from)
{
    struct cudart_thread *t = &cudart_thread;
    if (!t->depth) cudart_turn_enter();
    cudart_lock();
    if (!t->known) {
        t->known = 1;
        t->number = threads++;
    }
    if (!t->depth++) {
        t->place = cudart_place_of(called_from ? called_from : from);
        t->name = name;
        called_from = NULL;
        cudart_clock_enter();
    }
    if (owner != getpid()) start();
}

void cudart_outside(void (*function)(void *), void *argument)
{
    struct cudart_thread *t = &cudart_thread, saved = *t;
    for (int i = 0; i < saved.depth; ++i) cudart_unlock();
    t->depth = 0;
    cudart_turn_hold(-1);
    function(argument);
    cudart_turn_enter();
    for (int i = 0; i < saved.depth; ++i) cudart_lock();
    t->depth = saved.depth;
    t->place = saved.place;
    t->name = saved.name;
}

void cudart_afterwards(void (*function)(void *), void *argument)
{
    ALLOC_GROW(later, room, nlater + 1);
    later[nlater].function = function;
    later[nlater++].argument = argument;
}

// Tells the scheduler (turn.c) that the calling thread's API call ends. If the thread must wait for a device (`waits`
// is 1), finish_wait() returns after the wait, and fetches the data that the wait made available.
static void finish_wait(int waits)
{
    cudart_turn_leave(waits);
    if (!waits) return;
    cudart_turn_hold(1);
    cudart_lock();
    settle();
    cudart_unlock();
    cudart_turn_hold(-1);
}

cudaError_t cudart_leave_quietly(cudaError_t result)
{
    struct cudart_thread *t = &cudart_thread;
    if (t->depth == 1) settle();
    if (!--t->depth) cudart_clock_leave();
    int waits = !t->depth && t->waits;
    int run = !t->depth && nlater;
    __typeof__(later) mine = later;
    unsigned count = nlater;
    if (run) {
        later = NULL;
        nlater = room = 0;
    }
    if (!t->depth) t->waits = 0;
    cudart_unlock();
    if (!t->depth) finish_wait(waits);
    for (unsigned i = 0; run && i < count; ++i) mine[i].function(mine[i].argument);
    if (run) free(mine);
    if (!t->depth) cudart_callback_drain(waits);
    return result;
}

cudaError_t cudart_leave(cudaError_t result)
{
    if (result && result != cudaErrorNotReady) cudart_thread.last = result;
    cudart_unchecked_add(result);
    return cudart_leave_quietly(result);
}
