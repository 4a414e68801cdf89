// Schedules the threads of a host program by virtual time, so that the same program gives the same report each time.
//
// Theory of operation. Deterministic multithreading by interposition (Kendo 2009, DThreads 2011, CoreDet 2010) replaces
// the functions with which threads synchronise, and orders them by a logical clock. Simulators of parallel machines
// (SimGrid) order the actions of threads by simulated time. In turn.c, the logical clock is the virtual time of the
// simulated devices.
//
// Each thread has a virtual time. CUDA calls, synchronisation and sleeping advance the virtual time of a host thread;
// other code of the host takes no virtual time. One thread at a time has the turn, and only that thread executes the
// program's code. A thread gives up its turn in cudart_turn_pass(), cudart_turn_block() and cudart_turn_leave(). When a
// thread gives up its turn, the turn goes to the thread with the smallest virtual time; the thread that was created
// first wins a tie. A thread therefore never acts before another thread that could still act at an earlier virtual
// time. The runner's virtual clock relies on the fact that threads act in the order of virtual time
// (host/devices/virtual_clock.c).
//
// As long as a thread waits for a device, the virtual time of this thread is not known. Before a turn begins,
// give_turn() asks the runner process to simulate the devices up to the smallest known virtual time. A thread whose
// wait for a device is over before the smallest known virtual time may get the next turn.
//
// Two kinds of waiting are invisible to the scheduler: system calls that are not made through the C library, and loops
// that read a variable. The watcher, a thread of libcudart, looks for a thread that keeps its turn for long. A thread
// that sleeps in the kernel during its turn loses its turn and becomes OUTSIDE (waiting outside of the scheduler). The
// next turn begins only when each OUTSIDE thread (waiting outside of the scheduler) sleeps again or has come back, so
// the order of the threads remains determined. A thread that has used PATIENCE_NS of processor time in its turn also
// becomes OUTSIDE, if another thread could have acted. If a thread has lost its turn because of its processor time, the
// order of the threads can differ from run to run, and libcudart reports the order as "undetermined".
//
// On a busy virtual machine, any thread may seem to use much processor time in its turn, even in libcudart's own code.
// A thread that has found a condition false and then blocks must therefore keep its turn in between: if it became
// OUTSIDE there, another thread could make the condition true and wake nobody. The code that tests a condition calls
// cudart_turn_keep() first.
#define _GNU_SOURCE
#include "host/runtime/turn.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "host/runtime/call.h"
#include "host/runtime/context.h"
#include "host/runtime/program_clock.h"
#include "host/runtime/real.h"

enum state { READY, RUNNING, BLOCKED, DEVICE, OUTSIDE, ENDED };

struct cudart_turn_thread {
    uint32_t number; // in the order of creation; also the number of the thread on the runner's virtual clock
    enum state state;
    uint64_t ps;                   // virtual time
    const void *object;            // BLOCKED: what the thread is blocked at
    uint64_t deadline, blocked_as; // BLOCKED: deadline in ps; blocked_as: numbers the threads in the order of blocking
    int timed_out;
    int here;   // 1: the thread is in the scheduler
    int inside; // nesting depth of CUDA calls
    int word;   // futex: changes when the thread gets its turn
    int named;  // 1: `id` is set
    int spins;  // 1: the thread has kept its turn for too long before
    pthread_t id;
    pid_t tid; // 0: the thread has not started
    clockid_t processor;
    uint64_t seen_used, seen_real; // for is_asleep(): the thread's processor time, and when it last advanced; ns
    struct host_place place;       // of the thread's last CUDA call
    struct cudart_turn_thread *next;
};

// PATIENCE_NS and IMPATIENCE_NS limit the processor time that a thread may use in one turn while other threads wait.
// PATIENCE_NS is the limit for most threads, and IMPATIENCE_NS is the limit for threads that have already lost a turn
// by exceeding a limit. A thread whose processor time does not advance for ASLEEP_NS counts as asleep, if there is no
// /proc that tells the state of a thread.
#define PATIENCE_NS UINT64_C(100000000)
#define IMPATIENCE_NS UINT64_C(300000)
#define ASLEEP_NS UINT64_C(50000000)
// All calls of cudart_turn_works() together wait for WORK_NS of the threads' processor time.
#define WORK_NS UINT64_C(1500000000)
enum { WATCH_NS = 1000000, LOOK_NS = 50000, SLEEPY = 100, LOOKS = 500 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; // protects everything below
static struct cudart_turn_thread *threads;               // in the order of creation
static struct cudart_turn_thread *current;               // the thread that has the turn
static int choosing;                                     // 1: a thread is in give_turn()
static uint32_t count;
static uint64_t work_left = WORK_NS;
static uint64_t blocks;   // how often a thread has blocked
static uint64_t turns;    // number of turns so far
static uint64_t turn_ps;  // virtual time at which the last turn began or ended
static uint64_t turn_use; // processor time of the present turn's thread when its turn began, in ns
static int allowed, active;
static struct host_place undetermined_at;
static int undetermined;
static volatile sig_atomic_t looked; // 1: the signal handler has stored looked_at
static const void *volatile looked_at;
static __thread struct cudart_turn_thread *self;
static pthread_key_t key; // the value's destructor ends a thread's schedule

static uint64_t ns_of(clockid_t clock)
{
    struct timespec t = {0};
    cudart_real_syscall(SYS_clock_gettime, clock, &t);
    return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

// Takes the scheduler's lock. A thread that waits for the scheduler's lock also sleeps in the kernel, but must not
// count as OUTSIDE (waiting where the scheduler cannot see it). The field `here` of struct cudart_turn_thread therefore
// tells the watcher that the thread is in the scheduler.
static void enter(void)
{
    if (self) __atomic_store_n(&self->here, 1, __ATOMIC_SEQ_CST);
    cudart_real_pthread_mutex_lock(&lock);
}

static void leave(void)
{
    cudart_real_pthread_mutex_unlock(&lock);
    if (self) __atomic_store_n(&self->here, 0, __ATOMIC_SEQ_CST);
}

// Releases the scheduler's lock for `ns` nanoseconds of real time, and takes it again.
static void rest(long ns)
{
    cudart_real_pthread_mutex_unlock(&lock);
    cudart_real_syscall(SYS_nanosleep, &(struct timespec){.tv_nsec = ns}, NULL);
    cudart_real_pthread_mutex_lock(&lock);
}

// ---------------------------------------------------------------- threads that wait where the scheduler cannot see it
// Reads the file /proc/self/task/TID/NAME into `text`. Returns 0, or -1 if the file cannot be read.
static int read_task(const struct cudart_turn_thread *t, const char *name, char *text, size_t size)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/self/task/%d/%s", (int)t->tid, name);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t n = fd < 0 ? -1 : read(fd, text, size - 1);
    if (fd >= 0) close(fd);
    text[n < 0 ? 0 : n] = '\0';
    return n <= 0 ? -1 : 0;
}

// Returns 1 if the thread sleeps in the kernel, but not in the scheduler, else 0.
static int is_asleep(struct cudart_turn_thread *t)
{
    char text[512];
    uint64_t used = ns_of(t->processor), now = ns_of(CLOCK_MONOTONIC);
    int known = !read_task(t, "stat", text, sizeof text);
    if (__atomic_load_n(&t->here, __ATOMIC_SEQ_CST)) return 0; // tested last: the thread may enter the scheduler now
    if (known) {
        const char *end = strrchr(text, ')'); // the name of a thread may contain spaces and brackets
        return end && end[1] == ' ' && end[2] == 'S';
    }
    if (used != t->seen_used) {
        t->seen_used = used;
        t->seen_real = now;
    }
    return now - t->seen_real > ASLEEP_NS;
}

// Returns 1 if the thread waits at a futex, or if it is unknown where the thread waits. Only another thread can end a
// wait at a futex.
static int is_at_futex(const struct cudart_turn_thread *t)
{
    char text[512];
    return read_task(t, "syscall", text, sizeof text) || strtol(text, NULL, 10) == SYS_futex;
}

static uint64_t patience(const struct cudart_turn_thread *t)
{
    return t->spins ? IMPATIENCE_NS : PATIENCE_NS;
}

static void on_look(int signal, siginfo_t *info, void *context)
{
    (void)signal, (void)info;
    looked_at = context_place(context);
    looked = 1;
}

// Returns the place in the program's code at which the thread executes, or the place of its last CUDA call if the
// thread sleeps. To find the place, place_of() sends the thread the signal SIGURG, whose handler stores the
// instruction's address. The signal SIGURG is suitable because programs rarely use SIGURG and ignore it by default.
static struct host_place place_of(struct cudart_turn_thread *t)
{
    struct sigaction look = {.sa_sigaction = on_look, .sa_flags = SA_SIGINFO | SA_RESTART}, before;
    if (is_asleep(t) || sigaction(SIGURG, &look, &before)) return t->place;
    looked = 0;
    cudart_real_syscall(SYS_tgkill, getpid(), t->tid, SIGURG);
    for (int i = 0; i < LOOKS && !looked; ++i)
        cudart_real_syscall(SYS_nanosleep, &(struct timespec){.tv_nsec = WATCH_NS}, NULL);
    sigaction(SIGURG, &before, NULL);
    if (!looked) return t->place;
    struct host_place place = cudart_place_of(looked_at);
    return place.object == HOST_OBJECT_PROGRAM ? place : t->place;
}

static void note_undetermined(struct cudart_turn_thread *t)
{
    t->spins = 1;
    if (!undetermined) undetermined_at = place_of(t);
    undetermined = 1;
}

// Waits until each OUTSIDE thread, which waits where the scheduler cannot see it, sleeps again or has come back to the
// scheduler. Releases the scheduler's lock while it waits.
static void settle_outside(void)
{
    for (struct cudart_turn_thread *t = threads; t; t = t->next) {
        uint64_t used = t->state == OUTSIDE ? ns_of(t->processor) : 0;
        while (t->state == OUTSIDE && !is_asleep(t)) {
            if (ns_of(t->processor) - used > patience(t)) {
                note_undetermined(t);
                break;
            }
            rest(LOOK_NS);
        }
    }
}

// ---------------------------------------------------------------- the turn
static uint64_t when(const struct cudart_turn_thread *t)
{
    if (t->state == READY) return t->ps;
    if (t->state != BLOCKED || t->deadline == CUDART_TURN_NEVER) return UINT64_MAX;
    return t->deadline > t->ps ? t->deadline : t->ps;
}

static struct cudart_turn_thread *earliest(int *device)
{
    struct cudart_turn_thread *best = NULL;
    *device = 0;
    for (struct cudart_turn_thread *t = threads; t; t = t->next) {
        *device |= t->state == DEVICE;
        if (when(t) != UINT64_MAX && (!best || when(t) < when(best))) best = t;
    }
    return best;
}

// Among the threads that wait for a device, finds the thread that continues first. If this thread's wait is over by the
// virtual time `until` (ps), makes the thread READY and returns 1, else returns 0.
static int end_wait(uint64_t until)
{
    uint32_t number;
    uint64_t ps;
    if (!cudart_progress(until, &number, &ps)) return 0;
    for (struct cudart_turn_thread *t = threads; t; t = t->next) {
        if (t->number != number || t->state != DEVICE) continue;
        t->ps = ps;
        t->state = READY;
    }
    return 1;
}

// Gives the turn to the thread that acts next, if any thread can act.
static void give_turn(void)
{
    int device;
    struct cudart_turn_thread *t;
    current = NULL;
    if (choosing) return;
    choosing = 1;
    settle_outside();
    do t = earliest(&device);
    while (device && end_wait(t ? when(t) : UINT64_MAX));
    choosing = 0;
    if (!t) return;
    if (t->state == BLOCKED) {
        t->ps = when(t);
        t->timed_out = 1;
    }
    t->state = RUNNING;
    current = t;
    turn_ps = t->ps;
    turn_use = t->tid ? ns_of(t->processor) : 0;
    ++turns;
    ++t->word;
    if (t != self) cudart_real_syscall(SYS_futex, &t->word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

static void await_turn(void)
{
    while (current != self) {
        int word = self->word;
        cudart_real_pthread_mutex_unlock(&lock);
        cudart_real_syscall(SYS_futex, &self->word, FUTEX_WAIT_PRIVATE, word, NULL, NULL, 0);
        cudart_real_pthread_mutex_lock(&lock);
    }
}

// Notes the virtual time at which a thread's turn ends. A thread may wake OUTSIDE threads, which wait where the
// scheduler cannot see it, in its turn. Woken OUTSIDE threads continue at the virtual time at which this turn ends.
static void end_turn(const struct cudart_turn_thread *t)
{
    if (turn_ps < t->ps) turn_ps = t->ps;
}

// If the calling thread was OUTSIDE (waiting where the scheduler could not see it), makes the thread READY and waits
// for its turn. The thread that has the turn may have woken the calling thread, so the calling thread continues at that
// thread's virtual time at the earliest.
static void come_back(void)
{
    if (self->state != OUTSIDE) return;
    self->state = READY;
    uint64_t now = current ? current->ps : turn_ps;
    if (self->ps < now) self->ps = now;
    if (!current) give_turn();
    await_turn();
}

// Gives up the turn of the calling thread, whose new state is set already, and waits for the next turn.
static void hand_over(void)
{
    give_turn();
    await_turn();
}

struct cudart_turn_thread *cudart_turn_self(void)
{
    return self;
}

int cudart_turn_works(struct cudart_turn_thread *t)
{
    if (!active || !self || !t) return 0;
    enter();
    come_back();
    int works = t->state == OUTSIDE;
    uint64_t before = works ? ns_of(t->processor) : 0, used = 0;
    while (t->state == OUTSIDE && works) {
        used = ns_of(t->processor) - before;
        works = !is_asleep(t) && used < work_left;
        if (works) rest(LOOK_NS);
    }
    work_left -= used < work_left ? used : work_left;
    leave();
    return works;
}

void cudart_turn_pass(uint64_t ns)
{
    if (!cudart_turn_on()) return;
    enter();
    come_back();
    end_turn(self);
    self->ps += ns * 1000;
    self->state = READY;
    hand_over();
    leave();
}

int cudart_turn_block(const void *object, uint64_t deadline_ps)
{
    enter();
    come_back();
    end_turn(self);
    self->state = BLOCKED;
    self->object = object;
    self->deadline = deadline_ps;
    self->blocked_as = ++blocks;
    self->timed_out = 0;
    hand_over();
    leave();
    return self->timed_out;
}

// Wakes threads as cudart_turn_wake() does. The calling thread has taken the scheduler's lock.
static unsigned wake(const void *object, unsigned most)
{
    unsigned woken = 0;
    for (; woken < most; ++woken) {
        struct cudart_turn_thread *first = NULL;
        for (struct cudart_turn_thread *t = threads; t; t = t->next)
            if (t->state == BLOCKED && t->object == object && object && (!first || t->blocked_as < first->blocked_as))
                first = t;
        if (!first) break;
        uint64_t now = self ? self->ps : turn_ps;
        if (first->ps < now) first->ps = now;
        first->state = READY;
    }
    return woken;
}

unsigned cudart_turn_wake(const void *object, unsigned most)
{
    if (!active) return 0;
    enter();
    if (self) come_back();
    unsigned woken = wake(object, most);
    if (woken && !current) give_turn();
    leave();
    return woken;
}

void cudart_turn_keep(void)
{
    if (!active || !self) return;
    enter();
    come_back();
    ++self->inside;
    leave();
}

uint64_t cudart_turn_after(uint64_t ns)
{
    return self->ps + ns * 1000;
}

uint64_t cudart_turn_deadline(clockid_t clock, const struct timespec *at)
{
    struct timespec now;
    if (!at) return CUDART_TURN_NEVER;
    clock_gettime(clock, &now);
    int64_t ns = (at->tv_sec - now.tv_sec) * INT64_C(1000000000) + at->tv_nsec - now.tv_nsec;
    return ns > 0 ? cudart_turn_after((uint64_t)ns) : self->ps;
}

// ---------------------------------------------------------------- the watcher
// Takes the turn from a thread that waits where the scheduler cannot see it. `sleepy` counts how often in a row the
// watcher found the thread asleep.
static void watch_turn(unsigned *sleepy)
{
    struct cudart_turn_thread *t = current;
    int device, at_futex;
    if (!t || choosing || t->inside || !t->tid || __atomic_load_n(&t->here, __ATOMIC_SEQ_CST)) return;
    struct cudart_turn_thread *other = earliest(&device);
    if (!other && !device) return;
    int asleep = is_asleep(t);
    at_futex = asleep && is_at_futex(t);
    *sleepy = asleep ? *sleepy + 1 : 0;
    int spins = !asleep && ns_of(t->processor) - turn_use > patience(t);
    if (!at_futex && !spins && *sleepy < SLEEPY) return;
    if (!at_futex) note_undetermined(t);
    end_turn(t);
    t->state = OUTSIDE;
    give_turn();
}

static void *watch(void *unused)
{
    uint64_t seen = 0;
    unsigned sleepy = 0;
    (void)unused;
    enter();
    for (;;) {
        rest(WATCH_NS);
        if (turns != seen) sleepy = 0;
        if (turns == seen) watch_turn(&sleepy);
        seen = turns;
    }
    return NULL;
}

static void start_watcher(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old); // the program's signal handlers run in the program's threads
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_attr_setstacksize(&attributes, 256 << 10);
    int error = cudart_real_pthread_create(&thread, &attributes, watch, NULL);
    pthread_attr_destroy(&attributes);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (error) cudart_stop("cannot create a thread: %s", strerror(error));
}

// ---------------------------------------------------------------- the life of a thread
// Ends the calling thread's schedule. The scheduler's lock is held from the thread's last turn to the next turn of
// another thread, so the watcher never sees an ended thread that has the turn.
static void end_thread(void *unused)
{
    struct cudart_turn_thread *me = self;
    (void)unused;
    if (!me || !active) return;
    enter();
    come_back();
    end_turn(me);
    me->state = ENDED;
    wake(me, UINT_MAX);
    self = NULL; // a thread that joins may free `me`
    give_turn();
    leave();
}

static void stop_in_child(void)
{
    active = allowed = 0; // fork() copies only the calling thread
    self = NULL;
}

static struct cudart_turn_thread *add(void)
{
    struct cudart_turn_thread *t = alloc_zeroed(1, sizeof *t), **at = &threads;
    while (*at) at = &(*at)->next;
    t->number = count++;
    return *at = t;
}

static void know_self(void)
{
    self->tid = (pid_t)cudart_real_syscall(SYS_gettid);
    pthread_getcpuclockid(pthread_self(), &self->processor);
}

// Begins to schedule the program's threads. Gives the first turn to the calling thread.
static void activate(void)
{
    self = add();
    know_self();
    self->state = RUNNING;
    self->ps = cudart_clock_ps();
    self->id = pthread_self();
    self->named = 1;
    current = self;
    turns = 1;
    turn_use = ns_of(self->processor);
    pthread_key_create(&key, end_thread);
    pthread_setspecific(key, self);
    pthread_atfork(NULL, NULL, stop_in_child);
    active = 1;
    start_watcher();
}

void cudart_turn_allow(void)
{
    allowed = 1;
}

int cudart_turn_on(void)
{
    return active && self && !self->inside;
}

struct cudart_turn_thread *cudart_turn_add(void)
{
    cudart_real_load();
    if (!allowed || (active && !cudart_turn_on())) return NULL;
    if (!active) activate();
    enter();
    come_back();
    struct cudart_turn_thread *t = add();
    t->ps = self->ps;
    t->state = BLOCKED; // until its creator has stored its pthread_t
    t->deadline = CUDART_TURN_NEVER;
    leave();
    return t;
}

void cudart_turn_name(struct cudart_turn_thread *t, pthread_t id)
{
    enter();
    t->id = id;
    t->named = 1;
    t->ps = self->ps;
    t->state = READY;
    leave();
}

void cudart_turn_drop(struct cudart_turn_thread *t)
{
    struct cudart_turn_thread **at = &threads;
    enter();
    while (*at && *at != t) at = &(*at)->next;
    if (*at) *at = t->next;
    leave();
    free(t);
}

void cudart_turn_start(struct cudart_turn_thread *t)
{
    pthread_setspecific(key, t);
    self = t; // before enter(): a thread that waits for its first turn is in the scheduler, not asleep in that turn
    enter();
    know_self();
    await_turn();
    turn_use = ns_of(t->processor);
    leave();
}

int cudart_turn_join(pthread_t id)
{
    cudart_turn_keep();
    struct cudart_turn_thread *t = threads;
    while (t && !(t->named && pthread_equal(t->id, id))) t = t->next;
    int found = t && t != self;
    while (found && t->state != ENDED) cudart_turn_block(t, CUDART_TURN_NEVER);
    if (found && self->ps < t->ps) self->ps = t->ps;
    if (found) cudart_turn_drop(t);
    cudart_turn_hold(-1);
    return found ? 0 : -1;
}

// ---------------------------------------------------------------- CUDA calls
void cudart_turn_enter(void)
{
    if (!active || !self) return;
    if (!self->inside) cudart_turn_pass(0);
    ++self->inside;
}

void cudart_turn_leave(int waits)
{
    if (!active || !self || --self->inside || !waits) return;
    enter();
    self->state = DEVICE;
    hand_over();
    leave();
}

void cudart_turn_hold(int more)
{
    if (active && self) self->inside += more;
}

// Returns 1 if another thread can act before the calling thread acts again.
static int is_shared(void)
{
    for (const struct cudart_turn_thread *t = threads; t; t = t->next)
        if (t != self && (t->state == DEVICE || t->state == OUTSIDE || when(t) != UINT64_MAX)) return 1;
    return 0;
}

void cudart_turn_fill(struct host_command *command)
{
    if (!active || !self) return;
    command->clock = self->number;
    command->at_ps = self->ps;
    command->shared = (uint32_t)is_shared();
    if (command->place.object) self->place = command->place;
}

void cudart_turn_is(uint64_t host_ps)
{
    if (active && self) self->ps = host_ps;
}

int cudart_turn_time(int64_t *ps)
{
    if (!active || !self) return 0;
    *ps = (int64_t)self->ps;
    return 1;
}

int cudart_turn_undetermined(struct host_place *place)
{
    *place = undetermined_at;
    return undetermined;
}
