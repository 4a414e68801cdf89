// Writes a host program's run as JSON (report/run.schema.json). Times in the JSON are picoseconds of the simulator's
// virtual clock.
#include <stdlib.h>

#include "base/text.h"
#include "report/json_value.h"
#include "report/trace.h"

static json_t *triple(const uint32_t n[3])
{
    json_t *array = json_array();
    for (int i = 0; i < 3; ++i) append(array, integer(n[i]));
    return array;
}

static json_t *host_place(const struct compile_place *place)
{
    if (!place->line) return json_null();
    json_t *object = json_object();
    put(object, "file", string(place->file));
    put(object, "line", integer(place->line));
    return object;
}

static json_t *kernels(const struct report_trace *r)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < r->trace->nkernels; ++i) {
        const struct host_trace_kernel *k = &r->trace->kernel[i];
        json_t *object = json_object();
        put(object, "name", string(r->kernel[i]));
        put(object, "symbol", string(k->name));
        put(object, "launches", integer(k->launches));
        put(object, "time_ps", integer(k->time_ps));
        put(object, "longest_ps", integer(k->longest_ps));
        put(object, "grid", triple(k->grid));
        put(object, "block", triple(k->block));
        put(object, "registers", integer(k->registers));
        put(object, "shared_bytes", integer(k->shared_bytes));
        put(object, "local_bytes", integer(k->local_bytes));
        put(object, "blocks_per_sm", integer(k->blocks_per_sm));
        put(object, "occupancy_permille", integer(k->occupancy_permille));
        put(object, "bound", string(observation_resource_name[k->bound]));
        put(object, "counters", counters(&k->counters));
        append(array, object);
    }
    return array;
}

static json_t *spans(const struct report_trace *r)
{
    static const char *const kind[SPAN_KINDS] = {
        [SPAN_H2D] = "to device", [SPAN_D2H] = "to host",   [SPAN_D2D] = "on device", [SPAN_PEER] = "to peer",
        [SPAN_FILL] = "fill",     [SPAN_KERNEL] = "kernel", [SPAN_HOST] = "host"};
    json_t *array = json_array();
    for (uint32_t i = 0; i < r->trace->nspans; ++i) {
        const struct host_trace_span *p = &r->trace->span[i];
        json_t *object = json_object();
        put(object, "kind", string(kind[p->kind]));
        put(object, "device", integer(p->device));
        put(object, "stream", integer(p->stream));
        if (p->kind == SPAN_KERNEL) {
            put(object, "kernel", integer(p->kernel));
        } else {
            put(object, "bytes", integer(p->bytes));
            put(object, "pinned", json_boolean(p->pinned));
        }
        put(object, "issued_ps", integer(p->issue_ps));
        put(object, "start_ps", integer(p->start_ps));
        put(object, "end_ps", integer(p->end_ps));
        put(object, "at", host_place(&r->span[i]));
        append(array, object);
    }
    return array;
}

// ------------------------------------------------------------------------------------------------------------ findings
static json_t *kernel_place(const struct report_trace *r, const struct finding_place *p)
{
    if (!p->line) return json_null();
    json_t *object = json_object();
    int own = p->file == FILE_STUDENT && p->path < r->trace->nsources;
    put(object, "file", string(own ? r->file[p->path] : p->file == FILE_KIT ? "warpwise.h" : "a header"));
    put(object, "line", integer(p->line));
    put(object, "column", integer(p->column));
    put(object, "block", triple(p->block));
    put(object, "thread", triple(p->thread));
    return object;
}

static json_t *finding(const struct report_trace *r, uint32_t index)
{
    const struct host_trace_finding *f = &r->trace->finding[index];
    const struct compile_place *place = r->finding[index];
    const struct finding *k = f->defect == DEFECT_NONE ? &f->finding : NULL;
    const struct host_trace_defect_info *info = &host_trace_defect_info[f->defect];
    struct verdict_finding v = {.finding = f->finding, .optimised = 1};
    struct text sentence = {0};
    json_t *object = json_object();
    if (k) report_finding(&v, &sentence);
    put(object, "of", string(k ? "kernel" : "host"));
    put(object, "kind", string(k ? finding_info[k->kind].id : info->id));
    put(object, "word", string(k ? finding_info[k->kind].word : info->word));
    put(object, "defect", json_boolean((k ? finding_info[k->kind].severity : info->severity) == FINDING_DEFECT));
    put(object, "text", string(k ? sentence.data : info->text));
    put(object, "detail", string(k ? "" : f->text));
    put(object, "count", integer(f->count));
    put(object, "at", k ? kernel_place(r, &k->at) : host_place(&place[PLACE_CALL]));
    put(object, "other", k ? (k->second ? kernel_place(r, &k->other) : json_null()) : host_place(&place[PLACE_OTHER]));
    put(object, "launched", k ? host_place(&place[PLACE_CALL]) : json_null());
    put(object, "allocated", f->allocated ? host_place(&place[PLACE_ORIGIN]) : json_null());
    put(object, "kernel", f->kernel < r->trace->nkernels ? integer(f->kernel) : json_null());
    text_free(&sentence);
    return object;
}

static json_t *totals(const struct host_trace *s)
{
    json_t *object = json_object();
    put(object, "launches", integer(s->launches));
    put(object, "recalled", integer(s->recalled));
    put(object, "copies", integer(s->copies));
    put(object, "fills", integer(s->fills));
    put(object, "allocations", integer(s->allocations));
    put(object, "allocated_bytes", integer(s->allocated_bytes));
    put(object, "most_bytes", integer(s->most_bytes));
    put(object, "to_device_bytes", integer(s->h2d_bytes));
    put(object, "to_host_bytes", integer(s->d2h_bytes));
    return object;
}

void report_trace_json(const struct report_trace *r, struct text *out)
{
    const struct host_trace *s = r->trace;
    json_t *root = json_object(), *findings = json_array();
    for (uint32_t i = 0; i < s->nfindings; ++i) append(findings, finding(r, i));
    put(root, "schema", json_string(REPORT_RUN_SCHEMA));
    put(root, "program", string(r->program));
    put(root, "device", string(s->device));
    put(root, "devices", integer(s->devices));
    put(root, "checked", json_boolean(r->checked));
    put(root, "exit_code", json_integer(r->exit_code));
    put(root, "ended", json_boolean(s->goodbye));
    put(root, "sticky_error", integer(s->error));
    put(root, "message", string(s->message));
    put(root, "time_ps", integer(s->host_ps));
    put(root, "totals", totals(s));
    put(root, "kernels", kernels(r));
    put(root, "findings", findings);
    put(root, "findings_dropped", integer(s->findings_dropped));
    put(root, "spans_total", integer(s->spans_total));
    put(root, "spans", spans(r));
    write_json(root, JSON_INDENT(2), out);
}
