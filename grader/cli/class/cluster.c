// Implements ./grade batch --slurm and the command "task". The user runs "batch --slurm" on a login node, and the Slurm
// job runs "task" on the cluster's nodes. A task runs the same executable as the batch, with the batch's options and
// environment variables that affect a grade.
#define _GNU_SOURCE
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/die.h"
#include "base/text.h"
#include "batch/grading/cluster.h"
#include "cli/class/batch.h"
#include "device/profile.h"

#define SECRET "/secret" // file in the spool that holds the class's key

// Appends the text `before` and then the text `word`, quoted for the shell.
static void add_word(struct text *t, const char *before, const char *word)
{
    text_printf(t, "%s'", before);
    for (; *word; ++word) text_printf(t, *word == '\'' ? "'\\''" : "%c", *word);
    text_puts(t, "'");
}

// Writes the shell command that starts a task on a cluster's node. The shell command contains the path of this program,
// and the options and environment variables that affect a grade.
static void write_task(struct text *t, const struct cli_options *o)
{
    static const char *const passed[] = {"PATH",
                                         "CUDA_HOME",
                                         "LANG",
                                         "LANGUAGE",
                                         "LC_MESSAGES",
                                         "LC_ALL",
                                         "WARPWISE_SANDBOX",
                                         "WARPWISE_COMPILER",
                                         "WARPWISE_PATIENCE"};
    char self[CLI_PATH];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    if (n <= 0) die("cannot tell where the grader lies: /proc is not mounted");
    self[n] = '\0';
    text_puts(t, "exec env");
    for (size_t i = 0; i < sizeof passed / sizeof *passed; ++i) {
        char variable[32];
        snprintf(variable, sizeof variable, " %s=", passed[i]);
        if (getenv(passed[i])) add_word(t, variable, getenv(passed[i]));
    }
    add_word(t, " ", self);
    text_printf(t, " task --seed %" PRIu64 " --engine %s --compiler %s --jobs %" PRIu32 " --threads %" PRIu32, o->seed,
                cli_options_word("engine", o->engine), cli_options_word("compiler", (int)o->compiler),
                o->jobs ? o->jobs : 1, o->threads ? o->threads : 1);
    if (o->device) add_word(t, " --device ", o->device);
    if (o->card) add_word(t, " --card ", o->card);
    if (o->no_sandbox) text_puts(t, " --no-sandbox");
}

// Copies the class's key into the spool, because the cluster's nodes may have no access to the gradebook's folder. Only
// the user who runs the batch can read the spool.
static void put_secret(const struct cli_gradebook *b, struct spool *s)
{
    char path[sizeof s->path + sizeof SECRET];
    s->secret = *gradebook_secret(b->gradebook);
    snprintf(path, sizeof path, "%s" SECRET, s->path);
    int error = secret_write(&s->secret, path);
    if (error) die("cannot write '%s': %s", path, strerror(error));
}

static void get_secret(const struct spool *s, struct secret *secret)
{
    char path[sizeof s->path + sizeof SECRET];
    struct text why = {0};
    snprintf(path, sizeof path, "%s" SECRET, s->path);
    if (secret_read(secret, path, 0, &why)) die("%s", why.data);
}

uint32_t cli_cluster(struct cli_gradebook *b, struct batch *batch)
{
    const struct cli_options *o = b->options;
    const struct device_profile *device = device_profile_find(o->device);
    struct text task = {0};
    char folder[CLI_PATH + 8];
    if (!device) die("there is no device '%s'", o->device);
    write_task(&task, o);
    struct cluster c = {.request = {o->partition, o->account, o->qos, o->constraint, o->gres, o->jobs ? o->jobs : 1},
                        .tasks = o->tasks,
                        .task = task.data,
                        .device = device->name,
                        .seed = (int64_t)o->seed};
    snprintf(folder, sizeof folder, "%s/slurm", b->out);
    spool_open(&c.spool, folder);
    put_secret(b, &c.spool);
    cluster_run(batch, &c);
    text_free(&task);
    return c.left;
}

static uint32_t parse_part(const char *text)
{
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (end == text || *end || value > UINT32_MAX) die("'%s' is no number of a task", text);
    return (uint32_t)value;
}

int cli_cluster_task(const struct cli_options *options, int argc, char **argv)
{
    static struct cli_batch_judging judging;
    struct spool spool;
    if (argc != 3) die("this command is started by './grade batch --slurm'");
    uint32_t number = parse_part(argv[1]), count = parse_part(argv[2]);
    spool_open(&spool, argv[0]);
    cli_batch_judging_make(&judging, options);
    get_secret(&spool, &spool.secret);
    judging.pool.job.secret = spool.secret;
    cluster_task(&spool, &judging.pool, &judging.key, number, count ? count : 1);
    return 0;
}
