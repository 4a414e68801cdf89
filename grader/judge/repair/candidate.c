// Proposes changes of a source that may remove a finding.
//
// Theory of operation. The source is a list of tokens with matched brackets (source.h). A finding contains the line and
// the column of an access. The functions of candidate.c find the statement at a finding's line and column, and the
// statements around this statement. The functions of candidate.c do not know what names mean. A proposal need only be
// plausible, because repair.c tries each proposal and drops those that do not work.
//
//   a race in a block      put a barrier behind the first access, outside of loops and branches that do not hold the
//                          second one; or read into a variable, wait, and write
//   a lost update          make `x += y` an atomicAdd(); `x = y`, too, if that makes the results right
//   warps that share       where the lab forbids barriers of the block, each warp gets elements of its own
//   parts that overlap     a pointer into shared memory begins later
//   a barrier in a branch  move it in front of the branch or behind it, or close the branch before it
//   a barrier in a loop    compare with the size of the block where the loop's bound depends on the thread
//
// Other files propose repairs of accesses out of bounds (guard.c), of undefined values (wrong_value.c), of missing
// lanes and threads (mask.c), and of blocks that do not cover the output (cover.c).
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "host/border/host_trace.h"
#include "judge/repair/maker.h"

// --------------------------------------------------------------------------------------------------------------- races
static const char *barrier_of(const struct maker *m)
{
    return m->f->warp ? "__syncwarp()" : "__syncthreads()";
}

static const char *meeting(const struct maker *m)
{
    return _(m->f->warp ? N_("warp") : N_("block"));
}

static void add_barrier(struct maker *m, struct repair *r, uint32_t at)
{
    char text[REPAIR_TEXT];
    snprintf(text, sizeof text, " %s;", barrier_of(m));
    maker_replace(r, at, at, text);
}

static void barrier_behind(struct maker *m, uint32_t begin)
{
    uint32_t last = maker_end(m->s, begin);
    struct repair *r = maker_new(m);
    if (!r) return;
    add_barrier(m, r, m->s->token[last].end);
    message_print(r->sentence, sizeof r->sentence,
                  "put %s after line %u, at a point that every thread of the %s reaches", barrier_of(m),
                  m->s->token[last].line, meeting(m));
}

// Proposes a barrier behind each of two statements of a loop, so that their accesses are ordered within an iteration
// and between iterations.
static void barriers_behind(struct maker *m, uint32_t one, uint32_t two)
{
    uint32_t first = maker_end(m->s, one), second = maker_end(m->s, two);
    struct repair *r = first < second ? maker_new(m) : NULL;
    if (!r) return;
    add_barrier(m, r, m->s->token[first].end);
    add_barrier(m, r, m->s->token[second].end);
    message_print(r->sentence, sizeof r->sentence,
                  "put %s after line %u and after line %u, at points that every thread of the %s reaches",
                  barrier_of(m), m->s->token[first].line, m->s->token[second].line, meeting(m));
}

// Returns the first token of the innermost loop around token t, or NOWHERE.
static uint32_t loop_around(const struct source *s, uint32_t t)
{
    uint32_t begin[LEVELS], n = maker_around(s, t, begin);
    for (uint32_t level = 0; level < n; ++level)
        for (uint32_t k = begin[level]; maker_is_header(s, k); k = s->token[k + 1].mate + 1)
            if (!source_is(s, k, "if")) return begin[level];
    return NOWHERE;
}

// Proposes a barrier behind a statement in a loop. If `before` is not NOWHERE, the proposal also has a barrier in front
// of token `before`, where the loop begins.
static void barrier_in_loop(struct maker *m, const struct maker_assignment *a, uint32_t before)
{
    const struct source *s = m->s;
    struct repair *r = maker_new(m);
    char text[REPAIR_TEXT];
    if (!r) return;
    if (before != NOWHERE) {
        snprintf(text, sizeof text, "%s; ", barrier_of(m));
        maker_replace(r, s->token[before].begin, s->token[before].begin, text);
    }
    maker_replace(r, s->token[a->begin].begin, s->token[a->begin].begin, "{ ");
    snprintf(text, sizeof text, " %s; }", barrier_of(m));
    maker_replace(r, s->token[a->end].end, s->token[a->end].end, text);
    if (before == NOWHERE)
        message_print(r->sentence, sizeof r->sentence,
                      "put %s after line %u, at a point that every thread of the %s reaches", barrier_of(m),
                      s->token[a->end].line, meeting(m));
    else
        message_print(r->sentence, sizeof r->sentence,
                      "put %s before the loop of line %u, and after line %u in the loop, where every thread of the %s "
                      "reaches it",
                      barrier_of(m), s->token[before].line, s->token[a->end].line, meeting(m));
}

// Proposes to split a statement that reads and writes into two statements with a barrier between them.
static void split_statement(struct maker *m, const struct maker_assignment *a)
{
    const struct source *s = m->s;
    char left[STATEMENT], right[STATEMENT], op[STATEMENT], condition[STATEMENT] = "", text[3 * STATEMENT];
    maker_copy(s, a->left, a->op - 1, left);
    maker_copy(s, a->right, a->end - 1, right);
    maker_copy(s, a->op, a->op, op);
    if (a->condition != NOWHERE) maker_copy(s, a->begin, s->token[a->condition].mate, condition);
    int length = snprintf(text, sizeof text, "; %s; %s %s %s ww_kept; }", barrier_of(m), condition, left, op);
    if (!left[0] || !right[0] || (a->condition != NOWHERE && !condition[0]) || length >= REPAIR_TEXT) return;
    struct repair *r = maker_new(m);
    if (!r) return;
    char begin[3 * STATEMENT];
    snprintf(begin, sizeof begin, "{ decltype(%s + 0) ww_kept = 0; %s ww_kept = ", left, condition);
    maker_replace(r, s->token[a->begin].begin, s->token[a->right].begin, begin);
    maker_replace(r, s->token[a->end].begin, s->token[a->end].end, text);
    message_print(r->sentence, sizeof r->sentence,
                  "line %u reads and writes in one statement: read into a variable, then %s, then write",
                  s->token[a->op].line, barrier_of(m));
}

static void race_in_statement(struct maker *m, uint32_t t)
{
    struct maker_assignment a;
    if (!maker_assignment(m->s, t, &a)) return;
    uint32_t loop = loop_around(m->s, t);
    barrier_in_loop(m, &a, NOWHERE);
    split_statement(m, &a);
    if (loop != NOWHERE) barrier_in_loop(m, &a, loop);
}

static void race_in_block(struct maker *m)
{
    const struct finding_place *first = verdict_first(m->f);
    uint32_t begin[LEVELS], behind[LEVELS], all, n,
        one = maker_token(m->s, first), two = maker_token(m->s, first == &m->f->at ? &m->f->other : &m->f->at);
    if (one == NOWHERE) return;
    if (m->f->at.line == m->f->other.line) {
        race_in_statement(m, one);
        return;
    }
    n = maker_apart(m->s, one, two, begin, &all);
    if (n < all || (all && maker_holds(m->s, begin[all - 1], two)))
        for (uint32_t level = n; level-- > 0;) barrier_behind(m, begin[level]);
    else
        for (uint32_t level = 0; level < all; ++level) barrier_behind(m, begin[level]);
    if (two == NOWHERE || n == all) return;
    uint32_t one_begin = begin[n - 1], two_begin;
    n = maker_apart(m->s, two, one, behind, &all);
    if (!all) return;
    two_begin = behind[n - 1];
    barriers_behind(m, one_begin < two_begin ? one_begin : two_begin, one_begin < two_begin ? two_begin : one_begin);
}

// Proposes other offsets for pointers to parts of the race's array, such as `b = all + w` or `b = &all[w]`. Two parts
// overlap if the offset of the second is less than the size of the first.
static void begin_behind(struct maker *m)
{
    const struct source *s = m->s;
    const char *name = m->f->symbol, *colon = strrchr(name, ':');
    if (colon) name = colon + 1;
    for (uint32_t t = 2; name[0] && t + 2 < s->count; ++t) {
        int is_sum = source_is(s, t - 1, "=") && source_is(s, t + 1, "+");
        int is_element = source_is(s, t - 1, "&") && source_is(s, t - 2, "=") && source_is(s, t + 1, "[");
        if (!source_is(s, t, name) || (!is_sum && !is_element)) continue;
        uint32_t first = t + 2, last = (is_sum ? source_forward(s, first, ", ;") : s->token[t + 1].mate) - 1;
        char old[STATEMENT], text[2 * STATEMENT + 8];
        maker_copy(s, first, last, old);
        snprintf(text, sizeof text, "%s * %s", old, old);
        if (old[0] && first == last) maker_instead(m, first, last, text);
        snprintf(text, sizeof text, first == last ? "2 * %s" : "2 * (%s)", old);
        if (old[0]) maker_instead(m, first, last, text);
    }
}

// Returns 1 if the lab of the finding forbids barriers of the block.
static int without_block_barriers(const struct maker *m)
{
    return m->v->job && m->v->job->lab->without_block_barriers;
}

// Proposes that each warp uses elements of its own in the race's shared array. A block has at most 32 warps.
static void own_for_each_warp(struct maker *m)
{
    const struct source *s = m->s;
    const char *name = m->f->symbol, *colon = strrchr(name, ':');
    uint32_t declared = NOWHERE;
    struct repair r = {0};
    if (colon) name = colon + 1;
    for (uint32_t t = 1; name[0] && t < s->count; ++t) {
        if (!source_is(s, t, name)) continue;
        int is_declaration = source_is(s, source_statement(s, t), "__shared__") && source_is(s, t + 1, "[");
        if (is_declaration ? declared != NOWHERE
                           : declared == NOWHERE || s->token[t].inside < s->token[declared].inside)
            continue;
        if (r.nedits == REPAIR_EDITS) return;
        maker_replace(&r, s->token[t].end, s->token[t].end, is_declaration ? "[32]" : "[threadIdx.x / 32]");
        if (is_declaration) declared = t;
    }
    struct repair *kept = r.nedits > 1 ? maker_new(m) : NULL;
    if (!kept) return;
    *kept = r;
    message_print(
        kept->sentence, sizeof kept->sentence,
        "line %1$u: warps share the elements of '%2$s'. Give each warp its own: declare '%2$s[32]…', with the "
        "old extents behind, and write '%2$s[threadIdx.x / 32]' where it is used",
        s->token[declared].line, name);
}

// Proposes atomicAdd() for the statement `x++;`.
static void count_atomically(struct maker *m, uint32_t t)
{
    const struct source *s = m->s;
    uint32_t begin = maker_begin(s, t), end;
    while (maker_is_header(s, begin)) begin = s->token[begin + 1].mate + 1;
    end = source_statement_end(s, begin);
    int is_before = source_is(s, begin, "++");
    char left[STATEMENT];
    if (!source_is(s, end, ";") || end < begin + 2 || (!is_before && !source_is(s, end - 1, "++"))) return;
    maker_copy(s, begin + (uint32_t)is_before, end - 1 - (uint32_t)!is_before, left);
    struct repair *r = left[0] ? maker_new(m) : NULL;
    if (!r) return;
    char text[STATEMENT + 24];
    snprintf(text, sizeof text, "atomicAdd(&%s, 1)", left);
    maker_replace(r, s->token[begin].begin, s->token[end - 1].end, text);
    message_print(r->sentence, sizeof r->sentence, "line %u: add with atomicAdd(&%s, 1)", s->token[begin].line, left);
}

static void make_atomic(struct maker *m)
{
    const struct source *s = m->s;
    struct maker_assignment a;
    uint32_t t = maker_token(s, &m->f->at);
    if (t == NOWHERE) return;
    if (!maker_assignment(s, t, &a)) {
        count_atomically(m, t);
        return;
    }
    if (!source_is(s, a.op, "+=") && !source_is(s, a.op, "=")) return;
    struct repair *r = maker_new(m);
    char left[STATEMENT];
    if (!r) return;
    r->strict = source_is(s, a.op, "=");
    maker_copy(s, a.left, a.op - 1, left);
    maker_replace(r, s->token[a.left].begin, s->token[a.left].begin, "atomicAdd(&");
    maker_replace(r, s->token[a.op].begin, s->token[a.op].end, ",");
    maker_replace(r, s->token[a.end].begin, s->token[a.end].begin, ")");
    message_print(r->sentence, sizeof r->sentence, "line %u: add with atomicAdd(&%s, …)", s->token[a.op].line, left);
}

// ------------------------------------------------------------------------------------------------------------ barriers
static uint32_t barrier_at(const struct source *s, uint32_t line)
{
    for (uint32_t t = 0; t < s->count; ++t)
        if (s->token[t].line == line && source_is(s, t + 1, "(") &&
            (source_is(s, t, "__syncthreads") || source_is(s, t, "__syncwarp")))
            return t;
    return NOWHERE;
}

static void move_barrier(struct maker *m, uint32_t t, uint32_t branch, int is_behind)
{
    const struct source *s = m->s;
    struct repair *r = maker_new(m);
    uint32_t end = source_statement_end(s, t), at = s->token[branch].begin;
    char name[STATEMENT], text[REPAIR_TEXT];
    if (!r) return;
    maker_copy(s, t, end, name);
    uint32_t to = s->token[maker_end(s, branch)].end;
    snprintf(text, sizeof text, " %s ", name);
    if (!is_behind) maker_replace(r, at, at, text);
    maker_replace(r, s->token[t].begin, s->token[end].end, ";");
    if (is_behind) maker_replace(r, to, to, text);
    if (strchr(name, ';')) *strchr(name, ';') = '\0';
    message_print(r->sentence, sizeof r->sentence,
                  is_behind ? N_("move %s from line %u to a place behind the branch or loop that begins in line %u")
                            : N_("move %s from line %u to a place before the branch or loop that begins in line %u"),
                  name, s->token[t].line, s->token[branch].line);
}

static void close_branch(struct maker *m, uint32_t t, uint32_t branch)
{
    const struct source *s = m->s;
    char condition[STATEMENT], name[STATEMENT], text[2 * STATEMENT + 16];
    uint32_t end = source_statement_end(s, t);
    maker_copy(s, branch, s->token[branch + 1].mate, condition);
    maker_copy(s, t, end, name);
    struct repair *r = condition[0] && name[0] ? maker_new(m) : NULL;
    if (!r) return;
    snprintf(text, sizeof text, "} %s %s {", name, condition);
    maker_replace(r, s->token[t].begin, s->token[end].end, text);
    if (strchr(name, ';')) *strchr(name, ';') = '\0';
    message_print(r->sentence, sizeof r->sentence,
                  "close the branch of line %u before %s in line %u, and open it again behind it",
                  s->token[branch].line, name, s->token[t].line);
}

// Proposes to compare with the number of threads of the block in a loop around token t, so that each thread runs the
// loop equally often.
static void same_bound(struct maker *m, uint32_t t)
{
    const struct source *s = m->s;
    uint32_t begin[LEVELS], n = maker_around(s, t, begin);
    for (uint32_t level = 0; level < n; ++level) {
        uint32_t k = begin[level], first = k + 2, end;
        if (!maker_is_header(s, k) || source_is(s, k, "if")) continue;
        if (source_is(s, k, "for")) first = source_forward(s, first, ";") + 1;
        end = source_forward(s, first, ";");
        uint32_t sign = source_forward(s, first, "< <= ;");
        if (sign < end) maker_instead(m, sign, end - 1, "< blockDim.x");
    }
}

static void barrier_in_branch(struct maker *m)
{
    const struct source *s = m->s;
    uint32_t t = barrier_at(s, m->f->at.line), begin[LEVELS];
    if (t == NOWHERE && m->f->second) t = barrier_at(s, m->f->other.line);
    if (t == NOWHERE || m->f->at.file != FILE_STUDENT) return;
    uint32_t n = maker_around(s, t, begin);
    same_bound(m, t);
    maker_exit(m, t);
    uint32_t level = n && maker_is_header(s, begin[0]) ? 0 : 1; // `if (C) __syncthreads();` without braces
    if (level >= n || !maker_is_header(s, begin[level])) return;
    uint32_t end = source_statement_end(s, t);
    int is_last = source_is(s, end + 1, "}"), is_if = source_is(s, begin[level], "if");
    if (is_last) move_barrier(m, t, begin[level], 1);
    if (!is_last && is_if && level && source_is(s, t - 1, "{") == 0) close_branch(m, t, begin[level]);
    move_barrier(m, t, begin[level], 0);
    if (!is_last) move_barrier(m, t, begin[level], 1);
}

uint32_t repair_propose_tiles(const struct source *s, uint32_t factor, struct repair out[REPAIR_CANDIDATES])
{
    struct maker m = {.s = s, .out = out};
    maker_tiles(&m, factor);
    return m.count;
}

uint32_t repair_propose(const struct source *s, const struct verdict_finding *v, struct repair out[REPAIR_CANDIDATES])
{
    const struct finding *f = &v->finding;
    struct maker m = {s, v, f, out, 0};
    if (v->defect) {
        if (v->defect == DEFECT_UNCHECKED)
            maker_call(&m);
        else
            maker_wait(&m);
        return m.count;
    }
    if (v->job && v->job->lab->host) { // the kernel is given, and right
        maker_given(&m);
        return m.count;
    }
    if (verdict_is_race(f) && f->second && !f->fence) {
        if (f->at.line == f->other.line && (v->lost_update || !f->epoch)) make_atomic(&m);
        if (f->kind == FINDING_race_waw && f->at.line == f->other.line) maker_guard(&m);
        if (f->epoch && f->space == SPACE_SHARED) begin_behind(&m);
        if (f->epoch && !f->warp && without_block_barriers(&m))
            own_for_each_warp(&m);
        else if (f->epoch)
            race_in_block(&m);
    }
    if (f->kind == FINDING_barrier_divergent || f->kind == FINDING_bad_mask || f->kind == FINDING_barrier_mismatch)
        barrier_in_branch(&m);
    if (f->kind == FINDING_bad_mask) maker_mask(&m);
    if (f->kind == FINDING_out_of_bounds) maker_guard(&m);
    if (f->kind == FINDING_never_written) {
        if (f->value) maker_exit(&m, maker_token(s, &f->at));
        maker_value(&m);
        maker_guard(&m);
    }
    if (f->kind == FINDING_output_missing) maker_exit(&m, NOWHERE);
    if (f->kind == FINDING_output_missing || f->kind == FINDING_out_of_bounds || f->kind == FINDING_too_long)
        maker_cover(&m);
    return m.count;
}
