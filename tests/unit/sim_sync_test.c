// Synchronisation through memory (release/acquire), and races in global memory. Each rule is tested by hand. Then
// random kernels of three blocks are compared with a model that keeps full vector clocks and remembers every access.
#include "sim_fixture.h"

#include "base/prng.h"
#include "sim/core/region.h"
#include "sim/hazard/copies.h"
#include "sim/hazard/shadow.h"
#include "sim/hazard/sync.h"
#include "sim/machine/access.h"
#include "sim/machine/block_memory.h"
#include "sim/machine/memory.h"

enum { BLOCKS = 3, WARPS = 2, BLOCK = 64, THREADS = BLOCKS * BLOCK, DATA = 16, FLAGS = 4, EVENTS = 2560, ALL = -1 };

static uint32_t row[2][32] __attribute__((aligned(64)));
static void *rows[1] = {row[0]};
static const void *const stores[1] = {row[1]};

// A launch of three blocks of two warps, run by one thread: shared words 0 … 15 are data, 16 … 19 flags; so are those
// of the buffer.
struct launch {
    struct fixture *f;
    struct sim_block block[BLOCKS];
    struct sim_warp warp[BLOCKS][WARPS];
    uint64_t buffer;
};

static void begin(struct launch *l)
{
    struct fixture *f = l->f;
    sim_memory_begin(f->launch.memory, &f->launch, 1);
    region_at(f->launch.memory, l->buffer)->race_reads =
        1; // as in the second run of a launch that reads what it writes
    for (uint32_t b = 0; b < BLOCKS; b++) {
        l->block[b].linear = l->block[b].index[0] = b;
        block_memory_begin(&l->block[b]);
    }
}

static struct launch *open_launch(void)
{
    struct launch *l = calloc(1, sizeof *l);
    struct fixture *f = l->f = fixture_new();
    fixture_var(f, "s", PTX_SHARED, 128);
    fixture_start(f, BLOCK, BLOCKS, 0, 0);
    int buffer = sim_memory_alloc(f->launch.memory, 128, 4);
    uint32_t zeros[32] = {0};
    sim_memory_write(f->launch.memory, buffer, 0, zeros, sizeof zeros, 0);
    l->buffer = sim_memory_address(f->launch.memory, buffer);
    for (uint32_t b = 0; b < BLOCKS; b++) {
        l->block[b] = (struct sim_block){.worker = &f->worker, .shared = calloc(1, f->launch.shared_bytes + 64)};
        l->block[b].shadow = shadow_new(&f->launch);
        for (uint32_t w = 0; w < WARPS; w++) {
            l->warp[b][w] = (struct sim_warp){.block = &l->block[b], .id = w, .live = 0xffffffffu};
        }
    }
    begin(l);
    return l;
}

static void close_launch(struct launch *l)
{
    for (uint32_t b = 0; b < BLOCKS; b++) {
        shadow_free(l->block[b].shadow);
        l1_log_free(&l->block[b].sectors);
        free(l->block[b].shared);
    }
    fixture_free(l->f);
    free(l);
}

static void forget_findings(struct launch *l)
{
    finding_log_free(l->f->worker.findings);
    l->f->worker.findings = finding_log_new();
}

// The lanes of mask access the words word + lane * step.
static void act(struct launch *l, uint32_t b, uint32_t w, enum memory_space space, enum access_kind kind, uint32_t sem,
                uint32_t scope, uint32_t mask, uint32_t word, uint32_t step)
{
    struct sim_access a = fixture_access(space, kind, 1, mask, 0, 0);
    uint64_t base = space == SPACE_GLOBAL ? l->buffer : 0;
    for (uint32_t i = 0; i < 32; i++) a.address[i] = base + 4 * ((word + i * step) % (DATA + FLAGS));
    a.sem = (uint8_t)sem;
    a.scope = (uint8_t)scope;
    a.atom = PTX_ATOM_ADD;
    a.returns = 1;
    if (kind == ACCESS_READ) access_load(&l->warp[b][w], &a, rows, NULL);
    if (kind == ACCESS_WRITE) access_store(&l->warp[b][w], &a, stores, NULL);
    if (kind == ACCESS_ATOMIC) access_atomic(&l->warp[b][w], &a, row[0], row[1], NULL);
}
#define WR(b, word) act(l, b, 0, SPACE_GLOBAL, ACCESS_WRITE, 0, 0, 1, word, 0)
#define RD(b, word) act(l, b, 0, SPACE_GLOBAL, ACCESS_READ, 0, 0, 1, word, 0)
#define FENCE(b, scope) sync_fence(&l->warp[b][0], 1, scope)
#define STRONG(b, kind, sem, word) act(l, b, 0, SPACE_GLOBAL, kind, sem, PTX_GPU, 1, word, 0)

static void a_fenced_flag_orders_two_blocks(void **state)
{
    (void)state;
    struct launch *l = open_launch();
    WR(0, 0);
    FENCE(0, PTX_GPU);
    STRONG(0, ACCESS_WRITE, PTX_VOLATILE, 16);
    STRONG(1, ACCESS_READ, PTX_VOLATILE, 16);
    RD(1, 0);
    assert_int_equal(fixture_findings(l->f), 0);
    RD(2, 0); // who has not seen the flag
    const struct finding *found = fixture_finding(l->f, FINDING_race_raw);
    assert_non_null(found);
    assert_int_equal(found->at.block[0], 2);
    assert_int_equal(found->other.block[0], 0);
    assert_int_equal(found->second, 1);
    close_launch(l);
}

static void no_fence_no_order(void **state)
{
    (void)state;
    static const struct {
        uint32_t fence, write, read;
        int ordered;
    } cases[] = {
        {0, PTX_VOLATILE, PTX_VOLATILE, 0},       {0, PTX_RELAXED, PTX_ACQUIRE, 0},
        {0, PTX_RELEASE, PTX_ACQUIRE, 1},         {0, PTX_RELEASE, PTX_RELAXED, 0}, // no fence behind the relaxed load
        {PTX_CTA, PTX_VOLATILE, PTX_VOLATILE, 0}, {PTX_SYS, PTX_RELAXED, PTX_ACQUIRE, 1},
        {PTX_GPU, PTX_RELAXED, PTX_VOLATILE, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct launch *l = open_launch();
        WR(0, 0);
        if (cases[i].fence) FENCE(0, cases[i].fence);
        STRONG(0, ACCESS_WRITE, cases[i].write, 16);
        STRONG(1, ACCESS_READ, cases[i].read, 16);
        RD(1, 0);
        assert_int_equal(fixture_findings(l->f), !cases[i].ordered);
        close_launch(l);
    }
}

static void what_follows_the_fence_is_not_handed_over(void **state)
{
    (void)state;
    struct launch *l = open_launch();
    FENCE(0, PTX_GPU);
    WR(0, 0);
    STRONG(0, ACCESS_ATOMIC, 0, 16);
    STRONG(1, ACCESS_ATOMIC, 0, 16);
    RD(1, 0);
    assert_non_null(fixture_finding(l->f, FINDING_race_raw));
    close_launch(l);
}

static void atomics_go_on_a_store_begins_anew(void **state)
{
    (void)state;
    struct launch *l = open_launch();
    WR(0, 0);
    FENCE(0, PTX_GPU);
    STRONG(0, ACCESS_ATOMIC, 0, 16);
    STRONG(1, ACCESS_ATOMIC, 0, 16); // adds nothing, takes nothing away
    STRONG(2, ACCESS_ATOMIC, 0, 16);
    RD(2, 0);
    assert_int_equal(fixture_findings(l->f), 0);
    begin(l);
    WR(0, 0);
    FENCE(0, PTX_GPU);
    STRONG(0, ACCESS_ATOMIC, 0, 16);
    act(l, 1, 1, SPACE_GLOBAL, ACCESS_WRITE, PTX_VOLATILE, 0, 1, 16, 0); // a flag of its own: 0's is gone
    STRONG(2, ACCESS_ATOMIC, 0, 16);
    RD(2, 0);
    assert_non_null(fixture_finding(l->f, FINDING_race_raw));
    close_launch(l);
}

static void blocks_may_overwrite_what_was_read_in_order_only(void **state)
{
    (void)state;
    struct launch *l = open_launch();
    for (uint32_t reader = 0; reader < 2; reader++) { // one of two readers has not said that it is done
        begin(l);
        for (uint32_t b = 0; b < 2; b++) RD(b, 3);
        FENCE(reader, PTX_GPU);
        STRONG(reader, ACCESS_ATOMIC, 0, 16);
        STRONG(2, ACCESS_ATOMIC, 0, 16);
        WR(2, 3);
        const struct finding *found = fixture_finding(l->f, FINDING_race_war);
        assert_non_null(found);
        assert_int_equal(found->other.block[0], 1 - reader);
        forget_findings(l);
    }
    begin(l);
    for (uint32_t b = 0; b < 2; b++) {
        RD(b, 3);
        FENCE(b, PTX_GPU);
        STRONG(b, ACCESS_ATOMIC, 0, 16);
    }
    STRONG(2, ACCESS_ATOMIC, 0, 16);
    WR(2, 3);
    assert_int_equal(fixture_findings(l->f), 0);
    close_launch(l);
}

static void a_narrow_atomic_protects_its_block_only(void **state)
{
    (void)state;
    struct launch *l = open_launch();
    for (uint32_t w = 0; w < WARPS; w++) act(l, 0, w, SPACE_GLOBAL, ACCESS_ATOMIC, 0, PTX_CTA, 1, 16, 0);
    assert_int_equal(fixture_findings(l->f), 0);
    STRONG(1, ACCESS_ATOMIC, 0, 16);
    assert_non_null(fixture_finding(l->f, FINDING_race_atomic));
    close_launch(l);
}

static void equal_values_are_a_note(void **state)
{
    (void)state;
    struct launch *l = open_launch();
    for (int i = 0; i < 32; i++) row[1][i] = 5;
    act(l, 0, 0, SPACE_GLOBAL, ACCESS_WRITE, 0, 0, (uint32_t)ALL, 0, 0);
    act(l, 1, 0, SPACE_GLOBAL, ACCESS_WRITE, 0, 0, (uint32_t)ALL, 0, 0);
    assert_non_null(fixture_finding(l->f, FINDING_race_same_value));
    assert_null(fixture_finding(l->f, FINDING_race_waw));
    row[1][7] = 6;
    act(l, 1, 0, SPACE_GLOBAL, ACCESS_WRITE, 0, 0, (uint32_t)ALL, 1, 0);
    assert_non_null(fixture_finding(l->f, FINDING_race_waw));
    close_launch(l);
}

static void bytes_ask_for_another_run(void **state)
{
    (void)state;
    struct launch *l = open_launch();
    struct sim_access a = fixture_access(SPACE_GLOBAL, ACCESS_WRITE, 1, 0xffffffffu, l->buffer, 1);
    a.bytes = 1;
    for (uint32_t i = 0; i < 32; i++) row[1][i] = i;
    access_store(&l->warp[0][0], &a, stores, NULL);
    assert_int_equal(sim_memory_retry(l->f->launch.memory), 1);
    begin(l);
    assert_int_equal(sim_memory_retry(l->f->launch.memory), 0);
    access_store(&l->warp[0][0], &a, stores, NULL);
    for (uint32_t i = 0; i < 32; i++) a.address[i] += 32;
    access_store(&l->warp[1][0], &a, stores, NULL);
    assert_int_equal(fixture_findings(l->f), 0);
    shadow_warp_barrier(&l->warp[1][0], 0xffffffffu);
    for (uint32_t i = 0; i < 32; i++) a.address[i] -= 1; // the last of block 0
    access_store(&l->warp[1][0], &a, stores, NULL);
    const struct finding *found = fixture_finding(l->f, FINDING_race_waw);
    assert_non_null(found);
    assert_int_equal(found->count, 1);
    assert_int_equal(found->offset, 31);
    assert_int_equal(found->other.thread[0], 31);
    assert_int_equal(sim_memory_retry(l->f->launch.memory), 0);
    close_launch(l);
}

static void copies_land_when_they_are_waited_for(void **state)
{
    (void)state;
    for (uint32_t left = 0; left < 3; left++) {
        struct launch *l = open_launch();
        for (uint32_t g = 0; g < 2; g++) {
            struct sim_access a = fixture_access(SPACE_SHARED, ACCESS_WRITE, 1, 0xf, 16 * g, 4);
            a.async = 1;
            access_store(&l->warp[0][0], &a, stores, NULL);
            copies_commit(&l->warp[0][0], 0xf);
        }
        copies_wait(&l->warp[0][0], 0xf, left);
        act(l, 0, 0, SPACE_SHARED, ACCESS_READ, 0, 0, 0xf, 0, 1); // its own words of the first group
        assert_int_equal(fixture_findings(l->f), left == 2);
        act(l, 0, 0, SPACE_SHARED, ACCESS_READ, 0, 0, 0xf, 4, 1);
        assert_int_equal(fixture_findings(l->f) != 0, left > 0);
        act(l, 0, 1, SPACE_SHARED, ACCESS_READ, 0, 0, 0xf, 0, 1); // another warp's, without a barrier
        assert_non_null(fixture_finding(l->f, FINDING_race_raw));
        close_launch(l);
    }
    struct launch *l = open_launch();
    struct sim_access a = fixture_access(SPACE_SHARED, ACCESS_WRITE, 1, 0xf, 0, 4);
    a.async = 1;
    access_store(&l->warp[0][0], &a, stores, NULL);
    copies_wait(&l->warp[0][0], 0xf, 0); // the group was never closed
    act(l, 0, 0, SPACE_SHARED, ACCESS_READ, 0, 0, 0xf, 0, 1);
    assert_non_null(fixture_finding(l->f, FINDING_race_raw));
    forget_findings(l);
    copies_wait(&l->warp[0][0], 0xf, COPIES_ALL);
    block_memory_barrier(&l->block[0]);
    act(l, 0, 1, SPACE_SHARED, ACCESS_READ, 0, 0, 0xf, 0, 1);
    assert_int_equal(fixture_findings(l->f), 0);
    close_launch(l);
}

static void who_arrives_is_known_up_to_its_arrival(void **state)
{
    (void)state;
    struct launch *l = open_launch();
    act(l, 0, 0, SPACE_SHARED, ACCESS_WRITE, 0, 0, 1, 0, 0);
    shadow_named_arrive(&l->block[0], 1, 0);
    act(l, 0, 0, SPACE_SHARED, ACCESS_WRITE, 0, 0, 1, 1, 0);
    shadow_named_barrier(&l->block[0], 1, 1u << 1);
    act(l, 0, 1, SPACE_SHARED, ACCESS_READ, 0, 0, 1, 0, 0);
    assert_int_equal(fixture_findings(l->f), 0);
    act(l, 0, 1, SPACE_SHARED, ACCESS_READ, 0, 0, 1, 1, 0);
    assert_non_null(fixture_finding(l->f, FINDING_race_raw));
    close_launch(l);
}

// ---------------------------------------------------------------- the model

struct clock {
    uint32_t of[THREADS];
};
struct event {
    uint32_t thread, time;
    int writes;
};
struct place {
    struct clock left[2];
    uint32_t block;
};
struct model {
    uint32_t now[THREADS];
    struct clock known[THREADS], fenced[2][THREADS], relaxed[THREADS];
    struct clock arrived[BLOCKS][3]; // at the named barrier: what is known; fenced for the block; for all
    uint32_t events[DATA * (1 + BLOCKS)];
    struct place place[FLAGS * (1 + BLOCKS)];        // global ones, then each block's
    struct event event[DATA * (1 + BLOCKS)][EVENTS]; // as many as `events` says
};

static void join(struct clock *into, const struct clock *more)
{
    for (uint32_t u = 0; u < THREADS; u++)
        if (more->of[u] > into->of[u]) into->of[u] = more->of[u];
}

static int model_access(struct model *m, uint32_t thread, uint32_t word, int writes)
{
    int race = 0;
    for (uint32_t i = 0; i < m->events[word]; i++) {
        const struct event *e = &m->event[word][i];
        if (e->thread != thread && (writes || e->writes) && e->time > m->known[thread].of[e->thread]) race = 1;
    }
    assert_true(m->events[word] < EVENTS);
    m->event[word][m->events[word]++] = (struct event){thread, ++m->now[thread], writes};
    return race;
}

// All that a thread knows, itself included.
static struct clock everything(const struct model *m, uint32_t thread)
{
    struct clock c = m->known[thread];
    c.of[thread] = m->now[thread];
    return c;
}

static void model_fence(struct model *m, uint32_t thread, uint32_t scope)
{
    join(&m->known[thread], &m->relaxed[thread]);
    memset(&m->relaxed[thread], 0, sizeof m->relaxed[thread]);
    m->fenced[SYNC_BLOCK][thread] = everything(m, thread);
    if (scope != PTX_CTA) m->fenced[SYNC_GRID][thread] = m->fenced[SYNC_BLOCK][thread];
}

static void model_strong(struct model *m, uint32_t thread, struct place *p, enum access_kind kind, uint32_t sem)
{
    uint32_t block = thread / BLOCK;
    if (kind != ACCESS_WRITE) {
        struct clock *into = kind == ACCESS_READ && sem == PTX_RELAXED ? m->relaxed : m->known;
        join(&into[thread], &p->left[SYNC_GRID]);
        if (p->block == block) join(&into[thread], &p->left[SYNC_BLOCK]);
    }
    if (kind == ACCESS_READ) return;
    struct clock all = everything(m, thread);
    for (int k = 0; k < 2; k++) {
        const struct clock *left = sem >= PTX_RELEASE ? &all : &m->fenced[k][thread];
        if (kind == ACCESS_WRITE || (k == SYNC_BLOCK && p->block != block)) memset(&p->left[k], 0, sizeof *left);
        join(&p->left[k], left);
    }
    p->block = block;
}

static void model_meet(struct model *m, uint32_t first, uint32_t count, uint32_t mask)
{
    struct clock known = {{0}}, fenced[2] = {{{0}}, {{0}}};
    for (int turn = 0; turn < 2; turn++) {
        for (uint32_t t = first; t < first + count; t++) {
            if (!(mask >> t % 32 & 1)) continue;
            struct clock all = everything(m, t);
            join(turn ? &m->known[t] : &known, turn ? &known : &all);
            for (int k = 0; k < 2; k++)
                join(turn ? &m->fenced[k][t] : &fenced[k], turn ? &fenced[k] : &m->fenced[k][t]);
        }
    }
}

static void model_arrive(struct model *m, uint32_t block)
{
    for (uint32_t t = block * BLOCK; t < block * BLOCK + 32; t++) {
        struct clock all = everything(m, t);
        join(&m->arrived[block][0], &all);
        for (int k = 0; k < 2; k++) join(&m->arrived[block][1 + k], &m->fenced[k][t]);
    }
}

static void model_wait(struct model *m, uint32_t block)
{
    uint32_t first = block * BLOCK + 32;
    for (uint32_t t = first; t < first + 32; t++) {
        join(&m->known[t], &m->arrived[block][0]);
        for (int k = 0; k < 2; k++) join(&m->fenced[k][t], &m->arrived[block][1 + k]);
    }
    model_meet(m, first, 32, 0xffffffffu);
    memset(m->arrived[block], 0, sizeof m->arrived[block]);
}

// Data: plain reads and writes. 1 when the model says that it races.
static int random_data(struct launch *l, struct model *m, struct prng *r, uint32_t b, uint32_t w, uint32_t mask)
{
    int global = (int)prng_below(r, 2), writes = prng_below(r, 3) == 0, race = 0;
    uint32_t word = prng_below(r, DATA);
    if (writes) mask &= ~mask + 1; // one lane
    for (uint32_t i = 0; i < 32; i++) row[1][i] = prng_below(r, 0xffffffff);
    for (uint32_t i = 0; i < 32; i++) {
        if (!(mask >> i & 1)) continue;
        race |= model_access(m, b * BLOCK + w * 32 + i, (global ? 0 : DATA * (1 + b)) + word, writes);
    }
    act(l, b, w, global ? SPACE_GLOBAL : SPACE_SHARED, writes ? ACCESS_WRITE : ACCESS_READ, 0, 0, mask, word, 0);
    return race;
}

static void random_flag(struct launch *l, struct model *m, struct prng *r, uint32_t b, uint32_t w, uint32_t mask)
{
    static const struct {
        enum access_kind kind;
        uint32_t sem;
    } ways[] = {{ACCESS_ATOMIC, 0},           {ACCESS_ATOMIC, PTX_ACQ_REL}, {ACCESS_READ, PTX_VOLATILE},
                {ACCESS_READ, PTX_ACQUIRE},   {ACCESS_READ, PTX_RELAXED},   {ACCESS_WRITE, PTX_RELEASE},
                {ACCESS_WRITE, PTX_VOLATILE}, {ACCESS_READ, PTX_VOLATILE}};
    uint32_t way = prng_below(r, 8), flag = prng_below(r, FLAGS), global = prng_below(r, 2);
    mask &= ~mask + 1;
    model_strong(m, b * BLOCK + w * 32 + (uint32_t)__builtin_ctz(mask),
                 &m->place[(global ? 0 : FLAGS * (1 + b)) + flag], ways[way].kind, ways[way].sem);
    act(l, b, w, global ? SPACE_GLOBAL : SPACE_SHARED, ways[way].kind, ways[way].sem, PTX_GPU, mask, DATA + flag, 0);
}

static void random_order(struct launch *l, struct model *m, struct prng *r, uint32_t b, uint32_t w, uint32_t mask)
{
    switch (prng_below(r, 8)) {
    case 0:
        block_memory_barrier(&l->block[b]);
        model_meet(m, b * BLOCK, BLOCK, 0xffffffffu);
        break;
    case 1:
        shadow_warp_barrier(&l->warp[b][w], mask);
        model_meet(m, b * BLOCK + w * 32, 32, mask);
        break;
    case 2:
        shadow_named_arrive(&l->block[b], 1, 0);
        model_arrive(m, b);
        break;
    case 3:
        shadow_named_barrier(&l->block[b], 1, 1u << 1);
        model_wait(m, b);
        break;
    default: {
        uint32_t scope = prng_below(r, 4) ? PTX_GPU : PTX_CTA;
        sync_fence(&l->warp[b][w], mask, scope);
        for (uint32_t i = 0; i < 32; i++)
            if (mask >> i & 1) model_fence(m, b * BLOCK + w * 32 + i, scope);
        break;
    }
    }
}

static void random_kernels_agree_with_the_model(void **state)
{
    (void)state;
    static const uint32_t masks[] = {1, 1, 2, 0x80000000, 3, 0xff, 0xffff0000, 0xffffffff};
    struct launch *l = open_launch();
    struct model *m = malloc(sizeof *m);
    struct prng r = prng_stream(21, "handover");
    uint32_t raced = 0, steps = 0, handed = 0;
    for (uint32_t trial = 0; trial < 1500; trial++) {
        memset(m, 0, offsetof(struct model, event));
        begin(l);
        for (uint32_t b = 0; b < BLOCKS; b++) { // all words of shared memory are written, and known to all of the block
            act(l, b, 0, SPACE_SHARED, ACCESS_WRITE, 0, 0, (1u << (DATA + FLAGS)) - 1, 0, 1);
            block_memory_barrier(&l->block[b]);
        }
        uint32_t eager = 1 + prng_below(&r, 12);
        for (uint32_t step = 0; step < 80; step++, steps++) {
            uint32_t b = prng_below(&r, BLOCKS), w = prng_below(&r, WARPS), mask = masks[prng_below(&r, 8)];
            for (uint32_t k = 0; k < eager; k++) {
                uint32_t other = prng_below(&r, BLOCKS), ow = prng_below(&r, WARPS), om = masks[prng_below(&r, 8)];
                if (prng_below(&r, 2))
                    random_order(l, m, &r, other, ow, om);
                else
                    random_flag(l, m, &r, other, ow, om);
            }
            int race = random_data(l, m, &r, b, w, mask), seen = fixture_findings(l->f) != 0;
            if (race != seen)
                fail_msg("trial %u, step %u: the model says %d, the detector %d", trial, step, race, seen);
            if (!race && step > 20) handed++;
            if (!race) continue;
            raced++;
            forget_findings(l);
            break;
        }
    }
    assert_true(raced > 750 && handed > 400); // both outcomes were tried
    free(m);
    close_launch(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fenced_flag_orders_two_blocks),
        cmocka_unit_test(no_fence_no_order),
        cmocka_unit_test(what_follows_the_fence_is_not_handed_over),
        cmocka_unit_test(atomics_go_on_a_store_begins_anew),
        cmocka_unit_test(blocks_may_overwrite_what_was_read_in_order_only),
        cmocka_unit_test(a_narrow_atomic_protects_its_block_only),
        cmocka_unit_test(equal_values_are_a_note),
        cmocka_unit_test(bytes_ask_for_another_run),
        cmocka_unit_test(copies_land_when_they_are_waited_for),
        cmocka_unit_test(who_arrives_is_known_up_to_its_arrival),
        cmocka_unit_test(random_kernels_agree_with_the_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
