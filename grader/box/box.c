// Waits until boxes (sandboxes) end, and ends boxes. The file start.c describes the processes of a box and how a box
// starts.
//
// Waiting: one call of poll() covers the output pipes and process descriptors of all boxes, until the nearest deadline.
// A box ends when its first process ends, its time is over, or its output exceeds the limit. When a box ends, finish()
// kills the box's process group, and its control group if the box has a control group. After killing the box's
// processes, finish() reads the rest of the box's output pipe for at most a second. End of file on the output pipe
// shows that no process of the box holds the pipe any more. After reading the box's output pipe, finish() reaps the
// first process of the box. Until finish() has killed the process group, an ended first process stays a zombie, so no
// other process group can get its process number. If a box has a process namespace, the kernel kills all remaining
// processes of the box when process 1 of the namespace ends.
//
// Clocks: the grader's process measures the time limit of a box with CLOCK_MONOTONIC. RLIMIT_CPU also limits the
// processor time of the program in a box.
#define _GNU_SOURCE
#include "box/box.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/die.h"
#include "base/message.h"
#include "base/text.h"
#include "box/cleanup.h"
#include "box/group.h"

static const double REAP_S = 10, DRAIN_S = 1; // longest waits in seconds: for a process to end, for its output
enum { LOOK_NS = 50000000 };                  // mean time between two looks of box_wait_awake() at a box

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

// --------------------------------------------------------------------------------------------------------- end
// Reads the available output from the output pipe of a box. Returns -1 if the output exceeds box.output_limit, 0 at end
// of file, or 1 if more output may come later.
static int take_output(struct box *box)
{
    char bytes[16384];
    while (box->output_fd >= 0) {
        ssize_t n = read(box->output_fd, bytes, sizeof bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return 1;
        if (n == 0) { // close the pipe at end of file, because poll() would return at once from now on
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

static int is_fatal(int signal)
{
    return signal > 0 && signal <= SIGSYS;
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
    if (!done) message_warn("process %d cannot be killed: it hangs in the system", (int)box->pid);
    if (done <= 0) status = 127 << 8; // the exit status is unknown and must not count as success
    box->pid = 0;
    if (box->end == BOX_RUNNING) {
        box->end = WIFSIGNALED(status) ? BOX_SIGNALLED : BOX_EXITED;
        box->code = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
        if (box->level == BOX_FULL && box->end == BOX_EXITED && is_fatal(box->code - 128)) {
            box->end = BOX_SIGNALLED; // bubblewrap exits with 128 + signal, as a shell does
            box->code -= 128;
        }
    }
    box->cpu_s = (double)usage.ru_utime.tv_sec + (double)usage.ru_stime.tv_sec +
                 (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
    box->peak = (uint64_t)usage.ru_maxrss * 1024;
}

static void finish(struct box *box, enum box_end end)
{
    box->end = end;
    kill(-box->pid, SIGKILL);
    box_group_kill(box->group);
    box_cleanup_drop_process(box->pid);
    box->wall_s = seconds_since(box->start_ns);
    drain(box);
    reap(box);
    box_group_remove(box->group);
    box->group = 0;
}

static int has_ended(const struct box *box)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)box->pid, &info, WEXITED | WNOHANG | WNOWAIT) || info.si_pid == box->pid;
}

int box_poll(struct box *box)
{
    if (!box->pid) return 0;
    int ended = has_ended(box); // checked before reading, so that the pipe then holds all output of the ended process
    if (take_output(box) < 0)
        finish(box, BOX_FLOODED);
    else if (ended)
        finish(box, BOX_RUNNING);
    else if (box->wall_s > 0 && seconds_since(box->start_ns) >= box->wall_s)
        finish(box, BOX_TIMEOUT);
    else if (box_shared_files(box) > BOX_SHARED_FILES)
        finish(box, BOX_CROWDED);
    return box->pid != 0;
}

static int nap_ms(struct box *const box[], unsigned count, int have_descriptors)
{
    // Seconds; without process descriptors (pidfd), box_wait() must poll for the end of the first process.
    double nap = have_descriptors ? 60 : 0.005;
    for (unsigned i = 0; i < count; ++i) {
        if (box[i]->pid && box[i]->shares && nap > LOOK_NS / 1e9) nap = LOOK_NS / 1e9;
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

// Returns the time until the next look at a box, 25 to 75 ms. The program in the box cannot foresee the looks, so it
// cannot be awake just at these moments.
static long long look_ns(void)
{
    uint32_t random = 1 << 31;
    if (getrandom(&random, sizeof random, GRND_NONBLOCK) != sizeof random) random = 1 << 31;
    return (LOOK_NS / 2) + (long long)(random % LOOK_NS);
}

void box_wait_awake(struct box *box, const struct box *partner, double most_s)
{
    int ended = box->pid ? (int)syscall(SYS_pidfd_open, box->pid, 0) : -1;
    long long before = now_ns(), next = before + look_ns();
    uint64_t wanted_before = 0;
    while (box_poll(box)) {
        struct pollfd wait[] = {{.fd = ended, .events = POLLIN}, {.fd = box->output_fd, .events = POLLIN}};
        long long left = (next - now_ns()) / 1000000 + 1;
        poll(wait, 2, ended < 0 || left < 0 ? 5 : (int)left);
        long long now = now_ns();
        if (now < next) continue; // the output of a box does not delay a look
        // a machine that was itself suspended adds one look
        long long passed = now - before < 2 * LOOK_NS ? now - before : LOOK_NS;
        uint64_t wanted = 0;
        int asleep = box_is_asleep(box, &wanted) & box_is_asleep(partner, &wanted);
        int worked = wanted > wanted_before && wanted - wanted_before > (uint64_t)(now - before) / 2;
        if (asleep && !worked) box->asleep_s += (double)passed / 1e9;
        wanted_before = wanted;
        if (box->asleep_s >= most_s) finish(box, BOX_ASLEEP);
        before = now;
        next = now + look_ns();
    }
    if (ended >= 0) close(ended);
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
