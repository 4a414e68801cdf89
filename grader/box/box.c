// Theory of operation
//
// Processes. box_start forks; the child leads a session and process group of its own, gives up what confine.c says, and
// executes the program. The caller is the only one that waits for it. Nothing stands between the two, so nothing else
// can fail, and no thread is started.
//
//   caller ──fork──▶ child ──exec──▶ program ──fork──▶ its own children (same process group)
//     ▲  ▲             │ status pipe    │
//     │  └─────────────┘ closed by exec │
//     └───────── output pipe ◀──────────┴── stdout and stderr of all of them
//
// Start. The status pipe is close-on-exec: the child writes the level that it reached and, should exec fail, the
// reason; end of file without a reason means that the program runs. Between fork and exec only async-signal-safe calls
// are made, as the caller may have threads; all that allocates (arguments, Landlock rules) happens before.
//
// Descriptors. The child first copies what it keeps above all targets, then down to its place (so no copy overwrites a
// descriptor still to be copied), and closes the rest with close_range.
//
// Waiting. One poll() over the output pipes and process descriptors of all boxes, until the nearest deadline. A box
// ends in one of three ways: its first process ends, its time is over, or it printed too much. Whichever it is, the
// order is: kill the group, take what is left in the pipe (end of file says that nobody of the tree holds it any more;
// at most a second), then reap. The first process stays a zombie until the group was killed, so its number cannot
// meanwhile belong to somebody else's group.
//
// When the caller dies, the kernel kills the first process (PR_SET_PDEATHSIG; it fires when the *thread* that started
// it ends: start boxes from a thread that outlives them). Its children then end by their processor-time limit.
//
// Clocks. All are CLOCK_MONOTONIC of the caller; the program's own processor time is limited by RLIMIT_CPU besides.
#define _GNU_SOURCE
#include "box/box.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <linux/landlock.h>
#include <linux/seccomp.h>

#include "base/die.h"
#include "box/confine.h"

enum { FIRST_FD = 3, ENVIRONMENT = 32, FREE_PROCESSES = 256 };
static const double REAP_S = 10, DRAIN_S = 1; // waiting for a killed process; for its last words

static long long now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static double seconds_since(long long start)
{
    return (double)(now_ns() - start) / 1e9;
}

// ------------------------------------------------------------------------------------------------------ levels
const char *box_level_name(enum box_level level)
{
    switch (level) {
    case BOX_LIMITS:
        return "resource limits only";
    case BOX_FILTERED:
        return "resource limits and seccomp";
    case BOX_LANDLOCK:
        return "resource limits, seccomp and Landlock";
    }
    BUG("box level %d", level);
}

enum box_level box_level_here(void)
{
    struct box_spec spec = {.argv = (const char *const[]){"/", NULL}};
    unsigned action = SECCOMP_RET_ERRNO;
    if (box_confine_open(&spec) || syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action)) return BOX_LIMITS;
    return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) >= 1 ? BOX_LANDLOCK
                                                                                               : BOX_FILTERED;
}

// ------------------------------------------------------------------------------------------------------- start
enum stage { STAGE_ENTERED, STAGE_DIRECTORY, STAGE_DESCRIPTORS, STAGE_EXEC };
struct status { // what the child says through the status pipe
    enum stage stage;
    int error;
    enum box_level level;
};
struct start { // what the child needs, prepared before fork
    const struct box_spec *spec;
    char *env[ENVIRONMENT + 1];
    pid_t parent;
    unsigned long processes;
    int null, output, status, ruleset;
};

static void say(int fd, enum stage stage, int error, enum box_level level)
{
    struct status status = {stage, error, level};
    ssize_t n = write(fd, &status, sizeof status); // fits a pipe's atomic size
    (void)n;
}

static void close_from(unsigned first)
{
    if (!syscall(SYS_close_range, first, ~0u, 0)) return;
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) || files.rlim_cur > 65536) files.rlim_cur = 65536;
    for (unsigned fd = first; fd < files.rlim_cur; ++fd) close((int)fd);
}

// Puts the descriptors in place; the status pipe and the ruleset follow those that were given. 0 or -1.
static int place_descriptors(struct start *s)
{
    enum { KEPT = BOX_FDS + 5 };
    int from[KEPT] = {s->null, s->output, s->output}, count = FIRST_FD;
    for (int i = 0; s->spec->own_stdio && i < FIRST_FD; ++i) from[i] = fcntl(i, F_GETFD) < 0 ? s->null : i;
    for (unsigned i = 0; i < s->spec->nfds; ++i) from[count++] = s->spec->fds[i];
    int status = count++, ruleset = count;
    from[status] = s->status;
    if (s->ruleset >= 0) from[count++] = s->ruleset;
    for (int i = 0; i < count; ++i) {
        from[i] = fcntl(from[i], F_DUPFD_CLOEXEC, 2 * KEPT);
        if (from[i] < 0) return -1;
    }
    for (int i = 0; i < count; ++i)
        if (dup3(from[i], i, i >= status ? O_CLOEXEC : 0) < 0) return -1;
    close_from((unsigned)count);
    s->status = status;
    s->ruleset = s->ruleset >= 0 ? ruleset : -1;
    return 0;
}

#ifdef COVERAGE // what a child did before exec would be lost with its memory
void __gcov_dump(void);
#define KEEP_COVERAGE() __gcov_dump()
#else
#define KEEP_COVERAGE() ((void)0)
#endif

static _Noreturn void child(struct start *s)
{
    setsid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != s->parent) _exit(127); // the caller died in between
    for (int i = 1; i < NSIG; ++i) signal(i, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    umask(077);
    const char *directory = s->spec->directory ? s->spec->directory : "/";
    int error = chdir(directory) ? errno : 0;
    if (error) say(s->status, STAGE_DIRECTORY, error, BOX_LIMITS);
    if (!error && place_descriptors(s)) {
        error = errno;
        say(s->status, STAGE_DESCRIPTORS, error, BOX_LIMITS);
    }
    if (error) _exit(127);
    enum box_level level = box_confine_enter(s->spec, s->ruleset, s->processes);
    if (s->ruleset >= 0) close(s->ruleset);
    say(s->status, STAGE_ENTERED, 0, level);
    KEEP_COVERAGE();
    execve(s->spec->argv[0], (char *const *)(uintptr_t)s->spec->argv, s->env);
    say(s->status, STAGE_EXEC, errno, level);
    _exit(127);
}

static int pipe_above(int pair[2]) // both ends above the standard descriptors, whatever the caller has closed
{
    if (pipe2(pair, O_CLOEXEC)) return -1;
    for (int i = 0; i < 2; ++i) {
        if (pair[i] > 2) continue;
        int high = fcntl(pair[i], F_DUPFD_CLOEXEC, FIRST_FD);
        if (high < 0) return -1;
        close(pair[i]);
        pair[i] = high;
    }
    return 0;
}

static void fill_environment(struct start *s, char *const own[4])
{
    int count = 0;
    for (int i = 0; i < 4; ++i) s->env[count++] = own[i];
    for (unsigned i = 0; s->spec->env && s->spec->env[i]; ++i) {
        BUG_ON(count == ENVIRONMENT);
        s->env[count++] = (char *)(uintptr_t)s->spec->env[i];
    }
}

// RLIMIT_NPROC counts all processes of the user, whoever started them: what the machine runs already bounds that.
static unsigned long process_limit(void)
{
    struct sysinfo system;
    return sysinfo(&system) ? 0 : system.procs + FREE_PROCESSES;
}

// Reads what the child said. 0 if the program runs.
static int hear(int fd, const struct box_spec *spec, struct box *box, struct text *why)
{
    struct status status, last = {STAGE_EXEC, EPIPE, BOX_LIMITS};
    for (;;) {
        ssize_t n = read(fd, &status, sizeof status);
        if (n < 0 && errno == EINTR) continue;
        if (n != (ssize_t)sizeof status) break;
        last = status;
    }
    box->level = last.level;
    switch (last.stage) {
    case STAGE_ENTERED:
        return 0;
    case STAGE_DIRECTORY:
        text_printf(why, "cannot enter '%s': %s", spec->directory, strerror(last.error));
        break;
    case STAGE_DESCRIPTORS:
        text_printf(why, "cannot hand over descriptors: %s", strerror(last.error));
        break;
    case STAGE_EXEC:
        text_printf(why, "cannot start '%s': %s", spec->argv[0], strerror(last.error));
        break;
    }
    return -1;
}

// A caller that was itself started with SIGCHLD ignored would never learn an exit status.
static void watch_children(void)
{
    struct sigaction action;
    if (!sigaction(SIGCHLD, NULL, &action) && action.sa_handler == SIG_IGN) signal(SIGCHLD, SIG_DFL);
}

static void fork_child(struct start *start, struct box *box)
{
    watch_children();
    start->parent = getpid();
    start->processes = process_limit();
    start->ruleset = box_confine_ruleset(start->spec);
    box->start_ns = now_ns();
    box->pid = fork();
    if (!box->pid) child(start);
    int error = errno;
    if (start->ruleset >= 0) close(start->ruleset);
    errno = error;
}

int box_start(const struct box_spec *spec, struct box *box, struct text *why)
{
    BUG_ON(!spec->argv || !spec->argv[0] || spec->nfds > BOX_FDS);
    *box = (struct box){.output_fd = -1, .output_limit = spec->output, .wall_s = spec->wall_s};
    const char *home = spec->directory ? spec->directory : "/";
    char variable[2][BOX_PATH + 16];
    snprintf(variable[0], sizeof variable[0], "HOME=%s", home);
    snprintf(variable[1], sizeof variable[1], "TMPDIR=%s", home);
    struct start start = {.spec = spec};
    fill_environment(&start, (char *const[4]){"PATH=/usr/bin:/bin", "LC_ALL=C", variable[0], variable[1]});

    int status[2] = {-1, -1}, output[2] = {-1, -1};
    start.null = open("/dev/null", O_RDWR | O_CLOEXEC);
    int failed = start.null < 0 || pipe_above(status) || (spec->output && pipe_above(output));
    if (!failed) {
        start.status = status[1];
        start.output = spec->output ? output[1] : start.null;
        fork_child(&start, box);
        failed = box->pid < 0;
    }
    if (failed) {
        text_printf(why, "cannot start '%s': %s", spec->argv[0], strerror(errno));
        box->pid = 0;
    }
    if (start.null >= 0) close(start.null);
    if (status[1] >= 0) close(status[1]);
    if (output[1] >= 0) close(output[1]);
    if (!failed && hear(status[0], spec, box, why)) {
        waitpid(box->pid, NULL, 0);
        box->pid = 0;
        failed = 1;
    }
    if (status[0] >= 0) close(status[0]);
    if (failed && output[0] >= 0) close(output[0]);
    if (failed) return -1;
    box->output_fd = output[0];
    if (box->output_fd >= 0) fcntl(box->output_fd, F_SETFL, O_NONBLOCK);
    return 0;
}

// --------------------------------------------------------------------------------------------------------- end
// Takes what is in the pipe. 1: there may be more later; 0: end of file; -1: more than the limit was printed.
static int take_output(struct box *box)
{
    char bytes[16384];
    while (box->output_fd >= 0) {
        ssize_t n = read(box->output_fd, bytes, sizeof bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return 1;
        if (n == 0) { // closed by all: polling it would wake us for nothing
            close(box->output_fd);
            box->output_fd = -1;
            return 0;
        }
        size_t room = box->output_limit - box->output.length;
        text_add(&box->output, bytes, (size_t)n < room ? (size_t)n : room);
        if ((size_t)n > room) return -1;
    }
    return 0;
}

static void drain(struct box *box)
{
    long long start = now_ns();
    while (box->output_fd >= 0 && take_output(box) > 0 && seconds_since(start) < DRAIN_S) {
        struct pollfd wait = {.fd = box->output_fd, .events = POLLIN};
        poll(&wait, 1, 50);
    }
    if (box->output_fd >= 0) close(box->output_fd);
    box->output_fd = -1;
}

static void reap(struct box *box)
{
    struct rusage usage = {0};
    int status = 0;
    pid_t done = 0;
    for (long long start = now_ns(); !done && seconds_since(start) < REAP_S;) {
        done = wait4(box->pid, &status, WNOHANG, &usage);
        if (!done) nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    }
    if (!done) warn("process %d cannot be killed: it hangs in the system", (int)box->pid);
    if (done <= 0) status = 127 << 8; // unknown; never a success
    box->pid = 0;
    if (box->end == BOX_RUNNING) {
        box->end = WIFSIGNALED(status) ? BOX_SIGNALLED : BOX_EXITED;
        box->code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
    }
    box->cpu_s = (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
                 (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    box->peak = (uint64_t)usage.ru_maxrss * 1024;
}

static void finish(struct box *box, enum box_end end)
{
    box->end = end;
    kill(-box->pid, SIGKILL);
    box->wall_s = seconds_since(box->start_ns);
    drain(box);
    reap(box);
}

static int has_ended(const struct box *box)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)box->pid, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid == box->pid;
}

int box_poll(struct box *box)
{
    if (!box->pid) return 0;
    int ended = has_ended(box); // before reading: what was printed before the end is then in the pipe
    if (take_output(box) < 0)
        finish(box, BOX_FLOODED);
    else if (ended)
        finish(box, BOX_RUNNING);
    else if (box->wall_s > 0 && seconds_since(box->start_ns) >= box->wall_s)
        finish(box, BOX_TIMEOUT);
    return box->pid != 0;
}

static int nap_ms(struct box *const box[], unsigned count, int have_descriptors)
{
    double nap = have_descriptors ? 60 : 0.005; // without process descriptors an end is seen by looking
    for (unsigned i = 0; i < count; ++i) {
        if (!box[i]->pid || box[i]->wall_s <= 0) continue;
        double left = box[i]->wall_s - seconds_since(box[i]->start_ns);
        nap = left < nap ? left : nap;
    }
    return nap < 0 ? 0 : (int)(nap * 1000) + 1;
}

void box_wait(struct box *const box[], unsigned count)
{
    enum { SIDE_BY_SIDE = 16 };
    BUG_ON(count > SIDE_BY_SIDE);
    struct pollfd wait[2 * SIDE_BY_SIDE];
    int all = 1;
    for (unsigned i = 0; i < count; ++i) {
        wait[2 * i] = (struct pollfd){.fd = -1, .events = POLLIN};
        if (box[i]->pid) wait[2 * i].fd = (int)syscall(SYS_pidfd_open, box[i]->pid, 0);
        all &= !box[i]->pid || wait[2 * i].fd >= 0;
    }
    for (;;) {
        unsigned running = 0;
        for (unsigned i = 0; i < count; ++i) {
            running += (unsigned)box_poll(box[i]);
            if (!box[i]->pid && wait[2 * i].fd >= 0) {
                close(wait[2 * i].fd);
                wait[2 * i].fd = -1;
            }
            wait[2 * i + 1] = (struct pollfd){.fd = box[i]->pid ? box[i]->output_fd : -1, .events = POLLIN};
        }
        if (!running) return;
        poll(wait, 2 * count, nap_ms(box, count, all));
    }
}

void box_kill(struct box *box)
{
    if (box->pid) finish(box, BOX_RUNNING);
}

void box_free(struct box *box)
{
    box_kill(box);
    text_free(&box->output);
    *box = (struct box){.output_fd = -1};
}

int box_run(const struct box_spec *spec, struct box *box, struct text *why)
{
    if (box_start(spec, box, why)) return -1;
    box_wait((struct box *const[]){box}, 1);
    return 0;
}
