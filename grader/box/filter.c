// Builds the seccomp filter, which decides which system calls a program in a box may make. The file denied.def lists
// the system calls that are always refused. For some system calls that denied.def does not list, add_rules() adds rules
// that test the call's arguments or depend on the box_spec. The seccomp rules forbid all sockets (or all except local
// sockets), new namespaces by clone(), and keystrokes into a terminal by ioctl(). The seccomp rules also restrict
// signals to other processes.
//
// A program in a box may change its own priority, processors, scheduler, I/O class, resource limits and memory
// placement. A program in a box may not change these settings of other processes, because the judge and other boxes may
// run as the same user. The system calls that change such settings take a process number, and 0 stands for the calling
// process. The seccomp filter refuses these system calls if the process number is not 0, or if the argument names a
// process group or a user. Every confinement level from BOX_FILTERED upwards uses the seccomp filter.
//
// A seccomp filter compares arguments with constants, but a program's own process number is known only after the fork.
// Therefore the seccomp rules contain the placeholder SELF, which name_self() replaces by the process number in the
// finished filter. The function name_self() allocates no memory and takes no lock, so the child process may call
// name_self() between fork and exec.
#define _GNU_SOURCE
#include "box/filter.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/ioprio.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sched.h>
#include <seccomp.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/die.h"

static const uint32_t SELF = 0x7b0c5e1f; // larger than any process number (PID_MAX_LIMIT is 1 << 22)

static const char *const denied[] = {
#define DENIED(name) name,
#include "box/denied.def"
#undef DENIED
};
static const char *const memory_files[] = {"memfd_create", "memfd_secret"};
static const char *const no_process[] = {"fork", "vfork", "execveat"};
static const char *const own_only[] = {"kill", "tkill", "tgkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo"};
// Lists the system calls that change settings of a process and take the process number as their first argument.
static const char *const caller_only[] = {"prlimit64",     "sched_setaffinity", "sched_setscheduler", "sched_setparam",
                                          "sched_setattr", "migrate_pages",     "move_pages"};
static const uint64_t new_namespace[] = {CLONE_NEWNS,   CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC,
                                         CLONE_NEWUSER, CLONE_NEWPID,    CLONE_NEWNET};
#define COUNT(array) (sizeof(array) / sizeof *(array))

static void refuse(scmp_filter_ctx filter, const char *name, int error, unsigned arguments, struct scmp_arg_cmp which)
{
    int number = seccomp_syscall_resolve_name(name);
    if (number == __NR_SCMP_ERROR) return;
    int failed = seccomp_rule_add_array(filter, SCMP_ACT_ERRNO((uint32_t)error), number, arguments, &which);
    if (failed) die("no seccomp rule for '%s': error %d", name, -failed);
}

static void refuse_always(scmp_filter_ctx filter, const char *name, int error)
{
    refuse(filter, name, error, 0, (struct scmp_arg_cmp){0});
}

static void add_rules(scmp_filter_ctx filter, const struct box_spec *spec)
{
    for (size_t i = 0; i < COUNT(denied); ++i) refuse_always(filter, denied[i], EPERM);
    if (spec->local_sockets)
        refuse(filter, "socket", EAFNOSUPPORT, 1, SCMP_A0_32(SCMP_CMP_NE, AF_UNIX));
    else
        refuse_always(filter, "socket", EAFNOSUPPORT);
    for (size_t i = 0; i < COUNT(memory_files) && !spec->memory_files; ++i)
        refuse_always(filter, memory_files[i], EPERM);
    // A filter cannot read the flags of clone3, which are in memory; the C library falls back to clone.
    refuse_always(filter, "clone3", ENOSYS);
    for (size_t i = 0; i < COUNT(new_namespace); ++i)
        refuse(filter, "clone", EPERM, 1, SCMP_A0_64(SCMP_CMP_MASKED_EQ, new_namespace[i], new_namespace[i]));
    refuse(filter, "ioctl", EPERM, 1, SCMP_A1_32(SCMP_CMP_EQ, TIOCSTI));
    refuse(filter, "ioctl", EPERM, 1, SCMP_A1_32(SCMP_CMP_EQ, TIOCLINUX));
    for (size_t i = 0; i < COUNT(caller_only); ++i)
        refuse(filter, caller_only[i], EPERM, 1, SCMP_A0_32(SCMP_CMP_NE, 0));
    // The first argument says whether the second is the number of a process, a group or a user.
    refuse(filter, "setpriority", EPERM, 1, SCMP_A0_32(SCMP_CMP_NE, PRIO_PROCESS));
    refuse(filter, "setpriority", EPERM, 1, SCMP_A1_32(SCMP_CMP_NE, 0));
    refuse(filter, "ioprio_set", EPERM, 1, SCMP_A0_32(SCMP_CMP_NE, IOPRIO_WHO_PROCESS));
    refuse(filter, "ioprio_set", EPERM, 1, SCMP_A1_32(SCMP_CMP_NE, 0));
    // The call kill(-1) would signal all processes of the user.
    refuse(filter, "kill", EPERM, 1, SCMP_A0_32(SCMP_CMP_EQ, ~0u));
    if (!spec->single) return;
    refuse(filter, "clone", EPERM, 1, SCMP_A0_64(SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0));
    // A thread that waits for a thread of CLONE_VFORK is in state D and would not count as asleep (asleep.c).
    refuse(filter, "clone", EPERM, 1, SCMP_A0_64(SCMP_CMP_MASKED_EQ, CLONE_VFORK, CLONE_VFORK));
    for (size_t i = 0; i < COUNT(no_process); ++i) refuse_always(filter, no_process[i], EPERM);
    for (size_t i = 0; i < COUNT(own_only); ++i) refuse(filter, own_only[i], EPERM, 1, SCMP_A0_32(SCMP_CMP_NE, SELF));
}

// Copies the BPF instructions of the finished seccomp filter to `out`. The library libseccomp can only write a filter
// to a file, so take_rows() reads the instructions from this file.
static int take_rows(scmp_filter_ctx filter, struct box_filter *out)
{
    struct stat status;
    int fd = memfd_create("filter", MFD_CLOEXEC);
    int failed = fd < 0 || seccomp_export_bpf(filter, fd) || fstat(fd, &status);
    if (!failed) {
        out->row = malloc((size_t)status.st_size);
        failed = !out->row || pread(fd, out->row, (size_t)status.st_size, 0) != status.st_size;
        out->rows = (unsigned short)((size_t)status.st_size / sizeof *out->row);
    }
    if (fd >= 0) close(fd);
    return failed ? -1 : 0;
}

void box_filter_make(const struct box_spec *spec, struct box_filter *out)
{
    // The first call of libseccomp initialises libseccomp without a lock, so two threads must not make the first call
    // at the same time.
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    *out = (struct box_filter){0};
    pthread_mutex_lock(&lock);
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    pthread_mutex_unlock(&lock);
    if (!filter) return;
    seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_KILL_PROCESS); // 32-bit and x32 calls have other numbers
    add_rules(filter, spec);
    if (take_rows(filter, out)) box_filter_free(out);
    seccomp_release(filter);
}

void box_filter_free(struct box_filter *filter)
{
    free(filter->row);
    *filter = (struct box_filter){0};
}

static void name_self(struct box_filter *filter, pid_t self)
{
    for (unsigned i = 0; i < filter->rows; ++i)
        if (BPF_CLASS(filter->row[i].code) == BPF_JMP && filter->row[i].k == SELF) filter->row[i].k = (uint32_t)self;
}

int box_filter_enter(struct box_filter *filter)
{
    if (!filter->row) return -1;
    name_self(filter, getpid());
    struct sock_fprog program = {.len = filter->rows, .filter = filter->row};
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) ? -1 : 0;
}

int box_filter_file(struct box_filter *filter, pid_t self)
{
    int fd = filter->row ? memfd_create("filter", MFD_CLOEXEC) : -1;
    if (fd < 0) return -1;
    name_self(filter, self);
    size_t bytes = filter->rows * sizeof *filter->row;
    if (write(fd, filter->row, bytes) == (ssize_t)bytes && !lseek(fd, 0, SEEK_SET)) return fd;
    close(fd);
    return -1;
}
