// A runner that a student's image took over: the simulator's, that beside its work does one thing which no runner of
// ours does. Which one, the image says: it has a variable lie_NAME, and lie.def lists the names.
//
// A lie of LAUNCH is told from the first launch on, behind the work and before the judge is answered, so that it finds
// the shared memory as the judge will read it; from a thread of its own where it must come later (races). What must be
// impossible (expect_no) ends the runner if it succeeds.
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/die.h"
#include "device/profile.h"
#include "sim/sim.h"
#include "wire/shared.h"

enum { MEMORY = 3, DOORBELL = 4 };

static void expect_no(int success)
{
    if (success >= 0) die("this should have been impossible");
}

static void find_descriptors(void)
{
    for (int fd = 5; fd < 1024; ++fd) expect_no(fcntl(fd, F_GETFD));
}

static void eat_memory(void)
{
    for (;;) {
        char *more = malloc(64 << 20);
        if (!more) die("out of memory, as it should be");
        memset(more, 1, 64 << 20);
    }
}

static void *write_forever(void *shared)
{
    struct wire_shared *s = shared;
    while (s->build.magic) s->observation.nfindings = s->observation.nfindings ? 0 : 1u << 30;
    return NULL;
}

static void race(struct wire_shared *s)
{
    static pthread_t thread;
    if (!thread && pthread_create(&thread, NULL, write_forever, s)) die("no thread");
}

enum when { LOAD, LAUNCH };
#define LIE(name, when, statement)                                                                                     \
    static void tell_##name(struct wire_shared *s, struct wire_reply *r, struct observation *o)                        \
    {                                                                                                                  \
        (void)s;                                                                                                       \
        (void)r;                                                                                                       \
        (void)o;                                                                                                       \
        (void)(statement);                                                                                             \
    }
#include "lie.def"
#undef LIE

static const struct lie {
    const char *name;
    enum when when;
    void (*tell)(struct wire_shared *, struct wire_reply *, struct observation *);
} lies[] = {
#define LIE(name, when, statement) {#name, when, tell_##name},
#include "lie.def"
#undef LIE
};

static struct wire_shared *shared;
static const struct lie *chosen;

static void tell(enum when when)
{
    if (chosen && chosen->when == when) chosen->tell(shared, &shared->reply, &shared->observation);
}

static const struct lie *choose(const char *image, size_t bytes)
{
    for (size_t i = 0; i < sizeof lies / sizeof *lies; ++i) {
        char word[64];
        int length = snprintf(word, sizeof word, " lie_%s ", lies[i].name);
        const char *at = memmem(image, bytes, word, (size_t)length - 1);
        if (at && strchr(" ;=\n", at[length - 1])) return &lies[i];
    }
    return NULL;
}

static int load(struct engine *e, const char *image, size_t bytes, struct engine_image *facts, char *message)
{
    chosen = choose(image, bytes);
    int answer = sim_engine_ops.load(e, image, bytes, facts, message);
    tell(LOAD);
    return answer;
}

static void launch(struct engine *e, const struct engine_launch *l, struct observation *o)
{
    sim_engine_ops.launch(e, l, o);
    tell(LAUNCH);
}

static int describe(const char *name, struct wire_device *device)
{
    const struct device_profile *profile = device_profile_find(name[0] ? name : NULL);
    if (!profile) return -1;
    snprintf(device->name, sizeof device->name, "%s", profile->name);
    snprintf(device->title, sizeof device->title, "%s", profile->title);
    device->sms = (uint32_t)profile->sms;
    device->shared_per_block = (uint32_t)profile->shared_per_block;
    device->capability = (uint32_t)profile->compute_capability;
    device->l2_bytes = (uint64_t)profile->l2_bytes;
    device->dram_mbs = (uint64_t)profile->dram_read_gbs * 1000;
    return 0;
}

int main(void)
{
    struct engine_ops ops = sim_engine_ops;
    ops.load = load;
    ops.launch = launch;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED, MEMORY, 0);
    if (shared == MAP_FAILED) die("no memory shared with a judge");
    return wire_serve(MEMORY, DOORBELL, &ops, describe);
}
