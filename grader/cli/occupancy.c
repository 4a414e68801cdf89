// Implements ./grade occupancy, which shows how many blocks of a kernel are resident on a multiprocessor, and which
// resource limits this number. The command ./grade occupancy also shows which change of the kernel makes room for one
// more resident block.
#include <inttypes.h>
#include <langinfo.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "base/message.h"
#include "base/text.h"
#include "cli/job.h"
#include "device/occupancy.h"
#include "device/profile.h"
#include "judge/kernel/attributes.h"

enum { BAR = 40, WARP = 32 };

static void draw_bar(const struct occupancy *o, const struct device_profile *d)
{
    int utf8 = !strcmp(nl_langinfo(CODESET), "UTF-8");
    int full = (int)((int64_t)o->warps * BAR / d->warps_per_sm);
    printf("  ");
    for (int i = 0; i < BAR; ++i) fputs(i < full ? (utf8 ? "█" : "#") : (utf8 ? "░" : "."), stdout);
    printf(_("  %" PRIu32 " of %" PRId64 " warps: occupancy %" PRIu32 " %%\n"), o->warps, d->warps_per_sm,
           o->permille / 10);
}

// Returns the largest number of registers per thread, or of shared bytes per block, with which one more block fits on a
// multiprocessor. Returns 0 if no number of registers or shared bytes is small enough.
static uint32_t enough(const struct device_profile *d, const struct kernel_attributes *f, enum occupancy_limit what,
                       uint32_t blocks)
{
    struct kernel_attributes less = *f;
    uint32_t *value = what == LIMIT_REGISTERS ? &less.registers : &less.shared;
    while (*value > 1) {
        --*value;
        if (occupancy_of(d, less.threads, less.registers, less.shared).by[what] > blocks) return *value;
    }
    return 0;
}

static void advise(const struct device_profile *d, const struct kernel_attributes *f, const struct occupancy *o)
{
    uint32_t room = enough(d, f, o->limit, o->blocks);
    if (o->limit == LIMIT_REGISTERS && room)
        printf(_("  one block more from %" PRIu32 " registers a thread down (__launch_bounds__ asks for it)\n"), room);
    if (o->limit == LIMIT_SHARED && room)
        printf(_("  one block more from %" PRIu32 " bytes of shared memory a block down\n"), room);
    if (o->limit == LIMIT_BLOCKS) printf(_("  blocks are too small to fill it: larger ones would\n"));
    if (o->limit == LIMIT_WARPS && o->permille < 1000)
        printf(_("  the rest is too little for a block of %" PRIu32 " threads: smaller blocks would fill it\n"),
               f->threads);
}

static void show(const struct device_profile *d, const struct kernel_attributes *f)
{
    struct occupancy o = occupancy_of(d, f->threads, f->registers, f->shared);
    printf(_("\n%s: blocks of %" PRIu32 " threads (%" PRIu32 " warps), %" PRIu32 " registers a thread, %" PRIu32
             " bytes of shared memory\n"),
           f->name, f->threads, (f->threads + WARP - 1) / WARP, f->registers, f->shared);
    for (int i = 0; i < OCCUPANCY_LIMITS; ++i)
        printf(_("  %-14s %4" PRIu32 " block%s%s\n"), _(occupancy_limit_name[i]), o.by[i], o.by[i] == 1 ? " " : "s",
               (enum occupancy_limit)i == o.limit ? _("  <- the limit") : "");
    if (o.blocks)
        draw_bar(&o, d);
    else
        printf(_("  not one block fits\n"));
    advise(d, f, &o);
}

static int of_lab(const struct cli_options *options, int argc, char **argv, struct kernel_attributes fact[LAB_KERNELS])
{
    static struct cli_job job;
    struct text why = {0};
    const struct lab *lab = cli_lab(argv[0]);
    if (argc > 2) die("'%s' is one word too many: ./grade occupancy %s [FILE]", argv[2], lab->name);
    if (lab->host) die("'%s' is host code: its kernel is given", lab->name);
    cli_job_make(&job, options, lab, argc == 2 ? argv[1] : NULL);
    int count = kernel_attributes(&job.judge, fact, &why);
    if (count < 0) fprintf(stderr, "%s", why.data);
    text_free(&why);
    cli_job_free(&job);
    return count;
}

int cli_occupancy(const struct cli_options *options, int argc, char **argv)
{
    struct kernel_attributes fact[LAB_KERNELS] = {
        {.name = "kernel", .threads = options->block, .registers = options->registers, .shared = options->shared}};
    const struct device_profile *d = device_profile_find(options->device);
    if (!d) die("there is no device '%.40s'", options->device);
    if (!argc == !options->block) die("name a lab, or say --block N [--registers N] [--shared N]");
    int count = argc ? of_lab(options, argc, argv, fact) : 1;
    if (count < 0) return 1;
    printf(_("%s: a multiprocessor has room for %" PRId64 " warps, %" PRId64 " blocks, %" PRId64 " registers, %" PRId64
             " KB of shared memory\n"),
           d->title, d->warps_per_sm, d->blocks_per_sm, d->registers_per_sm, d->shared_per_sm / 1024);
    for (int i = 0; i < count; ++i) show(d, &fact[i]);
    return 0;
}
