// Writes the verdict as JSON (report/schema.json). Equal verdicts give equal JSON, byte by byte: keys have a fixed
// order, numbers have as many digits as needed, and the JSON contains no time of day.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "device/occupancy.h"
#include "report/json_value.h"
#include "report/report.h"

// ------------------------------------------------------------------------------------------------------------- cases
static json_t *comparison(const struct verdict_case *c)
{
    json_t *object = json_object(), *shown = json_array();
    put(object, "array", string(c->buffer));
    put(object, "elements", integer(c->count));
    put(object, "wrong", integer(c->comparison.wrong));
    put(object, "never_written", integer(c->comparison.poisoned));
    for (uint32_t i = 0; i < c->comparison.shown; ++i) {
        const struct lab_mismatch *m = &c->comparison.mismatch[i];
        json_t *one = json_object();
        put(one, "index", integer(m->index));
        put(one, "got", m->unwritten ? string("never written") : number(m->got));
        put(one, "expected", number(m->expected));
        append(shown, one);
    }
    put(object, "first", shown);
    return object;
}

static json_t *cases(const struct verdict *v)
{
    static const char *const result[CASE_RESULTS] = {"right", "wrong", "stopped", "refused"};
    json_t *array = json_array();
    for (uint32_t i = 0; i < v->ncases; ++i) {
        const struct verdict_case *c = &v->item[i];
        int hidden = (c->which->flags & CASE_HIDDEN) != 0;
        json_t *object = json_object();
        put(object, "name", string(_(c->which->name)));
        put(object, "hidden", json_boolean(hidden));
        put(object, "result", json_string(result[c->result]));
        char outputs[17];
        snprintf(outputs, sizeof outputs, "%016" PRIx64, c->outputs);
        if (!hidden) put(object, "outputs", json_string(outputs));
        if (c->message[0]) put(object, "message", string(c->message));
        if (c->result == CASE_WRONG && !hidden) put(object, "output", comparison(c));
        append(array, object);
    }
    return array;
}

// ---------------------------------------------------------------------------------------------------------- findings
static json_t *triple(const uint32_t x[3])
{
    json_t *array = json_array();
    for (int i = 0; i < 3; ++i) append(array, json_integer(x[i]));
    return array;
}

static json_t *place(const struct verdict *v, const struct finding_place *p, int hidden)
{
    static const char *const access[ACCESS_KINDS] = {"none", "read", "write", "atomic"};
    struct bundle source = judge_job_bundle(v->job);
    struct finding_place file = {.file = p->file};
    struct text name = {0};
    json_t *object = json_object();
    uint32_t line = p->line;
    if (p->file == FILE_STUDENT)
        line = bundle_place(&source, p->line, &name);
    else
        report_place(&file, &source, &name);
    put(object, "file", string(name.data));
    put(object, "line", json_integer(line));
    put(object, "column", json_integer(p->column));
    put(object, "access", json_string(access[p->access]));
    if (!hidden) put(object, "block", triple(p->block));
    if (!hidden) put(object, "thread", triple(p->thread));
    text_free(&name);
    return object;
}

static json_t *finding(const struct verdict *v, const struct verdict_finding *f)
{
    const struct finding_info *info = verdict_info(f);
    struct finding_place at = verdict_place(f);
    struct text sentence = {0}, hint = {0};
    json_t *object = json_object(), *names = json_array();
    report_finding(f, &sentence);
    put(object, "kind", json_string(info->id));
    put(object, "word", json_string(info->word));
    put(object, "severity", json_string(info->severity == FINDING_DEFECT ? "defect" : "note"));
    if (f->follows) put(object, "follows", json_integer(f->follows - 1));
    put(object, "text", string(sentence.data));
    verdict_hint(f, &hint);
    put(object, "hint", string(hint.data));
    put(object, "at", place(v, &at, f->hidden));
    if (!f->finding.at.line) put(json_object_get(object, "at"), "definition", json_true());
    if (f->finding.second) put(object, "other", place(v, &f->finding.other, f->hidden));
    if (f->finding.epoch) put(object, "after_barrier", json_integer(f->finding.after));
    if (f->finding.epoch) put(object, "before_barrier", json_integer(f->finding.before));
    put(object, "kernel", string(f->kernel));
    put(object, "array", string(f->array[0] ? f->array : f->finding.symbol));
    if (f->also[0]) put(object, "also", string(f->also));
    put(object, "optimised", json_boolean(f->optimised));
    put(object, "unoptimised", json_boolean(f->unoptimised));
    for (uint32_t i = 0; i < v->ncases; ++i) {
        if (f->cases >> i & 1) append(names, string(_(v->item[i].which->name)));
    }
    put(object, "cases", names);
    text_free(&sentence);
    text_free(&hint);
    return object;
}

static json_t *findings(const struct verdict *v)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < v->findings.count; ++i) append(array, finding(v, &v->findings.item[i]));
    return array;
}

// ---------------------------------------------------------------------------------------------------------- coverage
static json_t *coverage(const struct coverage *c)
{
    static struct report_range range[COVERAGE_LINES];
    uint32_t n = report_uncovered(c, range, COVERAGE_LINES), lines = 0, ways = 0;
    json_t *object = json_object(), *unrun = json_array();
    for (uint32_t i = 0; i < c->nlines; ++i) lines += c->line[i].threads != 0;
    for (uint32_t i = 0; i < c->nbranches; ++i) ways += (c->branch[i].taken != 0) + (c->branch[i].fallen != 0);
    put(object, "lines", json_integer(c->nlines));
    put(object, "lines_run", json_integer(lines));
    put(object, "branches", json_integer(2 * (json_int_t)c->nbranches));
    put(object, "branches_run", json_integer(ways));
    for (uint32_t i = 0; i < n; ++i) {
        json_t *pair = json_array();
        append(pair, json_integer(range[i].first));
        append(pair, json_integer(range[i].last));
        append(unrun, pair);
    }
    put(object, "not_run", unrun);
    return object;
}

// ------------------------------------------------------------------------------------------------------------- speed
static json_t *kernel(const struct verdict_kernel *k)
{
    json_t *object = json_object(), *hot = json_array();
    put(object, "name", json_string(k->name));
    put(object, "time_ps", integer(k->time_ps));
    put(object, "baseline_ps", integer(k->baseline_ps));
    put(object, "bound", json_string(observation_resource_name[k->bound]));
    put(object, "bound_permille", json_integer(k->bound_permille));
    put(object, "next", json_string(observation_resource_name[k->next]));
    put(object, "next_permille", json_integer(k->next_permille));
    put(object, "next_gain_permille", json_integer(k->next_gain_permille));
    put(object, "registers", json_integer(k->registers));
    put(object, "shared_bytes", json_integer(k->shared_bytes));
    put(object, "local_bytes", json_integer(k->local_bytes));
    put(object, "blocks_per_sm", json_integer(k->blocks_per_sm));
    put(object, "occupancy_permille", json_integer(k->occupancy_permille));
    put(object, "occupancy_limit", json_string(occupancy_limit_name[k->occupancy_limit]));
    put(object, "blocks", integer(k->blocks));
    put(object, "blocks_run", integer(k->blocks_run));
    put(object, "hot_line", json_integer(k->nhot ? k->hot[0].line : 0));
    for (uint32_t i = 0; i < k->nhot; ++i) {
        json_t *line = json_object();
        put(line, "line", json_integer(k->hot[i].line));
        put(line, "permille", json_integer(k->hot[i].permille));
        append(hot, line);
    }
    put(object, "hot_lines", hot);
    put(object, "counters", counters(&k->counters));
    return object;
}

static json_t *card(const struct measurement *m)
{
    static const char *const end[] = {"none", "done", "unreliable", "refused", "wrong"};
    static const char *const answer[] = {"more", "below", "above", "undecided"};
    json_t *object = json_object(), *ratios = json_array();
    put(object, "name", string(m->card.name));
    put(object, "title", string(m->card.title));
    put(object, "driver", json_integer(m->card.driver));
    put(object, "end", json_string(end[m->end]));
    if (m->message[0]) put(object, "message", string(m->message));
    if (m->end != MEASURE_DONE) {
        json_decref(ratios);
        return object;
    }
    put(object, "answer", json_string(answer[m->answer]));
    put(object, "below", json_integer(m->test.below));
    put(object, "tries", json_integer(m->tries));
    put(object, "clock_khz", json_integer(m->health.clock_khz));
    put(object, "time_ps", integer(m->student_ps));
    put(object, "baseline_ps", integer(m->baseline_ps));
    for (uint32_t i = 0; i < m->trials; ++i) append(ratios, json_real(m->ratio_of[i]));
    put(object, "ratios", ratios);
    return object;
}

static json_t *effective(const struct verdict *v)
{
    struct report_rate rate = report_rate(v);
    json_t *object = json_object();
    put(object, "gbs", json_real(rate.gbs));
    put(object, "gflops", json_real(rate.gflops));
    if (rate.gbs_limit > 0) put(object, "gbs_limit", json_real(rate.gbs_limit));
    if (rate.gflops_limit > 0) put(object, "gflops_limit", json_real(rate.gflops_limit));
    return object;
}

static json_t *speed(const struct verdict *v)
{
    const struct verdict_speed *s = &v->speed;
    json_t *object = json_object();
    put(object, "measured", json_boolean(s->measured));
    put(object, "model", json_boolean(s->model || !s->measured));
    put(object, "minimum", json_real(s->threshold.minimum));
    put(object, "needed", json_real(s->threshold.minimum));
    put(object, "lesson", json_real(s->threshold.lesson));
    put(object, "full", json_real(s->threshold.full));
    put(object, "thresholds", json_integer(s->threshold.version));
    if (s->problem[0]) put(object, "problem", string(s->problem));
    if (!s->measured) return object;
    json_t *kernels = json_array();
    put(object, "speedup", json_real(s->speedup));
    put(object, "time_ps", integer(s->time_ps));
    put(object, "baseline_ps", integer(s->baseline_ps));
    put(object, "baseline_source", json_string(s->baseline_ran ? "run" : "record"));
    put(object, "effective", effective(v));
    put(object, "sampled", json_boolean(s->sampled));
    put(object, "predicted", json_real(s->predicted));
    if (s->card.end != MEASURE_NONE) put(object, "card", card(&s->card));
    put(object, "slowest", json_string(s->kernel[s->slowest].name));
    for (uint32_t i = 0; i < s->nkernels; ++i) append(kernels, kernel(&s->kernel[i]));
    put(object, "kernels", kernels);
    put(object, "student", counters(&s->student));
    put(object, "baseline", counters(&s->baseline));
    return object;
}

// ------------------------------------------------------------------------------------------------------------ timeline
static json_t *timeline(const struct lab_timeline *t)
{
    static const char *const kind[LAB_ENGINES] = {[LAB_COPY_IN] = "to device",
                                                  [LAB_KERNEL] = "kernel",
                                                  [LAB_COPY_OUT] = "to host",
                                                  [LAB_PEER] = "to peer",
                                                  [LAB_HOST] = "host"};
    json_t *object = json_object(), *spans = json_array();
    put(object, "time_ps", integer(t->time_ps));
    put(object, "mapped_bytes", integer(t->mapped_bytes));
    put(object, "host_words", integer(t->host_words));
    put(object, "dropped", integer(t->dropped));
    for (uint32_t i = 0; i < t->count; ++i) {
        const struct lab_span *s = &t->span[i];
        json_t *one = json_object();
        put(one, "kind", json_string(kind[s->engine]));
        put(one, "device", integer(s->device));
        put(one, "stream", integer(s->stream));
        put(one, "line", integer(s->line));
        put(one, "bytes", integer(s->bytes));
        put(one, "pinned", json_boolean((int)s->page_locked));
        put(one, "start_ps", integer(s->start_ps));
        put(one, "end_ps", integer(s->end_ps));
        append(spans, one);
    }
    put(object, "spans", spans);
    return object;
}

static json_t *technique(const struct verdict *v)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < v->speed.technique.count; ++i) {
        json_t *one = json_object();
        put(one, "holds", json_boolean(v->speed.technique.item[i].holds));
        put(one, "text", string(v->speed.technique.item[i].text));
        append(array, one);
    }
    return array;
}

// ------------------------------------------------------------------------------------------------------------- whole
static json_t *score(const struct verdict *v)
{
    json_t *object = json_object();
    for (int row = 0; row < RUBRIC_ROWS; ++row) {
        json_t *one = json_object();
        put(one, "points", json_integer(v->score[row]));
        put(one, "of", json_integer(verdict_rubric[row].of));
        put(object, verdict_rubric[row].name, one);
    }
    put(object, "total", json_integer(v->total));
    return object;
}

static json_t *tools(const struct verdict *v)
{
    json_t *object = json_object();
    put(object, "compiler", string(v->compiler));
    put(object, "engine", string(v->device.engine));
    put(object, "device", string(v->device.name));
    put(object, "device_title", string(v->device.title));
    put(object, "sandbox", json_string(box_level_name(v->sandbox)));
    return object;
}

static json_t *whole(const struct verdict *v)
{
    static const char *const stage[] = {"build", "launch", "run"};
    const struct lab *lab = v->job->lab;
    json_t *root = json_object(), *about = json_object(), *refused = json_array();
    put(root, "schema", json_string(REPORT_SCHEMA));
    put(about, "name", json_string(lab->name));
    put(about, "slug", json_string(lab->slug));
    put(about, "title", json_string(lab->title));
    put(root, "lab", about);
    put(root, "submission", string(v->job->shown));
    put(root, "seed", integer(v->job->seed));
    put(root, "tools", tools(v));
    put(root, "passed", json_boolean(v->passed));
    for (uint32_t i = 0; i < v->nreasons; ++i) {
        char reason[VERDICT_REASON];
        verdict_reason_print(v->job, &v->reason[i], reason);
        append(refused, string(reason));
    }
    put(root, "refused", refused);
    put(root, "score", score(v));
    put(root, "stage", json_string(stage[v->stage]));
    if (v->sentence[0]) put(root, "message", string(v->sentence));
    put(root, "compiler_messages", string(v->messages.data ? v->messages.data : ""));
    put(root, "cases", cases(v));
    put(root, "findings", findings(v));
    if (v->coverage) put(root, "coverage", coverage(v->coverage));
    put(root, "speed", speed(v));
    put(root, "technique", technique(v));
    if (v->program.timeline) put(root, "timeline", timeline(v->program.timeline));
    put(root, "printed", string(v->print.data ? v->print.data : ""));
    put(root, "next", string(v->next));
    return root;
}

void report_json(const struct verdict *v, struct text *out)
{
    write_json(whole(v), JSON_INDENT(2) | JSON_REAL_PRECISION(12), out);
}
