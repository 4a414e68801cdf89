// What a box's child gives up: resource limits, then Landlock (which files can be opened), then seccomp (which system
// calls exist).
//
// Both are set up without root and are inherited by all that the child starts. The ruleset is made by the parent,
// because it opens folders and may fail in many ways; the child only enters it, with async-signal-safe calls, as the
// parent may have threads. The seccomp filter is a deny list, not an allow list: compilers and the C library use new
// calls every year, and what must be impossible is a short list. It is written as plain BPF, two instructions a row,
// so that the grader needs no library for it.
//
// Denying setsid and setpgid has a purpose of its own: all that a box starts stays in one process group, and kill() of
// a group is atomic against fork, so a fork bomb dies in one call.
#define _GNU_SOURCE
#include "box/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Landlock by ABI version (Documentation/userspace-api/landlock.rst); older headers lack the newer names.
enum {
    FS_EXECUTE = 1 << 0,
    FS_WRITE_FILE = 1 << 1,
    FS_READ_FILE = 1 << 2,
    FS_READ_DIR = 1 << 3,
    FS_ALL_1 = (1 << 13) - 1,
    FS_REFER = 1 << 13,     // ABI 2
    FS_TRUNCATE = 1 << 14,  // ABI 3
    FS_IOCTL_DEV = 1 << 15, // ABI 5
    FS_READ = FS_EXECUTE | FS_READ_FILE | FS_READ_DIR,
    FS_FILE = FS_EXECUTE | FS_WRITE_FILE | FS_READ_FILE | FS_TRUNCATE | FS_IOCTL_DEV, // what a file can have
};
struct ruleset_attribute { // struct landlock_ruleset_attr of ABI 6
    uint64_t fs, net, scoped;
};
enum { NET_TCP = 3, SCOPE_ABSTRACT_UNIX_AND_SIGNAL = 3 };

// What any program may read: libraries, tools, the loader's cache, and how many processors there are.
static const char *const system_folders[] = {
    "/usr", "/bin", "/lib", "/lib32", "/lib64", "/etc/ld.so.cache", "/etc/alternatives", "/sys/devices/system/cpu",
};

int box_confine_open(const struct box_spec *spec)
{
    const char *wish = getenv("WARPWISE_NO_SANDBOX");
    return spec->open || (wish && *wish && strcmp(wish, "0") != 0);
}

static void allow(int ruleset, const char *path, uint64_t access)
{
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0) return; // what is not there cannot be read either
    struct stat status;
    if (!fstat(fd, &status)) {
        if (!S_ISDIR(status.st_mode)) access &= FS_FILE;
        struct landlock_path_beneath_attr rule = {.allowed_access = access, .parent_fd = fd};
        syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    }
    close(fd);
}

int box_confine_ruleset(const struct box_spec *spec)
{
    if (box_confine_open(spec)) return -1;
    long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (abi < 1) return -1;
    uint64_t all = FS_ALL_1 | (abi >= 2 ? FS_REFER : 0) | (abi >= 3 ? FS_TRUNCATE : 0) | (abi >= 5 ? FS_IOCTL_DEV : 0);
    struct ruleset_attribute attribute = {.fs = all, .net = NET_TCP, .scoped = SCOPE_ABSTRACT_UNIX_AND_SIGNAL};
    size_t size = abi >= 6 ? sizeof attribute : abi >= 4 ? 16 : 8;
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &attribute, size, 0);
    if (ruleset < 0) return -1;
    for (size_t i = 0; i < sizeof system_folders / sizeof *system_folders; ++i)
        allow(ruleset, system_folders[i], FS_READ & all);
    allow(ruleset, "/dev/null", (FS_READ_FILE | FS_WRITE_FILE | FS_TRUNCATE) & all);
    allow(ruleset, spec->argv[0], FS_READ);
    for (unsigned i = 0; spec->readable && spec->readable[i]; ++i) allow(ruleset, spec->readable[i], FS_READ);
    for (unsigned i = 0; spec->writable && spec->writable[i]; ++i) allow(ruleset, spec->writable[i], all);
    if (spec->directory) allow(ruleset, spec->directory, all);
#ifdef COVERAGE // a program of ours that ends in a box writes its counters there
    allow(ruleset, "build/coverage", all);
#endif
    return ruleset;
}

// ---------------------------------------------------------------------------------------------------- seccomp
#if defined __x86_64__
#define FILTER_ARCH AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define FILTER_ARCH AUDIT_ARCH_AARCH64
#endif

#ifdef FILTER_ARCH
// Each is answered with EPERM. Numbers that a header lacks are left out: the kernel of such a system lacks them too.
static const int denied[] = {
    // other processes
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,
    SYS_perf_event_open,
    SYS_setsid,
    SYS_setpgid,
    SYS_pidfd_send_signal,
#ifdef SYS_pidfd_getfd
    SYS_pidfd_getfd,
#endif
    // keys, kernel machinery with a history of holes
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_bpf,
    SYS_userfaultfd,
    SYS_io_uring_setup,
    SYS_io_uring_enter,
    SYS_io_uring_register,
    // namespaces and mounts
    SYS_unshare,
    SYS_setns,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_move_mount,
    SYS_open_tree,
    SYS_fsopen,
    SYS_fsconfig,
    SYS_fsmount,
    SYS_fspick,
    SYS_open_by_handle_at,
    SYS_fanotify_init,
#ifdef SYS_mount_setattr
    SYS_mount_setattr,
#endif
    // the machine
    SYS_kexec_load,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_swapon,
    SYS_swapoff,
    SYS_reboot,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_adjtimex,
    SYS_clock_adjtime,
    SYS_quotactl,
    SYS_acct,
    SYS_syslog,
    SYS_vhangup,
#ifdef __x86_64__
    SYS_iopl,
    SYS_ioperm,
#endif
};
static const int no_process[] = {
// spec.single: besides
#ifdef SYS_fork
    SYS_fork,
    SYS_vfork,
#endif
    SYS_execveat,
};
static const int own_only[] = {SYS_kill, SYS_tkill, SYS_tgkill, SYS_rt_sigqueueinfo, SYS_rt_tgsigqueueinfo};

enum {
    FILTER_ROWS = 512,
    NEW_NAMESPACES =
        CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET
};
struct filter {
    struct sock_filter row[FILTER_ROWS];
    unsigned short rows;
};

static void emit(struct filter *f, uint16_t code, uint32_t k, uint8_t yes, uint8_t no)
{
    f->row[f->rows++] = (struct sock_filter){.code = code, .k = k, .jt = yes, .jf = no};
}

static void load(struct filter *f, size_t offset)
{
    emit(f, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void answer(struct filter *f, int error)
{
    emit(f, BPF_RET | BPF_K, error ? SECCOMP_RET_ERRNO | (uint32_t)error : SECCOMP_RET_ALLOW, 0, 0);
}

static void deny(struct filter *f, int number, int error)
{
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, 1);
    answer(f, error);
}

// Opens a group of rows for one call whose argument decides; the argument's low half is then loaded. `rows` follow.
static void with_argument(struct filter *f, int number, unsigned argument, uint8_t rows)
{
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)number, 0, (uint8_t)(rows + 1));
    load(f, offsetof(struct seccomp_data, args) + 8 * argument); // little endian: the low half comes first
}

static void write_filter(struct filter *f, const struct box_spec *spec, uint32_t self)
{
    int single = spec->single;
    load(f, offsetof(struct seccomp_data, arch));
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, FILTER_ARCH, 1, 0);
    emit(f, BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS, 0, 0);
    load(f, offsetof(struct seccomp_data, nr));
#ifdef __x86_64__
    emit(f, BPF_JMP | BPF_JGE | BPF_K, 0x40000000u, 0, 1); // the x32 calls: the same under other numbers
    answer(f, ENOSYS);
#endif
    for (size_t i = 0; i < sizeof denied / sizeof *denied; ++i) deny(f, denied[i], EPERM);
    with_argument(f, SYS_socket, 0, 3);
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, spec->local_sockets ? AF_UNIX : ~0u, 1, 0);
    answer(f, EAFNOSUPPORT);
    load(f, offsetof(struct seccomp_data, nr));
    deny(f, SYS_clone3, ENOSYS); // its flags lie in memory, which a filter cannot read; libc falls back to clone
    with_argument(f, SYS_clone, 0, 5);
    emit(f, BPF_JMP | BPF_JSET | BPF_K, NEW_NAMESPACES, 2, 0);
    emit(f, BPF_JMP | BPF_JSET | BPF_K, single ? CLONE_THREAD : 0xffffffffu, 0, 1); // 0xffffffff: anything set
    answer(f, 0);
    answer(f, EPERM);
    load(f, offsetof(struct seccomp_data, nr));
    with_argument(f, SYS_ioctl, 1, 4);
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, TIOCSTI, 1, 0);
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, TIOCLINUX, 0, 1);
    answer(f, EPERM);
    load(f, offsetof(struct seccomp_data, nr));
    with_argument(f, SYS_prlimit64, 0, 3); // limits of others
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
    answer(f, EPERM);
    load(f, offsetof(struct seccomp_data, nr));
    with_argument(f, SYS_kill, 0, 3); // "everyone that I may signal"
    emit(f, BPF_JMP | BPF_JEQ | BPF_K, 0xffffffffu, 0, 1);
    answer(f, EPERM);
    load(f, offsetof(struct seccomp_data, nr));
    for (size_t i = 0; single && i < sizeof no_process / sizeof *no_process; ++i) deny(f, no_process[i], EPERM);
    for (size_t i = 0; single && i < sizeof own_only / sizeof *own_only; ++i) {
        with_argument(f, own_only[i], 0, 3);
        emit(f, BPF_JMP | BPF_JEQ | BPF_K, self, 1, 0);
        answer(f, EPERM);
        load(f, offsetof(struct seccomp_data, nr));
    }
    answer(f, 0);
}

static int enter_filter(const struct box_spec *spec)
{
    struct filter filter = {.rows = 0};
    write_filter(&filter, spec, (uint32_t)getpid());
    struct sock_fprog program = {.len = filter.rows, .filter = filter.row};
    return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
}
#else
static int enter_filter(const struct box_spec *spec)
{
    (void)spec;
    return -1;
}
#endif

static void limit(int what, uint64_t value)
{
    struct rlimit now, wanted;
    if (getrlimit(what, &now)) return;
    wanted.rlim_max = now.rlim_max < value ? now.rlim_max : value;
    wanted.rlim_cur = wanted.rlim_max;
    setrlimit(what, &wanted);
}

enum box_level box_confine_enter(const struct box_spec *spec, int ruleset, unsigned long processes)
{
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_NOFILE, spec->files ? spec->files : 256);
    if (spec->address_space) limit(RLIMIT_AS, spec->address_space);
    if (spec->file_size) limit(RLIMIT_FSIZE, spec->file_size);
    if (spec->cpu_s) limit(RLIMIT_CPU, spec->cpu_s);
    if (processes) limit(RLIMIT_NPROC, processes);
    int privileges = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (privileges || box_confine_open(spec)) return BOX_LIMITS;
    int landlock = ruleset >= 0 && !syscall(SYS_landlock_restrict_self, ruleset, 0);
    int filter = !enter_filter(spec);
    return landlock && filter ? BOX_LANDLOCK : filter ? BOX_FILTERED : BOX_LIMITS;
}
