// The box: an untrusted program (compiler, runner, host) started with as little as it needs.
//
// A box is one child process and whatever it starts. It sees a short environment, stdin from /dev/null (unless it keeps
// the caller's), the descriptors that it is given (as 3, 4, …) and no other, one private directory that it may write,
// and the system read-only. What it prints is kept up to a limit; then, or when its time is over, the whole tree of
// processes is killed. How much of that the machine could enforce is box.level: nothing here fails because namespaces
// are refused or a kernel lacks Landlock.
#ifndef BOX_BOX_H
#define BOX_BOX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/text.h"

// What holds the program, each level on top of those before it. A report prints box_level_name().
enum box_level {
    BOX_LIMITS,   // resource limits, closed descriptors, cleared environment, no new privileges
    BOX_FILTERED, // + seccomp: no sockets, tracing, mounts, keys, BPF, io_uring, no leaving the process group
    BOX_LANDLOCK, // + Landlock: files outside the named folders cannot be opened
    BOX_FULL,     // bubblewrap instead: other files, processes, users, networks are not there at all
};
// Where boxes get control groups besides (group.c), it says so.
const char *box_level_name(enum box_level);
// Below this the code of a stranger's host program is not run: without it he could read what the grader's user can.
#define BOX_LEAST_FOR_HOST_CODE BOX_LANDLOCK

enum { BOX_FDS = 16, BOX_FOLDERS = 16 };

struct box_spec {
    const char *const *argv; // NULL-terminated; argv[0] is the program's path, not searched for on PATH
    const char *const *env;  // NULL-terminated, "NAME=value"; added to PATH, HOME, TMPDIR (= directory), LC_ALL=C
    const char *directory;   // working directory, and the only place that may be written; NULL: "/", and none
    uint64_t scratch;        // bytes; if not 0, BOX_FULL gives the box an empty directory of that size in its place,
                             // which vanishes with it: what shall stay, or be there, is listed below
    const char *const *readable; // NULL-terminated: files and folders that may be read besides the system; or NULL
    const char *const *writable; // NULL-terminated: more that may be written (device nodes, say); or NULL
    const int *fds;              // become 3, 4, … in the child, in this order; the caller keeps his own
    unsigned nfds;               // at most BOX_FDS
    int own_stdio;               // 1: stdin, stdout and stderr are the caller's own; nothing is kept
    size_t output;               // bytes of stdout and stderr together that are kept; more kills. 0: to /dev/null
    double wall_s;               // seconds until the tree is killed; 0: no limit (box_start: the caller watches)
    uint64_t address_space;      // bytes; 0: unlimited (sanitizers and CUDA reserve terabytes). In a control group all
                                 // processes together have no more memory
    uint64_t file_size;          // bytes of one file written; 0: unlimited
    unsigned cpu_s;              // processor seconds of one process: SIGXCPU, and SIGKILL a second later; 0: unlimited
    unsigned files;              // open descriptors; 0: 256
    int local_sockets;           // 1: AF_UNIX sockets may be made; else none
    int memory_files;            // 1: files in memory may be made, which the limit of addresses does not see
    int single;                  // 1: threads are allowed, further processes are not (needs BOX_FILTERED)
    int bare;                    // 1: a static program that needs nothing of the system
    int signals;                 // 1: it may end by a signal of its own (abort), and that is told; its processor time
                                 // and memory are then known only below BOX_FULL
    int open;                    // 1: BOX_LIMITS only; WARPWISE_SANDBOX=none ("--no-sandbox") does the same for all
};

enum box_end {
    BOX_RUNNING,
    BOX_EXITED,    // code: exit status
    BOX_SIGNALLED, // code: signal
    BOX_TIMEOUT,   // killed: wall_s is over
    BOX_FLOODED,   // killed: more output than spec.output
};

// A started program. Zero it, or fill it with box_start; give it to box_kill or box_wait when done.
struct box {
    pid_t pid;            // also its process group; 0: not running
    int output_fd;        // read end of stdout and stderr, non-blocking; -1: none
    size_t output_limit;  // bytes
    struct text output;   // what came so far; owned, freed by box_free
    enum box_level level; // what holds it
    unsigned group;       // its control group's number; 0: none
    enum box_end end;
    int code;           // see enum box_end
    double wall_s;      // limit; after the end: seconds that it ran
    double cpu_s;       // after the end: processor seconds, waited-for children included
    uint64_t peak;      // after the end: bytes of resident memory at the most
    long long start_ns; // CLOCK_MONOTONIC
};

// Starts the program. 0; or -1 with a sentence in *why (out of processes, no such program, …): the machine's fault.
int box_start(const struct box_spec *, struct box *, struct text *why);
// Waits until every one of `count` boxes has ended, reading their output and watching their clocks side by side.
void box_wait(struct box *const box[], unsigned count);
// Looks once, without blocking: takes what was printed, enforces limits, and notes an end. 1 while it runs.
int box_poll(struct box *);
// Kills the whole tree (nothing if it ended by itself), collects the rest of its output and reaps it.
void box_kill(struct box *);
void box_free(struct box *); // kills if need be, then frees the output
// box_start and box_wait in one. 0 or -1 as box_start; free with box_free.
int box_run(const struct box_spec *, struct box *, struct text *why);

// What box_start reaches here: what the machine can, and no more than $WARPWISE_SANDBOX says (none, seccomp, landlock
// or full). The first call tries it out.
enum box_level box_level_here(void);
// A folder that no box sees into although it lies below what all may read (a kit in /usr/local, with its solutions):
// of it a box has what its spec lists. Called before the first box, if at all.
void box_hide(const char *folder);
// Why it is not BOX_FULL, in a sentence; NULL: it is.
const char *box_level_why(void);

// A private directory under $TMPDIR or /tmp, mode 0700; where the caller is root it belongs to the boxes' user, who
// must be able to read what is put there. 0; or -1 with a sentence in *why.
enum { BOX_PATH = 512 };
int box_directory_make(char path[BOX_PATH], struct text *why);
// Removes it and all in it, whatever was made of it, never following a link.
void box_directory_remove(const char *path);

#endif
