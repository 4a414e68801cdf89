// Runs Slurm's command-line programs. Slurm's programs wait for minutes if the controller does not answer, so each
// program runs with a time limit. The command "squeue --states=all" also lists tasks that have ended, but only for some
// minutes after their end (MinJobAge). After the time MinJobAge, only the program sacct knows the ended tasks, and only
// on clusters with accounting. Slurm is never asked for the results of submissions, because tasks write their results
// to files. This file does not use the option --wait of sbatch, because a waiting sbatch polls the job rarely. A
// waiting sbatch also returns only when the last node has been cleaned up.
#define _GNU_SOURCE
#include "batch/grading/slurm.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "batch/grading/command.h"

enum { ARGUMENTS = 32, WORD = 160, ARRAY_MOST = 1000 };
static const double PATIENCE_S = 60;

uint32_t slurm_array_most(void)
{
    char *argv[] = {"scontrol", "show", "config", NULL};
    struct text out = {0}, why = {0};
    uint32_t most = 0;
    command_run(argv, PATIENCE_S, &out, &why);
    const char *at = strstr(out.data, "MaxArraySize");
    if (at) sscanf(at, "MaxArraySize = %" SCNu32, &most);
    text_free(&out);
    text_free(&why);
    return most ? most : ARRAY_MOST;
}

// Returns 1 if the message `said` of sbatch says that the array is too long for the cluster or for the user's account.
static int is_limit(const char *said)
{
    return strcasestr(said, "limit") || strcasestr(said, "array spec");
}

static int64_t submit(const struct slurm_request *w, const char *folder, const char *script, uint32_t tasks,
                      struct text *why)
{
    const struct {
        const char *option, *value;
    } wish[] = {{"partition", w->partition},   {"account", w->account}, {"qos", w->qos},
                {"constraint", w->constraint}, {"gres", w->gres},       {"chdir", folder}};
    enum { WISHES = sizeof wish / sizeof *wish };
    char *text[WISHES] = {NULL}, array[WORD], cpus[WORD], *argv[ARGUMENTS];
    int n = 0;
    snprintf(array, sizeof array, "--array=0-%" PRIu32, tasks - 1);
    snprintf(cpus, sizeof cpus, "--cpus-per-task=%" PRIu32, w->cpus);
    // The batch itself judges a lost submission again. Slurm's requeueing would wait for minutes and would judge a
    // submission twice. The script that sbatch submits sets all environment variables that the task needs.
    char *const fixed[] = {"sbatch",      "--parsable",   "--job-name=warpwise",    "--nodes=1",
                           "--ntasks=1",  "--no-requeue", "--output=log/%A_%a.txt", "--open-mode=append",
                           "--export=NIL"};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; ++i) argv[n++] = fixed[i];
    argv[n++] = array;
    argv[n++] = cpus;
    for (int i = 0; i < WISHES; ++i)
        if (wish[i].value && asprintf(&text[i], "--%s=%s", wish[i].option, wish[i].value) > 0) argv[n++] = text[i];
    argv[n++] = (char *)(uintptr_t)script;
    argv[n] = NULL;
    struct text out = {0};
    int64_t job = command_run(argv, PATIENCE_S, &out, why) ? 0 : strtoll(out.data, NULL, 10);
    for (int i = 0; i < WISHES; ++i) free(text[i]);
    text_free(&out);
    return job;
}

int64_t slurm_submit(const struct slurm_request *w, const char *folder, const char *script, uint32_t *tasks,
                     struct text *why)
{
    for (;; *tasks = (*tasks + 1) / 2) {
        text_free(why);
        int64_t job = submit(w, folder, script, *tasks, why);
        if (job || *tasks == 1 || !is_limit(why->data)) return job;
    }
}

enum fate { WAITS, RUNS, ENDED, TAKEN, CANCELLED, FAILED };

// Returns what became of a task, given the state that squeue or sacct printed. A state that is not in the array of
// known Slurm states means that the task failed.
static enum fate fate_of(const char *word)
{
    static const struct {
        const char *word;
        enum fate fate;
    } known[] = {
        {"PENDING", WAITS},       {"REQUEUED", WAITS},  {"REQUEUE_HOLD", WAITS},  {"REQUEUE_FED", WAITS},
        {"RESV_DEL_HOLD", WAITS}, {"RUNNING", RUNS},    {"COMPLETING", RUNS},     {"CONFIGURING", RUNS},
        {"SUSPENDED", RUNS},      {"STOPPED", RUNS},    {"SIGNALING", RUNS},      {"STAGE_OUT", RUNS},
        {"RESIZING", RUNS},       {"COMPLETED", ENDED}, {"NODE_FAIL", TAKEN},     {"BOOT_FAIL", TAKEN},
        {"PREEMPTED", TAKEN},     {"REVOKED", TAKEN},   {"CANCELLED", CANCELLED},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; ++i)
        if (!strcmp(word, known[i].word)) return known[i].fate;
    return FAILED;
}

// Copies the next field of a line of squeue's or sacct's output, up to '|', to `to`. Returns the rest of the line
// behind the '|' that ends the field.
static const char *field(const char *at, char *to, size_t size)
{
    size_t length = strcspn(at, "|\n");
    snprintf(to, size, "%.*s", (int)length, at);
    return at + length + (at[length] == '|');
}

// Adds a line of squeue's or sacct's output to *s: a task's state, node, and reason for waiting.
static void take(struct slurm_state *s, const char *line)
{
    char word[32], node[64], reason[64];
    field(field(field(line, word, sizeof word), node, sizeof node), reason, sizeof reason);
    word[strcspn(word, " +")] = '\0'; // sacct may print "CANCELLED by 0"
    enum fate fate = fate_of(word);
    s->waiting += fate == WAITS;
    s->running += fate == RUNS;
    s->lost += fate == TAKEN;
    s->cancelled += fate == CANCELLED;
    if (fate == WAITS) snprintf(s->reason, sizeof s->reason, "%s", reason);
    if (fate < TAKEN) return;
    snprintf(s->word, sizeof s->word, "%s", word);
    snprintf(s->node, sizeof s->node, "%s", node);
}

int slurm_query(int64_t job, struct slurm_state *s, struct text *why)
{
    char number[32];
    snprintf(number, sizeof number, "%" PRId64, job);
    char *queue[] = {"squeue", "--noheader", "--array", "--states=all", "--format=%T|%N|%r", "--jobs", number, NULL};
    char *account[] = {
        "sacct", "--noheader", "--allocations", "--parsable2", "--format=State,NodeList,Reason", "--jobs",
        number,  NULL};
    struct text out = {0}, said = {0};
    *s = (struct slurm_state){0};
    int code = command_run(queue, PATIENCE_S, &out, &said), gone = code && strcasestr(said.data, "invalid job id");
    if (gone) { // the job ended some time ago, and squeue no longer lists the job
        text_free(&out);
        text_free(&said);
        // a cluster without accounting gives no answer, and the function does not need the answer
        command_run(account, PATIENCE_S, &out, &said);
    } else if (code) {
        text_puts(why, said.data);
    }
    for (const char *line = out.data; *line; line += strcspn(line, "\n"), line += *line == '\n') take(s, line);
    text_free(&out);
    text_free(&said);
    return code && !gone ? -1 : 0;
}

void slurm_cancel(int64_t job)
{
    char number[32];
    snprintf(number, sizeof number, "%" PRId64, job);
    char *argv[] = {"scancel", number, NULL};
    struct text out = {0}, why = {0};
    command_run(argv, PATIENCE_S, &out, &why);
    text_free(&out);
    text_free(&why);
}
