// A box: a sandbox that runs one untrusted program (compiler, runner or host program) with as few rights as it needs.
//
// A box contains one child process and all processes that it starts. They get a short environment, stdin from /dev/null
// or the caller's, and only the descriptors in the spec (as 3, 4, …). They may write one private directory and read the
// system's files. The box keeps their output up to a limit. When the output exceeds it, or the time is over, the box
// kills all its processes. box.level says how much of this the machine can enforce: a box also starts where namespaces
// are forbidden or the kernel has no Landlock.
#ifndef BOX_BOX_H
#define BOX_BOX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/text.h"

// How strongly the program is confined. Each level includes those before it.
enum box_level {
    BOX_LIMITS,   // resource limits, closed descriptors, cleared environment, no new privileges
    BOX_FILTERED, // + seccomp: no sockets, tracing, mounts, keys, BPF, io_uring, no leaving the process group
    BOX_LANDLOCK, // + Landlock: files outside the listed folders cannot be opened
    BOX_FULL,     // bubblewrap instead of Landlock: other files, processes, users and networks are invisible
};
// Returns the name of the level for reports, which also mentions control groups (group.c) where boxes get them.
const char *box_level_name(enum box_level);
// The least level for running a student's host program. Below it, the program could read all files of the grader's
// user.
#define BOX_LEAST_FOR_HOST_CODE BOX_LANDLOCK

enum { BOX_FDS = 16, BOX_FOLDERS = 16 };

struct box_spec {
    const char *const *argv; // NULL-terminated; argv[0] is the path of the program, not searched for on PATH
    const char *const *env;  // NULL-terminated, "NAME=value"; besides PATH, HOME and TMPDIR (= directory), LC_ALL=C
    const char *directory;   // working directory, the only one that may be written; NULL: "/", which may not
    uint64_t scratch;        // bytes; if not 0, BOX_FULL mounts an empty file system of this size over `directory`. It
                             // vanishes with the box, so files to read or to keep must be listed below
    const char *const *readable; // NULL-terminated: other files and folders that may be read; or NULL
    const char *const *writable; // NULL-terminated: others that may be written, such as device nodes; or NULL
    const int *fds;              // become 3, 4, … in the child, in this order; the caller keeps its own
    unsigned nfds;               // at most BOX_FDS
    int own_stdio;               // 1: stdin, stdout and stderr are those of the caller; the box keeps no output
    size_t output;               // bytes of stdout and stderr together; more output kills. 0: both are /dev/null
    double wall_s;               // seconds until all processes are killed; 0: no limit
    uint64_t address_space;      // bytes of a process; 0: unlimited (sanitizers and CUDA reserve terabytes). In a
                                 // control group, also the memory of all processes together
    uint64_t file_size;          // bytes of one file written; 0: unlimited
    unsigned cpu_s;              // processor seconds of one process: SIGXCPU, then SIGKILL after 1 s; 0: unlimited
    unsigned files;              // open descriptors of one process; 0: 256
    int local_sockets;           // 1: AF_UNIX sockets are allowed; 0: no sockets
    int memory_files;            // 1: memfd_create() is allowed; its memory does not count as address space
    int single;                  // 1: threads are allowed, further processes are not (needs BOX_FILTERED)
    int bare;                    // 1: a static program that needs no files of the system
    int signals;                 // 1: the program may end by its own signal (abort), which box.code then tells. Its
                                 // processor time and memory are then known only below BOX_FULL
    int open;                    // 1: BOX_LIMITS only; WARPWISE_SANDBOX=none ("--no-sandbox") does this for all boxes
};

enum box_end {
    BOX_RUNNING,
    BOX_EXITED,    // code: exit status
    BOX_SIGNALLED, // code: signal
    BOX_TIMEOUT,   // killed after wall_s
    BOX_FLOODED,   // killed because of more output than spec.output
};

// A started program. Fill it with box_start(), or with zeros for a box that never started. End it with box_wait() or
// box_kill(), and free it with box_free().
struct box {
    pid_t pid;            // also its process group; 0: not running
    int output_fd;        // read end of stdout and stderr, non-blocking; -1: none
    size_t output_limit;  // bytes
    struct text output;   // output so far; owned, freed by box_free
    enum box_level level; // the level reached
    unsigned group;       // number of its control group; 0: none
    enum box_end end;
    int code;           // see enum box_end
    double wall_s;      // the limit; after the end: seconds that it ran
    double cpu_s;       // after the end: processor seconds, with those of children that were waited for
    uint64_t peak;      // after the end: largest resident memory in bytes
    long long start_ns; // CLOCK_MONOTONIC
};

// Starts the program. Returns 0, or -1 with a sentence in *why (too many processes, no such program, …): an error of
// the machine.
int box_start(const struct box_spec *, struct box *, struct text *why);
// Waits until all `count` boxes (at most 16) have ended. Meanwhile it reads their output and enforces their time
// limits.
void box_wait(struct box *const box[], unsigned count);
// Checks a box once without blocking: reads its output, enforces its limits and collects its end. Returns 1 while the
// box runs, else 0.
int box_poll(struct box *);
// Kills all processes of the box, unless it ended before, collects the rest of its output and reaps the first process.
void box_kill(struct box *);
// Kills the box if it runs, and frees its output.
void box_free(struct box *);
// Calls box_start() and box_wait(). Returns 0, or -1 as box_start(). Free the box with box_free().
int box_run(const struct box_spec *, struct box *, struct text *why);

// Returns the level that box_start() reaches: the machine's, but at most the one in the environment variable
// WARPWISE_SANDBOX (none, seccomp, landlock or full). The first call tries bubblewrap.
enum box_level box_level_here(void);
// Hides a folder of the system from all boxes: an installed kit in /usr/local, for example, which contains solutions. A
// box sees in it only what its spec lists. Must be called before the first box starts.
void box_hide(const char *folder);
// Returns the reason why box_level_here() is not BOX_FULL, as a sentence, or NULL if it is.
const char *box_level_why(void);

enum { BOX_PATH = 512 }; // bytes of a directory's path, NUL included
// Makes a private directory of mode 0700 in $TMPDIR or /tmp. If the caller is root, a box that starts with it gives it
// to its own user. Returns 0, or -1 with a sentence in *why.
int box_directory_make(char path[BOX_PATH], struct text *why);
// Removes the directory with its content, however deep, without following links.
void box_directory_remove(const char *path);

#endif
