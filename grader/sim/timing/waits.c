// Keeps the lengths of chains of ops at the words through which warps wait; waits.h has the theory of operation.
#include "sim/timing/waits.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sim/core/mbarrier.h"
#include "sim/hazard/sync.h"

enum { WORDS_GLOBAL = 1 << 16, WORDS_SHARED = 1 << 8, WORD_BYTES = 4 };

struct waits {
    uint32_t words; // a power of two
    struct word {
        uint64_t number;  // address / WORD_BYTES, plus one; 0: no word
        uint64_t length;  // ops before the released value was there
        uint64_t arrived; // of an mbarrier: ops before the latest arrival of the phase that is not complete
    } word[];
};

static struct waits *table(uint32_t words)
{
    struct waits *t = alloc_zeroed(1, sizeof *t + words * sizeof *t->word);
    t->words = words;
    return t;
}

struct waits *waits_new(void)
{
    return table(WORDS_GLOBAL);
}

void waits_free(struct waits *t)
{
    free(t);
}

void waits_begin_block(struct sim_block *b, uint64_t start)
{
    b->start = start;
    if (b->waits) memset(b->waits->word, 0, b->waits->words * sizeof *b->waits->word);
}

// Returns the place of a word, or NULL if the launch keeps none of its space. If `adds` is 0, also returns NULL if the
// place has another word; otherwise that word is forgotten.
static struct word *place(struct sim_warp *w, uint32_t space, uint64_t at, int adds)
{
    struct sim_block *b = w->block;
    struct waits *t = space == SPACE_SHARED ? b->waits : b->worker->launch->waits;
    if (!t && adds && space == SPACE_SHARED) t = b->waits = table(WORDS_SHARED);
    if (!t) return NULL;
    uint64_t number = at / WORD_BYTES + 1, hash = number * UINT64_C(0x9e3779b97f4a7c15);
    struct word *p = &t->word[hash >> 40 & (t->words - 1)];
    if (p->number == number) return p;
    if (!adds) return NULL;
    *p = (struct word){.number = number};
    return p;
}

// Returns 1 if the access makes a warp wait for what another one released.
static int acquires(const struct sim_access *a, uint32_t space, int keeps)
{
    if (a->kind == ACCESS_READ) return sync_is_strong(a) && !(a->data >> space & 1);
    if (a->kind != ACCESS_ATOMIC || !a->returns || mbarrier_is_atom(a->atom)) return 0;
    return keeps || a->atom == PTX_ATOM_CAS || a->atom == PTX_ATOM_EXCH || a->sem == PTX_ACQUIRE ||
           a->sem == PTX_ACQ_REL || a->sem == PTX_SC;
}

void waits_read(struct sim_warp *w, const struct sim_access *a, uint32_t space, uint64_t at, int keeps)
{
    const struct word *p = acquires(a, space, keeps) ? place(w, space, at, 0) : NULL;
    if (p) waits_until(w, a->op, (struct sim_path){.waiting = p->length});
}

void waits_write(struct sim_warp *w, const struct sim_access *a, uint32_t space, uint64_t at)
{
    if (a->data >> space & 1) return;
    struct word *p = place(w, space, at, 1);
    uint64_t now = waits_path(w, a->op).waiting;
    if (p && (a->kind == ACCESS_WRITE || now > p->length)) p->length = now;
}

void waits_arrive(struct sim_warp *w, const struct sim_access *a, uint64_t at, int completes)
{
    struct word *p = place(w, SPACE_SHARED, at, 1);
    uint64_t now = waits_path(w, a->op).waiting;
    if (now > p->arrived) p->arrived = now;
    if (!completes) return;
    p->length = p->arrived;
    p->arrived = 0;
}

void waits_until(struct sim_warp *w, uint32_t op, struct sim_path path)
{
    struct sim_path now = waits_path(w, op);
    if (path.waiting > now.waiting) w->before.waiting += path.waiting - now.waiting;
    if (path.alone > now.alone) w->before.alone += path.alone - now.alone;
}
