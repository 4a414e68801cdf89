// See blame.h.
//
// Names. Compilers mangle a local variable as _ZZ<function>E<name>[_<number>], a static one of a namespace as
// _ZN…<name>E or _ZL<name>; -G and clang append $ or .digits. Only the last source name of those is of use to a
// student, so no more than that is decoded: lengths and identifiers, no types.
#include "sim/hazard/blame.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "sim/core/program.h"
#include "sim/hazard/findings.h"

enum { FINDING_COSTS = 8 }; // to make a finding takes as long as so many instructions

// Reads "<length><identifier>" at p; the identifier's start, its length in *n; NULL when there is none.
static const char *source_name(const char *p, size_t *n)
{
    size_t length = 0, digits = 0;
    for (; isdigit((unsigned char)p[digits]) && digits < 6; digits++) length = length * 10 + (size_t)(p[digits] - '0');
    if (!digits || !length || strlen(p + digits) < length) return NULL;
    *n = length;
    return p + digits;
}

// The end of the function's encoding inside _ZZ…E: the last 'E' (or "Es") that a source name follows.
static const char *local_name(const char *name, size_t *n)
{
    const char *found = NULL;
    for (const char *p = name; *p; p++) {
        if (*p != 'E') continue;
        size_t length;
        const char *at = source_name(p + 1, &length);
        if (!at) continue;
        const char *rest = at + length;
        if (*rest && *rest != '_' && *rest != '.' && *rest != '$') continue;
        found = at;
        *n = length;
    }
    return found;
}

// The last source name of a nested or internal name: _ZN2ns1xE, _ZL1x, _ZN45_GLOBAL__N__…1xE.
static const char *last_name(const char *name, size_t *n)
{
    const char *found = NULL;
    const char *p = name + 2;
    while (*p == 'N' || *p == 'L' || *p == 'K' || *p == 'V') p++;
    for (size_t length; (p = source_name(p, &length));) {
        found = p;
        *n = length;
        p += length;
        if (*p == 'L') p++;
    }
    return found;
}

void blame_demangle(char out[FINDING_SYMBOL], const char *name)
{
    size_t n = 0;
    const char *at = NULL;
    if (strncmp(name, "_ZZ", 3) == 0)
        at = local_name(name, &n);
    else if (strncmp(name, "_Z", 2) == 0)
        at = last_name(name, &n);
    if (!at) {
        at = name;
        n = strcspn(name, "");
        if (strncmp(name, "$str", 4) == 0 || strncmp(name, "_$_str", 6) == 0 || strncmp(name, ".str", 4) == 0) {
            at = N_("string constant");
            n = strlen(at);
        }
        if (strncmp(name, "__local_depot", 13) == 0) {
            at = N_("local memory");
            n = strlen(at);
        }
    }
    if (n > FINDING_SYMBOL - 1) n = FINDING_SYMBOL - 1;
    memcpy(out, at, n);
    memset(out + n, 0, FINDING_SYMBOL - n); // reports are the same to the byte
}

struct blame_target blame_global(struct sim_memory *m, uint64_t address)
{
    const struct sim_region *r = region_at(m, address);
    if (!r) return (struct blame_target){.buffer = -1, .var = -1, .offset = (int64_t)address};
    return (struct blame_target){.buffer = r->buffer,
                                 .var = r->module == m->module ? r->var : -1,
                                 .offset = (int64_t)(address - r->base),
                                 .extent = r->bytes};
}

struct blame_target blame_shared(const struct sim_memory *m, int32_t symbol, uint64_t address)
{
    struct blame_target none = {.buffer = -1, .var = -1, .offset = (int64_t)address};
    const struct shared_extent *found = NULL;
    for (uint32_t i = 0; i < m->nextents; i++) {
        const struct shared_extent *e = &m->extent[i];
        if (symbol >= 0 && e->var == symbol) {
            found = e;
            break;
        }
        if (!found || e->lo <= address) found = e;
    }
    if (!found) return none;
    return (struct blame_target){.buffer = -1,
                                 .var = found->var,
                                 .offset = (int64_t)address - (int64_t)found->lo,
                                 .extent = found->hi - found->lo};
}

static struct blame_target blame_variable(const struct sim_memory *m, int32_t symbol, uint64_t offset, uint64_t extent)
{
    struct blame_target t = {.buffer = -1, .var = symbol, .offset = (int64_t)offset, .extent = extent};
    if (symbol >= 0 && m->module->var[symbol].space == PTX_CONST) {
        t.offset = (int64_t)(offset - m->var_address[symbol]);
        t.extent = m->module->var[symbol].bytes;
    }
    return t;
}

struct finding blame_finding(const struct sim_warp *w, const struct sim_access *a, uint32_t space, uint32_t lane,
                             enum finding_kind kind, uint64_t at)
{
    const struct sim_launch *launch = w->block->worker->launch;
    struct sim_memory *m = launch->memory;
    struct finding f = {.kind = (uint16_t)kind, .space = (uint8_t)space, .size = a->bytes, .count = 1};
    struct blame_target t;
    if (space == SPACE_GLOBAL)
        t = blame_global(m, at);
    else if (space == SPACE_SHARED)
        t = blame_shared(m, a->symbol, at);
    else if (space == SPACE_LOCAL)
        t = blame_variable(m, a->symbol, at, launch->local_bytes);
    else if (space == SPACE_CONST)
        t = blame_variable(m, a->symbol, at, m->constant_bytes);
    else
        t = blame_variable(m, -1, at, 0);
    f.buffer = t.buffer;
    f.offset = t.offset;
    f.extent = t.extent;
    if (space == SPACE_LOCAL && a->part) {
        const struct ptx_frame_part *p = &m->module->var[a->symbol].part[a->part - 1];
        f.extent = p->to - p->from;
        f.offset = (int64_t)(at - a->hi + f.extent);
        snprintf(f.symbol, sizeof f.symbol, "%s", p->name);
    } else if (t.var >= 0)
        blame_demangle(f.symbol, m->module->var[t.var].name);
    w->block->beside += FINDING_COSTS;
    f.at.access = a->kind;
    finding_place_thread(&f.at, w, lane);
    return f;
}

void blame_access(const struct sim_warp *w, const struct sim_access *a, uint32_t space, uint32_t lane,
                  enum finding_kind kind, uint64_t at)
{
    struct finding f = blame_finding(w, a, space, lane, kind, at);
    finding_log_add(w->block->worker->findings, &f, a->op, UINT32_MAX);
}
