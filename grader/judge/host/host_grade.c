// Grades submissions of host labs, which are labs in which students write host code.
//
// Theory of operation. The submission is compiled together with the lab's main() to an executable program. Each test
// case is a separate run of the program (host_run.h), so it cannot affect the process or the devices of another test
// case. Simulated times are read from the virtual clock of the runner process. The timed part of a run begins when the
// program gets the inputs and ends when the last output is in the program's memory.
//
//   student     run each correctness case; if all are right and nothing was found, run the speed case
//   baseline    take the time from the baseline's record (job/record.h); where no record matches, compile the baseline
//               and run its speed case, in parallel with the student's program
//
// After the simulated runs,
// the student's program and the baseline program run timed iterations on a GPU, if there is a GPU (card/programs.h).
// The time that is measured on the GPU replaces the simulated time.
//
// In the simulated speed case (the test case whose time is measured), only a sample of each launch's blocks is
// executed, so outputs are not compared with expected values. In the speed case, host_run_complete() checks that each
// output word passed through the lab's kernel and came back to the host.
#define _GNU_SOURCE
#include "judge/host/host_grade.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/die.h"
#include "base/message.h"
#include "base/text.h"
#include "compile/discard.h"
#include "compile/place.h"
#include "judge/card/card.h"
#include "judge/card/programs.h"
#include "judge/host/host_baseline.h"
#include "judge/host/host_run.h"
#include "judge/job/judge_baseline.h"
#include "judge/job/runner.h"

enum { PRINT_SHOWN = 4 << 10 };
// CASES_S limits the seconds for which a program and its devices use the processor or sleep, over all test cases
// together. All test cases of a correct program together take less than a second. CASES_S stops a program that stays,
// in every single test case, just below the limits of a test case (host_run.c).
static const double CASES_S = 20;

struct host_runs {
    struct grading *grading;
    struct program_spec spec;
    struct program program;     // the student's program
    struct judge_baseline base; // the baseline's program, for measuring on a GPU
    struct text image;          // PTX of the lab's kernel
    struct host_run speed;
    int speed_ran;
    struct judge_record baseline; // time and counters of the baseline
    int baseline_ran;             // 1: the baseline was simulated, because no record of it matches
    int lost;                     // 1: the program ended the simulator in some case
    const char *last; // untranslated sentence that says why later cases are not run; NULL: later cases are run
    double spent_s;   // seconds that the program and its devices used the processor or slept in all cases so far
};

// -------------------------------------------------------------------------------------------------------- source lines
enum { AT, OTHER, ORIGIN, PLACES };

// Finds the source lines of the `count` code addresses in `raw`, which come from the trace of a host program's run.
// Returns an array of `count` source locations, which the caller frees. The source location of an address outside the
// student's file has line 0.
static struct compile_place *find_places(const struct host_runs *g, const struct host_place *raw, uint32_t count)
{
    uint64_t *address = alloc_zeroed(count + 1, sizeof *address);
    struct compile_place *place = alloc_zeroed(count + 1, sizeof *place),
                         *found = alloc_zeroed(count + 1, sizeof *found);
    uint32_t *of = alloc_zeroed(count + 1, sizeof *of), n = 0;
    for (uint32_t i = 0; i < count; ++i) {
        if (raw[i].object != HOST_OBJECT_PROGRAM || !raw[i].offset) continue;
        uint32_t k = 0;
        while (k < n && address[k] != raw[i].offset) ++k;
        if (k == n) address[n++] = raw[i].offset;
        of[i] = k + 1;
    }
    struct stopwatch_lap lap = stopwatch_begin(0);
    if (n) compile_places(g->program.path, &g->spec, address, n, found);
    if (n) stopwatch_end(g->grading->job->timing, &lap, 0, "find lines in the program", NULL);
    for (uint32_t i = 0; i < count; ++i)
        if (of[i] && !strcmp(found[of[i] - 1].file, g->grading->job->shown)) place[i] = found[of[i] - 1];
    free(address);
    free(found);
    free(of);
    return place;
}

// Returns the place of a call. The line tables of a program tell the line of a call but not its column.
static struct finding_place line_of(const struct judge_job *job, const struct compile_place *p)
{
    struct bundle source = judge_job_bundle(job);
    uint32_t column = p->line ? bundle_column(&source, p->line) : 0;
    return (struct finding_place){.file = p->line ? FILE_STUDENT : FILE_OTHER,
                                  .line = p->line,
                                  .column = column < UINT16_MAX ? (uint16_t)column : 0};
}

// ------------------------------------------------------------------------------------------------------------ findings
static void say_defect(const struct judge_job *job, const struct host_trace_finding *f,
                       const struct compile_place *place, char sentence[VERDICT_SENTENCE])
{
    struct text said = {0};
    char line[BUNDLE_LINE];
    text_puts(&said, _(host_trace_defect_info[f->defect].text));
    if (f->text[0]) text_puts(&said, ": ");
    host_trace_failure(f, &said);
    if (place[ORIGIN].line && place[ORIGIN].line != place[AT].line)
        text_say(&said, " (the memory of line %s)", judge_job_line(job, place[ORIGIN].line, line));
    snprintf(sentence, VERDICT_SENTENCE, "%s", said.data);
    text_free(&said);
}

// Converts a finding of the trace to a finding of the verdict. A finding inside a kernel gets the source line of the
// kernel's launch, because the kernel itself belongs to the lab.
static struct verdict_finding finding_of(const struct judge_job *job, const struct host_trace *s,
                                         const struct host_trace_finding *f, const struct compile_place *place)
{
    struct verdict_finding v = {.defect = f->defect, .job = job, .optimised = 1};
    if (f->defect) {
        v.finding.at = line_of(job, &place[AT]);
        v.finding.other = line_of(job, &place[OTHER]);
        v.finding.second = place[OTHER].line != 0;
        say_defect(job, f, place, v.sentence);
        v.reason = f->reason;
        v.a = f->bytes;
        v.b = f->offset;
    } else {
        v.finding = f->finding;
        struct finding_place at = line_of(job, &place[AT]);
        v.finding.at.file = at.file;
        v.finding.at.line = at.line;
        v.finding.at.column = at.column;
        v.finding.second = 0;
    }
    v.finding.count = f->count;
    v.finding.buffer = -1;
    if (f->kernel < s->nkernels) snprintf(v.kernel, sizeof v.kernel, "%.63s", s->kernel[f->kernel].name);
    return v;
}

// Returns 1 if a defect of the kind `defect`, such as leaked memory, does not count against a program that was stopped.
// A stopped program has no chance to free memory, streams or events, or to synchronise.
static int is_left_behind(uint32_t defect)
{
    return defect == DEFECT_LEAKED_MEMORY || defect == DEFECT_LEAKED_STREAM || defect == DEFECT_LEAKED_EVENT ||
           defect == DEFECT_NEVER_SYNCED;
}

// Returns 1 if the program does not look at the error of the failed call. Other calls that fail later in the same run
// are often consequences, so only the first one counts.
static int is_unchecked(const struct judge_job *job, const struct host_trace_finding *f,
                        const struct compile_place *place)
{
    return f->silent || (place->line && compile_discards(job->source, job->bytes, place->line, f->text));
}

// Adds the findings of one run of the student's program to the verdict. `which` is the index of the test case in the
// verdict, or VERDICT_CASES for the speed case.
static void take_findings(struct host_runs *g, const struct host_run *t, uint32_t which)
{
    const struct host_trace *s = t->devices.trace;
    struct host_place *raw = alloc_zeroed((size_t)s->nfindings * PLACES + 1, sizeof *raw);
    for (uint32_t i = 0; i < s->nfindings; ++i) {
        const struct host_trace_finding *f = &s->finding[i];
        raw[i * PLACES + AT] = f->place;
        raw[i * PLACES + OTHER] = f->other;
        raw[i * PLACES + ORIGIN] = f->origin;
    }
    struct compile_place *place = find_places(g, raw, s->nfindings * PLACES);
    int failures = 0;
    for (uint32_t i = 0; i < s->nfindings; ++i) {
        if (t->result == CASE_STOPPED && is_left_behind(s->finding[i].defect)) continue;
        if (s->finding[i].defect == DEFECT_UNCHECKED &&
            (!is_unchecked(g->grading->job, &s->finding[i], &place[i * PLACES + AT]) || failures++))
            continue;
        struct verdict_finding v = finding_of(g->grading->job, s, &s->finding[i], &place[i * PLACES]);
        v.which = which;
        v.cases = which < VERDICT_CASES ? UINT64_C(1) << which : 0;
        v.hidden = (t->which->flags & CASE_HIDDEN) != 0;
        verdict_findings_add(&g->grading->verdict->findings, &v);
    }
    if (!(t->which->flags & CASE_HIDDEN)) g->grading->verdict->findings.dropped += (uint32_t)s->findings_dropped;
    free(raw);
    free(place);
}

// --------------------------------------------------------------------------------------------------------------- cases
static void take_box(struct verdict *v, const struct host_run *t)
{
    const struct host_trace *s = t->devices.trace;
    enum box_level level = t->host.level < t->devices.runner.level ? t->host.level : t->devices.runner.level;
    if (level < v->sandbox) v->sandbox = level;
    snprintf(v->device.engine, sizeof v->device.engine, "sim");
    snprintf(v->device.name, sizeof v->device.name, "%s", s->device);
    snprintf(v->device.title, sizeof v->device.title, "%s", s->title);
    v->device.sms = s->sms;
}

static void take_print(struct verdict *v, const struct host_run *t)
{
    const struct text *said = &t->host.output;
    if (v->print.length || (t->which->flags & CASE_HIDDEN) || !said->length) return;
    text_add(&v->print, said->data, said->length < PRINT_SHOWN ? said->length : PRINT_SHOWN);
    if (said->length > PRINT_SHOWN) text_say(&v->print, "\n… (more was printed)\n");
}

static void run_case(struct host_runs *g, const struct lab_case *which)
{
    struct verdict *v = g->grading->verdict;
    struct verdict_case *c = &v->item[v->ncases];
    struct host_run t;
    int buffer = -1;
    *c = (struct verdict_case){.which = which};
    host_run_start(&t, g->grading->job, which, g->program.path, &g->image);
    c->result = t.result;
    if (c->result == CASE_RIGHT) c->result = host_run_compare(&t, &c->comparison, &buffer, &c->outputs);
    memcpy(c->message, t.message, sizeof c->message);
    if (buffer >= 0) {
        c->buffer = t.plan.buffer[buffer].name;
        c->type = t.plan.buffer[buffer].type;
        c->count = t.plan.buffer[buffer].count;
    }
    g->spent_s += t.host.cpu_s + t.host.asleep_s + t.devices.runner.cpu_s;
    g->last = t.last;
    g->lost |= t.devices.message[0] != '\0';
    if (!g->last && g->spent_s > CASES_S * judge_runner_patience())
        g->last = N_("not run, because the cases before took too much time");
    take_findings(g, &t, v->ncases);
    take_print(v, &t);
    take_box(v, &t);
    v->nright += c->result == CASE_RIGHT;
    ++v->ncases;
    host_run_free(&t);
    grading_step(g->grading, which->flags & CASE_HIDDEN ? _("a hidden case") : which->name);
}

static void leave_out(struct verdict *v, const struct lab_case *which, const char *why)
{
    struct verdict_case *c = &v->item[v->ncases++];
    *c = (struct verdict_case){.which = which, .result = CASE_STOPPED};
    message_print(c->message, sizeof c->message, "%s", _(why));
}

static void run_cases(struct host_runs *g)
{
    const struct lab *lab = g->grading->job->lab;
    for (uint32_t i = 0; i < lab->ncases; ++i) {
        if (lab->cases[i].flags & CASE_SPEED) continue;
        if (g->last)
            leave_out(g->grading->verdict, &lab->cases[i], g->last);
        else
            run_case(g, &lab->cases[i]);
    }
    if (g->grading->verdict->nright == g->grading->verdict->ncases &&
        !verdict_defects(&g->grading->verdict->findings)) {
        host_run_start(&g->speed, g->grading->job, lab_speed_case(lab), g->program.path, &g->image);
        g->speed_ran = 1;
        g->lost |= g->speed.devices.message[0] != '\0';
        take_findings(g, &g->speed, VERDICT_CASES);
    }
    grading_step(g->grading, N_("speed"));
}

static void *run_baseline(void *data)
{
    struct host_runs *g = data;
    host_baseline_run(g->grading->job, &g->image, &g->baseline);
    g->baseline_ran = 1;
    return NULL;
}

// Runs the baseline if the student's program ended its simulator and the baseline has not run yet. If a fault of the
// machine ended the simulator, the same fault ends the baseline's simulator, and the grader with it.
static void try_machine(const struct host_runs *g)
{
    struct judge_record unused;
    if (g->lost && !g->baseline_ran) host_baseline_run(g->grading->job, &g->image, &unused);
}

// --------------------------------------------------------------------------------------------------------------- speed
static struct lab_timeline *timeline_of(const struct host_runs *g, const struct host_run *t)
{
    const struct host_trace *s = t->devices.trace;
    const struct host_io *e = t->io;
    struct host_place *raw = alloc_zeroed(s->nspans + 1, sizeof *raw);
    uint32_t *line = alloc_zeroed(s->nspans + 1, sizeof *line);
    for (uint32_t i = 0; i < s->nspans; ++i) raw[i] = s->span[i].place;
    struct compile_place *place = find_places(g, raw, s->nspans);
    for (uint32_t i = 0; i < s->nspans; ++i) line[i] = place[i].line;
    struct lab_timeline *made = verdict_timeline(s, line, e->begin_ps, e->end_ps);
    made->mapped_bytes = e->mapped_bytes;
    for (uint32_t d = 0; d < LAB_DEVICES; ++d) made->device_words[d] = e->device_words[d];
    made->host_words = e->host_words;
    free(raw);
    free(line);
    free(place);
    return made;
}

static void take_kernel(struct verdict_speed *p, const struct host_runs *g)
{
    const char *name = g->grading->job->lab->kernel[0];
    const struct host_trace_kernel *k = host_baseline_kernel(g->grading->verdict->program.trace, name);
    p->kernel[0] = (struct verdict_kernel){.name = name,
                                           .time_ps = k->time_ps,
                                           .baseline_ps = g->baseline.kernel[0].time_ps,
                                           .bound = (enum resource)k->bound,
                                           .registers = k->registers,
                                           .shared_bytes = k->shared_bytes,
                                           .local_bytes = k->local_bytes,
                                           .blocks_per_sm = k->blocks_per_sm,
                                           .occupancy_permille = k->occupancy_permille,
                                           .counters = k->counters};
    p->nkernels = 1;
    p->sampled = k->sampled || g->baseline.sampled;
    p->student = k->counters;
    p->baseline = g->baseline.kernel[0].counters;
    p->baseline_ran = g->baseline_ran;
}

// Moves the trace of the speed case (the test case whose time is measured) into the verdict, and adds the timeline of
// the timed part.
static void take_program(struct host_runs *g, struct host_run *t)
{
    g->grading->verdict->program = (struct verdict_program){
        .trace = t->devices.trace, .from_ps = t->io->begin_ps, .to_ps = t->io->end_ps, .timeline = timeline_of(g, t)};
    t->devices.trace = NULL;
}

// Measures the student's program and the baseline program on GPUs. The student's program must have run the simulated
// speed case before measure() is called.
static void measure(const struct host_runs *g, struct measurement *out, uint32_t times)
{
    double words = g->speed.plan.dim[0];
    struct programs_spec spec = {.student = g->program.path,
                                 .baseline = g->base.path,
                                 .image = &g->image,
                                 .share = words > 0 ? (double)g->speed.io->host_words / words : 0};
    programs_measure(g->grading->job, &spec, out, times);
}

static void take_card(struct host_runs *g)
{
    const struct judge_job *job = g->grading->job;
    struct verdict_speed *p = &g->grading->verdict->speed;
    struct wire_device card;
    struct engine_health health;
    char why[OBSERVATION_MESSAGE];
    if (!job->card_runner || (!job->card_needed && card_find(job, &card, &health, why))) return;
    judge_baseline_program(job, &g->base);
    measure(g, &p->card, 1);
    if (!p->card.card.title[0] && job->card_needed)
        die("there is no card to measure on: %s; without --engine gpu the simulator's time counts", p->card.message);
    if (!p->card.card.title[0]) p->card = (struct measurement){.end = MEASURE_NONE};
    verdict_take_card(p, job);
}

static void take_speed(struct host_runs *g)
{
    struct verdict *v = g->grading->verdict;
    struct verdict_speed *p = &v->speed;
    struct host_run *t = &g->speed;
    if (!g->speed_ran || v->ndefects) return;
    if (t->result != CASE_RIGHT || host_run_complete(t)) {
        message_print(p->problem, sizeof p->problem, "in the speed case %s", t->message);
        return;
    }
    take_program(g, t);
    p->measured = p->model = 1;
    p->time_ps = v->program.timeline->time_ps ? v->program.timeline->time_ps : 1;
    p->baseline_ps = g->baseline.time_ps;
    p->speedup = p->predicted = (double)p->baseline_ps / (double)p->time_ps;
    take_kernel(p, g);
    struct lab_evidence e = {.plan = &t->plan, .timeline = v->program.timeline};
    g->grading->job->lab->technique(&e, &p->technique);
    take_card(g);
}

// --------------------------------------------------------------------------------------------------- the whole grading
// Compiles the submission of the job. Returns 1 if the submission builds, else 0.
static int build(struct host_runs *g)
{
    const struct judge_job *job = g->grading->job;
    if (job->bytes > COMPILE_MOST) {
        text_say(&g->grading->verdict->messages, "%s: error: the file has %zu bytes; at most %d are taken\n",
                 job->shown, job->bytes, COMPILE_MOST);
        return 0;
    }
    g->spec = (struct program_spec){.file = &job->shown,
                                    .files = 1,
                                    .source = job->source,
                                    .bytes = job->bytes,
                                    .kit = job->kit,
                                    .cudart = job->cudart,
                                    .before = job->main,
                                    .graded = 1,
                                    .open = job->open};
    struct stopwatch_lap lap = stopwatch_begin(0);
    compile_program(job->compiler, &g->spec, &g->program);
    stopwatch_end(job->timing, &lap, (uint64_t)(g->program.cpu_s * 1e9), "compile", "program");
    if (g->program.status == COMPILE_FAILED) die("%s", g->program.messages.data);
    text_add(&g->grading->verdict->messages, g->program.messages.data ? g->program.messages.data : "",
             g->program.messages.length);
    if (g->program.level < g->grading->verdict->sandbox) g->grading->verdict->sandbox = g->program.level;
    grading_step(g->grading, N_("compiled"));
    return g->program.status == COMPILED;
}

static void run(struct host_runs *g)
{
    struct verdict *v = g->grading->verdict;
    pthread_t thread;
    judge_baseline_kernel(g->grading->job, &g->image);
    int is_recorded = judge_record_find(g->grading->job, &g->baseline) == RECORD_MATCHES;
    int error = is_recorded ? 0 : pthread_create(&thread, NULL, run_baseline, g);
    if (error) die("cannot start a thread: %s", strerror(error));
    v->stage = STAGE_RUN;
    run_cases(g);
    if (!is_recorded) pthread_join(thread, NULL);
    grading_step(g->grading, N_("the baseline's speed"));
    try_machine(g);
    v->price_s = g->program.cpu_s + g->spent_s;
    verdict_findings_sort(&v->findings);
    v->ndefects = verdict_defects(&v->findings);
    take_speed(g);
    if (g->speed_ran) host_run_free(&g->speed);
}

static struct host_runs *begin(struct grading *grading)
{
    const struct judge_job *job = grading->job;
    struct host_runs *g = alloc_zeroed(1, sizeof *g);
    if (!job->open && box_level_here() < BOX_LEAST_FOR_HOST_CODE)
        die("'%s' runs a student's program, for which this machine's sandbox is too weak (%s); --no-sandbox runs it "
            "all "
            "the same: your own programs alone",
            job->lab->name, box_level_why());
    g->grading = grading;
    return g;
}

static void end(struct host_runs *g)
{
    compile_program_free(&g->program);
    judge_baseline_free(&g->base);
    text_free(&g->image);
    free(g);
}

int host_steps(const struct lab *lab)
{
    return 1 + 2 + (int)lab->ncases - 1; // one step for compiling, two for speed cases, one for each other case
}

void host_grade(struct grading *grading)
{
    struct host_runs *g = begin(grading);
    if (build(g)) run(g);
    end(g);
}

int host_profile(const struct judge_job *job, struct verdict *v, struct text *why)
{
    struct grading grading;
    grading_begin(&grading, job, v);
    struct host_runs *g = begin(&grading);
    if (build(g)) {
        judge_baseline_kernel(job, &g->image);
        host_run_start(&g->speed, job, lab_speed_case(job->lab), g->program.path, &g->image);
        take_findings(g, &g->speed, VERDICT_CASES);
        take_box(v, &g->speed);
        verdict_findings_sort(&v->findings);
        if (g->speed.result == CASE_RIGHT)
            take_program(g, &g->speed);
        else
            text_printf(why, "%s\n", g->speed.message);
        host_run_free(&g->speed);
    } else {
        text_add(why, v->messages.data, v->messages.length);
    }
    end(g);
    grading_end(&grading);
    return v->program.timeline ? 0 : -1;
}

int host_measure(const struct judge_job *job, struct measurement *out, uint32_t times, struct text *why)
{
    struct grading grading;
    struct verdict *v = alloc_zeroed(1, sizeof *v);
    grading_begin(&grading, job, v);
    struct host_runs *g = begin(&grading);
    int built = build(g);
    if (built) {
        judge_baseline_kernel(job, &g->image);
        judge_baseline_program(job, &g->base);
        host_run_start(&g->speed, job, lab_speed_case(job->lab), g->program.path, &g->image);
        measure(g, out, times);
        host_run_free(&g->speed);
    } else {
        text_add(why, v->messages.data, v->messages.length);
    }
    end(g);
    grading_end(&grading);
    verdict_free(v);
    free(v);
    return built ? 0 : -1;
}
