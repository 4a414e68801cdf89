// Starts the processes of a box, that is, of a sandbox.
//
// Processes: box_start() forks. The child of box_start() starts its own session and process group and gives up rights
// (confine.c). After giving up rights, the child of box_start() executes the box's program or bubblewrap. Bubblewrap
// makes the namespaces, enters the seccomp filter and executes the program inside the namespaces. The caller of
// box_start() waits only for the child. The function box_start() starts no thread.
//
//   caller ──fork──▶ child ──exec──▶ program ──fork──▶ its own children (same process group)
//     ▲  ▲             │ status pipe    │
//     │  └─────────────┘ closed by exec │
//     └───────── output pipe ◀──────────┴── stdout and stderr of all processes
//
//   caller ──fork──▶ child ──exec──▶ bubblewrap ──clone──▶ process 1 of the namespace: program ──fork──▶ ...
//                                        └── waits for process 1 and ends with its status (128 + n: by signal n)
//
// The status pipe tells the caller whether the program in the box started, and is close-on-exec. The child writes the
// confinement level to the status pipe and, if exec fails, the reason. If the caller reads end of file from the status
// pipe and no error message before it, exec has succeeded, and the program or bubblewrap runs. The function
// box_level_here() has already tested that bubblewrap works. Between fork and exec, the child makes only
// async-signal-safe calls, because the caller may have threads. Everything that allocates memory (arguments, seccomp
// filter, Landlock rules) happens before fork.
//
// Descriptors: each file descriptor that the program needs has a target number, the number under which the program
// finds it. Between fork and exec, the child duplicates each needed descriptor twice: first to a number above all
// target numbers, then from there to its target number. Because of the first copy above all target numbers, no
// duplicate overwrites a descriptor that is still needed. The child closes all descriptors that the program does not
// need, because bubblewrap would pass open descriptors on to the program.
//
// Death of the caller: if the caller dies, the kernel kills the first process of the box (PR_SET_PDEATHSIG). If the
// first process of the box is bubblewrap, the kernel also kills all processes in bubblewrap's process namespace. The
// kernel sends the signal of PR_SET_PDEATHSIG when the thread that started the box ends, so this thread must outlive
// the box. If the caller dies during the millisecond in which bubblewrap builds the namespace, an empty process may
// remain. If the caller dies and the box has no bubblewrap, the children of the program run until their limit of
// processor time.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/sysinfo.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/descriptor.h"
#include "base/die.h"
#include "base/gcov.h"
#include "base/message.h"
#include "base/text.h"
#include "box/box.h"
#include "box/bwrap.h"
#include "box/cleanup.h"
#include "box/confine.h"
#include "box/group.h"
#include "box/level.h"

enum { FIRST_FD = 3, ENVIRONMENT = 32, FREE_PROCESSES = 256 };

enum stage { STAGE_ENTERED, STAGE_GROUP, STAGE_DIRECTORY, STAGE_DESCRIPTORS, STAGE_EXEC };
struct status { // message that the child writes to the status pipe
    enum stage stage;
    int error;
    enum box_level level;
};
struct start { // data that the child needs, prepared before fork
    const struct box_spec *spec;
    enum box_level level;    // the highest confinement level wanted
    const char *const *argv; // the command line to execute: the spec's, or bubblewrap's
    struct arena arena;      // owns bubblewrap's command line
    char *env[ENVIRONMENT + 1];
    pid_t parent;
    uid_t user;
    unsigned long processes;
    struct box_filter filter;
    int null, output, status, group; // descriptors; group: cgroup.procs of the control group; -1: none
    int held; // descriptor of bubblewrap's seccomp filter (BOX_FULL) or of the Landlock ruleset (lower levels); -1:
              // none
};

static void say(int fd, enum stage stage, int error, enum box_level level)
{
    struct status status = {stage, error, level};
    ssize_t n = write(fd, &status, sizeof status); // the message is small enough that a pipe writes it in one piece
    (void)n;
}

// Returns the number that the descriptor start.held (a seccomp filter or a Landlock ruleset) has in the child. In the
// child, the descriptors of box_spec.fds have the numbers 3, 4, ..., the status pipe has the next number, and
// start.held the number after it.
static int held_place(const struct box_spec *spec)
{
    return FIRST_FD + (int)spec->nfds + 1;
}

// Moves the child's descriptors to the numbers that they must have in the box's program. Returns 0, or -1 with errno
// set.
static int place_descriptors(struct start *s)
{
    enum { KEPT = BOX_FDS + 5 };
    int from[KEPT] = {s->null, s->output, s->output}, count = FIRST_FD;
    for (int i = 0; s->spec->own_stdio && i < FIRST_FD; ++i) from[i] = fcntl(i, F_GETFD) < 0 ? s->null : i;
    for (unsigned i = 0; i < s->spec->nfds; ++i) from[count++] = s->spec->fds[i];
    int status = count++;
    from[status] = s->status;
    if (s->held >= 0) from[count++] = s->held;
    for (int i = 0; i < count; ++i) {
        from[i] = fcntl(from[i], F_DUPFD_CLOEXEC, 2 * KEPT);
        if (from[i] < 0) return -1;
    }
    for (int i = 0; i < count; ++i)
        if (dup3(from[i], i, i == status || (i > status && s->level < BOX_FULL) ? O_CLOEXEC : 0) < 0) return -1;
    descriptor_close_from((unsigned)count);
    s->status = status;
    if (s->held >= 0) s->held = held_place(s->spec);
    return 0;
}

static _Noreturn void child(struct start *s)
{
    setsid();
    if (s->group >= 0 && box_group_enter(s->group)) {
        say(s->status, STAGE_GROUP, errno, BOX_LIMITS);
        _exit(127);
    }
    box_confine_become(s->user);
    prctl(PR_SET_PDEATHSIG, SIGKILL);       // set after the change of user, because the change clears this setting
    if (getppid() != s->parent) _exit(127); // the caller died before prctl()
    for (int i = 1; i < NSIG; ++i) signal(i, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    umask(022); // the private directory is closed to other users, so its files need no stricter mode
    const char *directory = s->spec->directory ? s->spec->directory : "/";
    int error = chdir(directory) ? errno : 0;
    if (error) say(s->status, STAGE_DIRECTORY, error, BOX_LIMITS);
    if (!error && place_descriptors(s)) {
        error = errno;
        say(s->status, STAGE_DESCRIPTORS, error, BOX_LIMITS);
    }
    if (error) _exit(127);
    box_confine_limit(s->spec, s->processes);
    enum box_level level = s->level;
    if (level == BOX_LANDLOCK || level == BOX_FILTERED) level = box_confine_enter(s->spec, s->held, &s->filter);
    say(s->status, STAGE_ENTERED, 0, level);
    if (GCOV_BUILD) __gcov_dump(); // exec would discard the coverage counters
    execve(s->argv[0], (char *const *)(uintptr_t)s->argv, s->env);
    say(s->status, STAGE_EXEC, errno, level);
    _exit(127);
}

// Makes a pipe with both descriptors above 2, even if the caller closed its standard descriptors. Returns 0, or -1 with
// errno set.
static int pipe_above(int pair[2])
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

// Returns the limit on the number of processes (RLIMIT_NPROC) that the program in the box gets. RLIMIT_NPROC counts all
// processes of the user, also processes outside the box. The value for RLIMIT_NPROC is the number of processes of all
// users that now run on the machine, plus FREE_PROCESSES.
static unsigned long process_limit(void)
{
    struct sysinfo system;
    return sysinfo(&system) ? 0 : system.procs + FREE_PROCESSES;
}

// Reads the status pipe. Returns 0 if the program in the box runs, or -1 with the reason as a sentence in *why.
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
    case STAGE_GROUP:
        text_say(why, "cannot enter a control group: %s", strerror(last.error));
        break;
    case STAGE_DIRECTORY:
        text_say(why, "cannot enter '%s': %s", spec->directory, strerror(last.error));
        break;
    case STAGE_DESCRIPTORS:
        text_say(why, "cannot hand over descriptors: %s", strerror(last.error));
        break;
    case STAGE_EXEC:
        text_say(why, "cannot start '%s': %s", spec->argv[0], strerror(last.error));
        break;
    }
    return -1;
}

// Restores the default action of SIGCHLD if a parent process made this process ignore SIGCHLD. While SIGCHLD is
// ignored, wait() returns no exit status.
static void watch_children(void)
{
    struct sigaction action;
    if (!sigaction(SIGCHLD, NULL, &action) && action.sa_handler == SIG_IGN) signal(SIGCHLD, SIG_DFL);
}

// Prepares the user, seccomp filter, Landlock ruleset and command line that a box needs for its confinement level.
// Returns 0, or -1 on failure.
static int prepare(struct start *s)
{
    s->argv = s->spec->argv;
    s->held = -1;
    s->user = s->level > BOX_LIMITS ? box_confine_user(s->spec) : BOX_SAME_USER;
    if (s->level == BOX_LIMITS) return 0;
    box_filter_make(s->spec, &s->filter);
    if (s->level == BOX_LANDLOCK) s->held = box_confine_ruleset(s->spec);
    if (s->level < BOX_FULL) return 0;
    s->argv = box_bwrap_argv(s->spec, box_level_bwrap(), held_place(s->spec), &s->arena);
    s->held = box_filter_file(&s->filter, box_bwrap_self(s->spec));
    return s->held < 0 ? -1 : 0;
}

static void fork_child(struct start *start, struct box *box)
{
    watch_children();
    start->parent = getpid();
    start->processes = process_limit();
    box->pid = -1;
    if (!prepare(start)) {
        struct timespec now;
        clock_gettime(CLOCK_MONOTONIC, &now);
        box->start_ns = now.tv_sec * 1000000000LL + now.tv_nsec;
        box_cleanup_lock();
        box->pid = fork();
        if (!box->pid) child(start);
        if (box->pid > 0) box_cleanup_add_process(box->pid, box->group);
        box_cleanup_unlock();
    }
    int error = errno;
    if (start->held >= 0) close(start->held);
    box_filter_free(&start->filter);
    arena_free(&start->arena);
    errno = error;
}

// Checks for errors that bubblewrap would report with an unclear message. Returns 0, or -1 with the reason as a
// sentence in *why.
static int check(const struct box_spec *spec, struct text *why)
{
    struct stat status;
    const char *directory = spec->directory ? spec->directory : "/";
    int error = stat(directory, &status) ? errno : S_ISDIR(status.st_mode) ? 0 : ENOTDIR;
    if (error)
        text_say(why, "cannot enter '%s': %s", directory, strerror(error));
    else if (access(spec->argv[0], X_OK))
        text_say(why, "cannot start '%s': %s", spec->argv[0], strerror(errno));
    else
        return 0;
    return -1;
}

int box_start_at(const struct box_spec *spec, enum box_level level, struct box *box, struct text *why)
{
    BUG_ON(!spec->argv || !spec->argv[0] || spec->nfds > BOX_FDS);
    *box = (struct box){.output_fd = -1, .output_limit = spec->output, .wall_s = spec->wall_s};
    if (check(spec, why)) return -1;
    const char *home = spec->directory ? spec->directory : "/";
    char variable[2][BOX_PATH + 16];
    snprintf(variable[0], sizeof variable[0], "HOME=%s", home);
    snprintf(variable[1], sizeof variable[1], "TMPDIR=%s", home);
    struct start start = {.spec = spec, .level = level, .group = -1};
    if (level > BOX_LIMITS && box_group_here()) {
        start.group = box_group_make(spec, &box->group);
        if (start.group < 0) {
            text_say(why, "cannot make a control group: %s", strerror(errno));
            box->group = 0;
            return -1;
        }
    }
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
        text_say(why, "cannot start '%s': %s", spec->argv[0], strerror(errno));
        box->pid = 0;
    }
    if (start.null >= 0) close(start.null);
    if (start.group >= 0) close(start.group);
    if (status[1] >= 0) close(status[1]);
    if (output[1] >= 0) close(output[1]);
    if (!failed && hear(status[0], spec, box, why)) {
        waitpid(box->pid, NULL, 0);
        box_cleanup_drop_process(box->pid);
        box->pid = 0;
        failed = 1;
    }
    if (status[0] >= 0) close(status[0]);
    if (failed && output[0] >= 0) close(output[0]);
    if (failed) {
        box_group_remove(box->group);
        box->group = 0;
        return -1;
    }
    box->output_fd = output[0];
    if (box->output_fd >= 0) fcntl(box->output_fd, F_SETFL, O_NONBLOCK);
    box->shares = level == BOX_FULL && spec->shared_memory && spec->signals;
    return 0;
}
