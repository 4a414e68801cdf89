// Records the values of source variables after a step.
//
// The debug data say where a variable is at each instruction: in a register, in local memory, or in a parameter. A
// variable is looked up behind the last instruction of the step. If the step ended with a jump, the place behind it is
// that of other code, so the variable is looked up at the jump. If the step was the last of the variable's scope, the
// variable is looked up at the scope's last instruction, because its value may just have been assigned.
//
// A variable is compared with its recorded values only if its register or its bytes of local memory were written, or if
// it was not looked at in the warp's previous step, in these lanes and at this place.
//
// A lane that begins the scope of a variable has a new variable, as in the next turn of a loop or the next call. The
// variable has no defined value until its register is written or the debug data give it a place, although the register
// still holds the value of the turn before.
#include "sim/record/state.h"

#include <string.h>

#include "ptx/ptx.h"

// The value of a variable's part in all lanes of a warp. The values of lanes that are not known are not set.
struct sample {
    uint64_t value[WARP_LANES];
    uint32_t known, undefined; // lanes whose value can be seen; lanes whose value is undefined
};

static uint64_t low_bytes(uint64_t value, uint32_t bytes)
{
    return bytes < 8 ? value & ((1ull << 8 * bytes) - 1) : value;
}

// Returns the place of the variable behind the last instruction of the open step, or NULL.
static const struct ptx_source_place *place_now(const struct recorder *r, const struct ptx_source_variable *v)
{
    uint32_t last = r->open.at, at = r->open.jumped ? last : last + 1;
    if (at < v->from || last >= v->to) return NULL;
    if (at >= v->to) at = v->to - 1;
    for (uint32_t i = 0; i < v->nplaces; i++)
        if (v->place[i].from <= at && at < v->place[i].to) return &v->place[i];
    return NULL;
}

// Returns the lanes that began the scope of the variable in the open step.
static uint32_t beginning(const struct recorder *r, const struct ptx_source_variable *v)
{
    uint32_t first = r->program->info[r->open.first].inst, last = r->open.at;
    int inside = r->open.back ? v->from >= first || v->from <= last : v->from >= first && v->from <= last;
    return inside ? r->open.mask : 0;
}

static void sample_register(const struct recorder *r, const struct warp *w, const struct ptx_source_place *place,
                            const struct record_part *part, struct sample *s)
{
    uint32_t span = w->plan->func[r->open.function].span_of[place->index];
    if (span == PLAN_ABSENT) return;
    const struct plan_span *at = &w->plan->span[span];
    uint32_t width = at->width; // 1: a predicate
    if (part->offset >= width) return;
    s->known = r->written[at->reg * r->warps + r->open.warp];
    s->undefined = w->undef[at->reg];
    const uint32_t *narrow = warp_row(w, at->row);
    for (uint32_t l = 0; l < WARP_LANES && width == 4; l++) s->value[l] = narrow[l];
    if (width == 4 && !part->offset && part->bytes >= 4) return;
    for (uint32_t l = 0; l < WARP_LANES; l++) {
        if (width == 8) memcpy(&s->value[l], w->rows + at->row + 8 * l, sizeof s->value[l]);
        if (width == 1) s->value[l] = narrow[0] >> l & 1;
        s->value[l] = low_bytes(s->value[l] >> 8 * part->offset, part->bytes);
    }
}

static void sample_local(const struct recorder *r, const struct warp *w, const struct ptx_source_place *place,
                         const struct record_part *part, struct sample *s)
{
    const struct sim_launch *l = r->launch;
    uint64_t base = r->open.frame ? r->open.frame->local_base : 0;
    uint64_t at = base + w->plan->local_offset[place->index] + place->offset + part->offset;
    if (at > l->local_bytes || l->local_bytes - at < part->bytes) return;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        uint64_t from = (uint64_t)lane * l->local_bytes + at;
        s->value[lane] = 0;
        memcpy(&s->value[lane], w->memory.local + from, part->bytes);
        int defined = 1;
        for (uint32_t b = 0; w->memory.local_valid && b < part->bytes; b++)
            defined &= w->memory.local_valid[from + b] == 0xff;
        if (!defined) s->undefined |= 1u << lane;
    }
    s->known = ~s->undefined; // before it is given a value, a variable is not shown
}

static void sample_param(const struct recorder *r, uint32_t var, const struct record_part *part, uint64_t offset,
                         struct sample *s)
{
    const struct ptx_func *f = &r->program->module->func[r->program->entry];
    for (uint32_t i = 0; i < f->nparams && i < ENGINE_ARGS; i++) {
        uint64_t at = r->program->plan->param_offset[i] + offset + part->offset;
        if (f->param[i] != var || at + part->bytes > r->launch->param_bytes) continue;
        uint64_t value = 0;
        memcpy(&value, r->launch->params + at, part->bytes);
        for (uint32_t l = 0; l < WARP_LANES; l++) s->value[l] = value;
        s->known = ALL_LANES;
    }
}

// Returns 1 if the variable may have changed in the open step, or was not looked at before in these lanes and at this
// place.
static int may_have_changed(struct recorder *r, const struct warp *w, uint32_t variable,
                            const struct ptx_source_place *place)
{
    const struct ptx_source_variable *v = r->variable[variable].source;
    struct record_look *look = &r->look[(size_t)variable * r->warps + r->open.warp];
    int same = look->place == place && look->step == r->last[r->open.warp] && look->step;
    uint32_t lanes = same ? look->lanes : 0;
    *look = (struct record_look){.step = r->head.steps, .lanes = lanes | r->open.mask, .place = place};
    if (r->open.mask & ~lanes) return 1;
    if (place->storage == SOURCE_REGISTER) {
        uint32_t span = w->plan->func[r->open.function].span_of[place->index];
        if (span == PLAN_ABSENT) return 0;
        return r->fresh[(size_t)w->plan->span[span].reg * r->warps + r->open.warp] == r->head.steps;
    }
    if (r->program->module->var[place->index].space != PTX_LOCAL) return 0;
    uint64_t base = r->open.frame ? r->open.frame->local_base : 0;
    uint64_t lo = base + w->plan->local_offset[place->index] + place->offset;
    return lo < r->open.local_hi && r->open.local_lo < lo + v->type->bytes;
}

static struct sample sample(const struct recorder *r, const struct warp *w, const struct ptx_source_place *place,
                            const struct record_part *p)
{
    struct sample s;
    int space = place && place->storage == SOURCE_VARIABLE ? r->program->module->var[place->index].space : -1;
    s.known = s.undefined = 0;
    if (!place) return s;
    if (place->storage == SOURCE_REGISTER)
        sample_register(r, w, place, p, &s);
    else if (space == PTX_LOCAL)
        sample_local(r, w, place, p, &s);
    else if (space == PTX_PARAM)
        sample_param(r, place->index, p, place->offset, &s);
    return s;
}

// Records the new values of a part, whose variable is at `place` or, with NULL, nowhere. The lanes in `begun` have
// begun the variable's scope.
static void record_part(struct recorder *r, const struct warp *w, const struct ptx_source_place *place, uint32_t part,
                        uint32_t begun)
{
    struct sample s = sample(r, w, place, &r->part[part]);
    size_t at = state_at(r, part, r->open.warp);
    uint64_t *old = r->now.value[at];
    uint32_t *known = &r->now.known[at], *undefined = &r->now.undefined[at], forgotten = begun & *known & ~s.known;
    s.known |= forgotten;
    s.undefined |= forgotten;
    uint32_t changed = r->open.mask & s.known & (~*known | (*undefined ^ s.undefined));
    for (uint32_t left = r->open.mask & s.known & ~changed & ~s.undefined; left; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left);
        if (old[l] != s.value[l]) changed |= 1u << l;
    }
    if (!changed) return;
    struct recording_event *e = &r->event;
    e->tag = RECORDING_VALUE;
    e->index = part;
    e->mask = changed;
    e->undefined = s.undefined & changed;
    for (uint32_t left = changed & ~s.undefined; left; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left);
        e->value[l] = old[l] = s.value[l];
    }
    *known |= changed;
    *undefined = (*undefined & ~changed) | e->undefined;
    recorder_put(r, e);
}

void values_begin(struct recorder *r, const struct warp *w, uint32_t mask)
{
    const struct record_function *f = &r->function[r->open.function];
    for (uint32_t i = f->first; i < f->first + f->variables; i++) {
        const struct ptx_source_variable *v = r->variable[i].source;
        for (uint32_t k = 0; v->from == r->open.at && k < v->nplaces; k++) {
            const struct ptx_source_place *place = &v->place[k];
            if (place->storage != SOURCE_REGISTER || place->from != v->from) continue;
            uint32_t span = w->plan->func[r->open.function].span_of[place->index];
            if (span != PLAN_ABSENT) r->written[w->plan->span[span].reg * r->warps + r->open.warp] &= ~mask;
        }
    }
}

void values_record(struct recorder *r, const struct warp *w)
{
    const struct record_function *f = &r->function[r->open.function];
    for (uint32_t i = f->first; i < f->first + f->variables; i++) {
        const struct record_variable *v = &r->variable[i];
        const struct ptx_source_place *place = place_now(r, v->source);
        uint32_t begun = beginning(r, v->source);
        int changed = place && may_have_changed(r, w, i, place);
        for (uint32_t k = 0; (changed || begun) && k < v->parts; k++) record_part(r, w, place, v->first + k, begun);
    }
}
