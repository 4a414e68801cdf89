// Runs one untrusted program (compiler, runner or host program) in a sandbox, called a box. The program in a box gets
// only the rights that the caller of box_start() grants.
//
// A box contains one child process and all processes that the child starts. The processes in a box get a short
// environment, stdin from /dev/null or from the caller, and only the descriptors in box_spec.fds (as 3, 4, ...). The
// processes in a box may read the system's files and write one private directory. The caller collects the output of a
// box up to a limit. If the output exceeds the limit, or if the box's time is over, the caller kills all processes of
// the box. A box also starts on machines where namespaces are forbidden or the kernel has no Landlock. The field
// `level` of struct box says how strongly the program is confined.
#ifndef BOX_BOX_H
#define BOX_BOX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/text_struct.h"

// A confinement level says how strongly the program in a box is confined. Each confinement level confines more strongly
// than the level before.
enum box_level {
    BOX_LIMITS,   // only resource limits, closed descriptors, cleared environment
    BOX_FILTERED, // adds seccomp: no sockets, tracing, mounts, keys, BPF, io_uring, no leaving the process group
    BOX_LANDLOCK, // adds Landlock: files outside the listed folders cannot be opened
    BOX_FULL,     // bubblewrap instead of Landlock: other files, processes, users and networks are invisible
};
// Returns the name of a confinement level for reports. If boxes get control groups (group.c), the returned name of the
// confinement level also mentions control groups.
const char *box_level_name(enum box_level);
// BOX_LEAST_FOR_HOST_CODE is the lowest confinement level at which a student's host program may run. At a confinement
// level weaker than BOX_LANDLOCK, a host program could read all files of the user who runs the grader.
#define BOX_LEAST_FOR_HOST_CODE BOX_LANDLOCK

enum { BOX_FDS = 16, BOX_FOLDERS = 16, BOX_SHARED_FILES = 1000 };

struct box_spec {
    const char *const *argv; // NULL-terminated; argv[0] is the path of the program; PATH is not searched
    const char *const *env; // NULL-terminated, "NAME=value"; added to PATH, HOME, TMPDIR (both: directory) and LC_ALL=C
    const char *directory;  // working directory and the only writable directory; NULL: "/", which is not writable
    uint64_t scratch; // bytes; if not 0, BOX_FULL mounts an empty file system of this size over `directory`. The file
                      // system is lost when the box ends, so files to read or to keep must be listed below
    const char *const *readable; // NULL-terminated list of other files and folders that the program may read; or NULL
    const char *const *writable; // NULL-terminated list of other writable files, such as device nodes; or NULL
    const int *fds;    // descriptors that become 3, 4, ... in the child, in this order; the caller's copies stay open
    unsigned nfds;     // number of descriptors in `fds`, at most BOX_FDS
    int own_stdio;     // 1: the program uses the caller's stdin, stdout and stderr; the box collects no output
    int shared_memory; // 1: BOX_FULL mounts an empty /dev/shm, as it does with own_stdio. With `signals`, the box may
                       // have at most BOX_SHARED_FILES files there
    size_t output;     // most bytes of stdout and stderr together; more output ends the box. 0: both are /dev/null
    double wall_s;     // time limit in seconds for all processes; 0: no limit
    uint64_t address_space; // most bytes of each process; 0: unlimited (sanitizers and CUDA reserve terabytes). In a
                            // control group, also the limit for the memory of all processes together
    uint64_t file_size;     // most bytes of each file written; 0: unlimited
    unsigned cpu_s;         // processor seconds of each process: SIGXCPU at the limit, SIGKILL 1 s later; 0: unlimited
    unsigned files;         // most open descriptors of each process; 0: 256
    int local_sockets;      // 1: AF_UNIX sockets are allowed; 0: no sockets
    int memory_files;       // 1: memfd_create() is allowed; memory files do not count as address space
    int single;             // 1: threads are allowed, more processes are not (needs BOX_FILTERED)
    int bare;               // 1: a static program that needs no system files
    int own_proc;           // 1: the program may use /proc/self; BOX_LANDLOCK and above close other processes' folders
    int signals; // 1: the program may end by a signal of its own, such as abort(); box.code is then this signal.
                 // Processor time and memory of the program are then known only below BOX_FULL
    int open;    // 1: use only BOX_LIMITS; WARPWISE_SANDBOX=none ("--no-sandbox") does the same for all boxes
};

enum box_end {
    BOX_RUNNING,
    BOX_EXITED,    // box.code is the exit status
    BOX_SIGNALLED, // box.code is the signal
    BOX_TIMEOUT,   // the box was killed after wall_s seconds
    BOX_FLOODED,   // killed because the output exceeded spec.output
    BOX_ASLEEP,    // killed by box_wait_awake(), because the program waited for too long
    BOX_CROWDED,   // killed because the program made more than BOX_SHARED_FILES files in shared memory
};

// A struct box holds the state of a box and its program. The caller initialises a struct box with box_start(), or with
// zeros for a box that never starts. The caller ends a box with box_wait() or box_kill(), and frees the box with
// box_free().
struct box {
    pid_t pid;            // process number of the first process, also its process group; 0: not running
    int output_fd;        // read end of the pipe for stdout and stderr, non-blocking; -1: none
    size_t output_limit;  // copy of spec.output
    struct text output;   // output so far; owned, freed by box_free
    enum box_level level; // the confinement level that the box reached
    unsigned group;       // number of the box's control group; 0: none
    int shares;           // 1: the files in the box's shared memory are counted
    enum box_end end;
    int code;           // exit status or signal; see enum box_end
    double wall_s;      // while the box runs: its time limit; after its end: seconds that the box ran
    double cpu_s;       // after the end: processor seconds of the first process and of its waited-for children
    double asleep_s;    // seconds that box_wait_awake() found the box asleep
    uint64_t peak;      // after the end: largest resident memory in bytes
    long long start_ns; // start of the box; CLOCK_MONOTONIC
};

// Starts the program of a box_spec in a box. Returns 0, or -1 with the reason as a sentence in *why if the machine
// cannot start the program, for example because the program is missing or too many processes run.
int box_start(const struct box_spec *, struct box *, struct text *why);
// Waits until all `count` boxes (at most 16) have ended. While waiting, box_wait() reads the output of the boxes and
// enforces their time limits.
void box_wait(struct box *const box[], unsigned count);
// Waits until the first box has ended, as box_wait() does. Kills the first box with BOX_ASLEEP when all threads of both
// boxes have slept or been stopped for `most_s` seconds, added up over all pauses. A box whose threads are ready to run
// but get no processor is not asleep, nor are boxes whose threads ran or waited to run for half of the time since the
// look before. On a system whose /proc does not show the threads' states, no box is ever found asleep.
void box_wait_awake(struct box *box, const struct box *partner, double most_s);
// Returns 1 if all threads of all processes in the box sleep or are stopped, or the box has ended. Otherwise, returns
// 0. Also returns 0 if the threads' states are unknown. Adds to *wanted_ns the time in ns for which the threads have
// run or waited to run so far.
int box_is_asleep(const struct box *, uint64_t *wanted_ns);
// Returns the number of files in the box's shared memory, or 0 if they are not counted. The file shared.c says how.
uint64_t box_shared_files(const struct box *);
// Checks a box once without blocking: reads its output, enforces its limits and, if the box has ended, stores the
// result. Returns 1 if the box still runs, or 0 if the box has ended.
int box_poll(struct box *);
// Kills all processes of the box if the box still runs. After the kill, box_kill() reads the rest of the box's output
// and reaps the first process.
void box_kill(struct box *);
// Kills the box if the box still runs, and frees its output.
void box_free(struct box *);
// Calls box_start() and box_wait(). Returns 0, or -1 with the reason as a sentence in *why if the program could not be
// started. The caller frees the box with box_free().
int box_run(const struct box_spec *, struct box *, struct text *why);

// Returns the confinement level that box_start() reaches: the strongest level of this machine, limited by the
// environment variable WARPWISE_SANDBOX (none, seccomp, landlock or full). The first call of box_level_here() starts
// bubblewrap once as a test.
enum box_level box_level_here(void);
// Hides a system folder from the programs in all boxes. For example, the folder of an installed grader is hidden,
// because this folder contains the labs' solutions. A program in a box sees only those files of the hidden folder that
// its box_spec lists. The grader must call box_hide() before the first box starts.
void box_hide(const char *folder);
// Returns a sentence that says why box_level_here() is not BOX_FULL, or NULL if box_level_here() is BOX_FULL.
const char *box_level_why(void);

enum { BOX_PATH = 512 }; // bytes of a directory's path, NUL included
// Creates a private directory with mode 0700 in $TMPDIR or /tmp and stores the directory's path in `path`. If the
// caller is root, box_start() makes the user of the box the owner of the private directory. Returns 0, or -1 with the
// reason as a sentence in *why.
int box_directory_make(char path[BOX_PATH], struct text *why);
// Removes the directory at `path` and its content of any depth, without following symbolic links.
void box_directory_remove(const char *path);
// Removes the private directories of programs that were killed, from $TMPDIR or /tmp.
void box_directory_sweep(void);

#endif
