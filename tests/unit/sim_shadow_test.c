// Races and unwritten reads in shared memory. Each rule is tested by hand. Then random kernels are compared with a
// model that remembers every access and each thread's full vector clock.
#include "sim_fixture.h"

#include "base/prng.h"
#include "sim/hazard/shadow.h"
#include "sim/machine/access.h"
#include "sim/machine/block_memory.h"

static uint32_t row[4][32] __attribute__((aligned(64)));
static void *rows[4] = {row[0], row[1], row[2], row[3]};
static const void *const stores[4] = {row[0], row[1], row[2], row[3]};
enum { ALL = -1 };

// Four warps and an array of 512 floats "s", one of 32 chars "c", written before the test's first barrier if `filled`.
static struct fixture *start(int filled)
{
    struct fixture *f = fixture_new();
    fixture_var(f, "_ZZ6kernelvE1s", PTX_SHARED, 2048);
    fixture_var(f, "_ZZ6kernelvE1c", PTX_SHARED, 32);
    fixture_start(f, 128, 1, 0, 0);
    for (uint32_t w = 0; filled && w < 16; w++) {
        struct sim_access a = fixture_access(SPACE_SHARED, ACCESS_WRITE, 60, 0xffffffffu, w * 128, 4);
        access_store(&f->warp[w % 4], &a, stores, NULL);
    }
    block_memory_barrier(&f->block);
    return f;
}

// One warp's access to s[index + lane * step] by the lanes of mask.
static void act(struct fixture *f, uint32_t warp, uint32_t op, enum access_kind kind, uint32_t mask, int index,
                int step)
{
    struct sim_access a = fixture_access(SPACE_SHARED, kind, op, mask, (uint64_t)((int64_t)index * 4), step * 4);
    a.atom = PTX_ATOM_ADD;
    if (kind == ACCESS_READ) access_load(&f->warp[warp], &a, rows, NULL);
    if (kind == ACCESS_WRITE) access_store(&f->warp[warp], &a, stores, NULL);
    if (kind == ACCESS_ATOMIC) access_atomic(&f->warp[warp], &a, NULL, row[3], NULL);
}
#define RD(warp, op, mask, index, step) act(f, warp, op, ACCESS_READ, (uint32_t)(mask), index, step)
#define WR(warp, op, mask, index, step) act(f, warp, op, ACCESS_WRITE, (uint32_t)(mask), index, step)
#define AT(warp, op, mask, index, step) act(f, warp, op, ACCESS_ATOMIC, (uint32_t)(mask), index, step)

static void new_values(void)
{
    static uint32_t next = 1000;
    for (int e = 0; e < 3; e++) {
        for (int l = 0; l < 32; l++) row[e][l] = next++;
    }
    for (int l = 0; l < 32; l++) row[3][l] = 1;
}

static void a_barrier_orders_a_tile(void **state)
{
    (void)state;
    struct fixture *f = start(0);
    for (int step = 0; step < 3; step++) {
        for (uint32_t w = 0; w < 4; w++) new_values(), WR(w, 1, ALL, (int)w * 32, 1);
        block_memory_barrier(&f->block);
        for (uint32_t w = 0; w < 4; w++) {
            for (int k = 0; k < 128; k++) RD(w, 2, ALL, k, 0);
            for (int k = 0; k < 4; k++) RD(w, 3, ALL, k * 32, 1);
        }
        block_memory_barrier(&f->block);
    }
    assert_int_equal(fixture_findings(f), 0);
    fixture_free(f);
}

static void a_missing_barrier_is_named_with_both_ends(void **state)
{
    (void)state;
    struct fixture *f = start(1);
    new_values();
    WR(1, 7, ALL, 32, 1);
    RD(2, 9, ALL, 35, 0);
    const struct finding *found = fixture_finding(f, FINDING_race_raw);
    assert_non_null(found);
    assert_int_equal(found->space, SPACE_SHARED);
    assert_string_equal(found->symbol, "s");
    assert_int_equal(found->offset, 35 * 4);
    assert_int_equal(found->extent, 2048);
    assert_int_equal(found->at.thread[0], 64);
    assert_int_equal(found->at.access, ACCESS_READ);
    assert_int_equal(found->second, 1);
    assert_int_equal(found->other.thread[0], 35);
    assert_int_equal(found->other.access, ACCESS_WRITE);
    fixture_free(f);
}

static void every_reader_counts(void **state)
{
    (void)state;
    for (uint32_t writer = 0; writer < 4; writer++) {
        struct fixture *f = start(1);
        for (uint32_t w = 0; w < 4; w++) RD(w, w, ALL, 0, 1); // all warps read all of it
        new_values();
        WR(writer, 9, 1, 0, 1);
        assert_non_null(fixture_finding(f, FINDING_race_war));
        fixture_free(f);
        // The only reader is the warp that came first, or last.
        f = start(1);
        RD(3, 1, ALL, 0, 1);
        for (int k = 0; k < 5; k++) RD(writer, 2, 1u << k, 0, 0);
        WR(writer, 9, 1, 0, 1);
        assert_non_null(fixture_finding(f, FINDING_race_war));
        fixture_free(f);
    }
}

static void lockstep_orders_nothing(void **state)
{
    (void)state;
    struct fixture *f = start(1);
    new_values();
    WR(0, 1, ALL, 0, 1);
    RD(0, 2, ALL, 0, 1); // its own: fine
    assert_int_equal(fixture_findings(f), 0);
    RD(0, 3, 0x7fffffff, 1, 1); // the neighbour's
    assert_non_null(fixture_finding(f, FINDING_race_raw));
    fixture_free(f);
    f = start(1);
    RD(0, 1, 0xffff, 16, 1);
    new_values();
    WR(0, 2, ALL, 0, 1); // lanes 16 … overwrite what lanes 0 … read
    assert_non_null(fixture_finding(f, FINDING_race_war));
    assert_null(fixture_finding(f, FINDING_race_raw));
    fixture_free(f);
}

static void syncwarp_orders_its_warp_alone(void **state)
{
    (void)state;
    struct fixture *f = start(1);
    for (int d = 16; d > 0; d /= 2) {
        uint32_t half = (1u << d) - 1;
        RD(1, 1, half, 32, 1);
        RD(1, 2, half, 32 + d, 1);
        shadow_warp_barrier(&f->warp[1], 0xffffffffu);
        new_values();
        WR(1, 3, half, 32, 1);
        shadow_warp_barrier(&f->warp[1], 0xffffffffu);
    }
    RD(1, 4, ALL, 32, 0);
    assert_int_equal(fixture_findings(f), 0);
    assert_int_equal(f->warp[1].phase, 10);
    RD(2, 5, 1, 32, 0);
    assert_non_null(fixture_finding(f, FINDING_race_raw));
    fixture_free(f);
}

static void a_partial_mask_orders_its_lanes(void **state)
{
    (void)state;
    struct fixture *f = start(1);
    new_values();
    WR(0, 1, ALL, 0, 1);
    shadow_warp_barrier(&f->warp[0], 0x0000ffff);
    RD(0, 2, 0x7fff, 1, 1); // among lanes 0 … 15
    assert_int_equal(fixture_findings(f), 0);
    shadow_warp_barrier(&f->warp[0], 0x00018000); // lane 15 tells lane 16 what it knows
    RD(0, 3, 0x10000, 3, 0);
    assert_int_equal(fixture_findings(f), 0);
    RD(0, 4, 0x20000, 3, 0);
    assert_non_null(fixture_finding(f, FINDING_race_raw));
    fixture_free(f);
    // A reader from before the partial barrier, another from after it.
    f = start(1);
    RD(0, 1, 1, 5, 0);
    shadow_warp_barrier(&f->warp[0], 0xf);
    RD(0, 2, 0x10, 5, 0);
    new_values();
    WR(0, 3, 0x2, 5, 0); // lane 0's read is ordered, lane 4's is not
    const struct finding *found = fixture_finding(f, FINDING_race_war);
    assert_non_null(found);
    assert_int_equal(found->other.thread[0], 4);
    fixture_free(f);
    f = start(1);
    RD(0, 1, 1, 5, 0);
    shadow_warp_barrier(&f->warp[0], 0xf);
    RD(0, 2, 0x2, 5, 0);
    WR(0, 3, 0x2, 5, 0);
    assert_int_equal(fixture_findings(f), 0);
    fixture_free(f);
}

static void one_instruction_can_race_with_itself(void **state)
{
    (void)state;
    struct fixture *f = start(1);
    new_values();
    WR(0, 1, 3, 0, 0);
    const struct finding *found = fixture_finding(f, FINDING_race_waw);
    assert_non_null(found);
    assert_int_equal(found->at.thread[0], 1);
    assert_int_equal(found->other.thread[0], 0);
    fixture_free(f);
    f = start(1);
    for (int l = 0; l < 32; l++) row[0][l] = 123456;
    WR(0, 1, ALL, 0, 0);
    assert_int_equal(fixture_findings(f), 1);
    assert_non_null(fixture_finding(f, FINDING_race_same_value));
    fixture_free(f);
}

static void atomics_race_with_plain_accesses_only(void **state)
{
    (void)state;
    struct fixture *f = start(1);
    for (uint32_t w = 0; w < 4; w++) AT(w, 1, ALL, 0, 0);
    assert_int_equal(fixture_findings(f), 0);
    block_memory_barrier(&f->block);
    RD(3, 2, ALL, 0, 0);
    assert_int_equal(fixture_findings(f), 0);
    AT(0, 3, 1, 0, 0);
    assert_non_null(fixture_finding(f, FINDING_race_atomic));
    fixture_free(f);
    f = start(1);
    AT(0, 1, 1, 0, 0);
    RD(1, 2, 1, 0, 0);
    assert_non_null(fixture_finding(f, FINDING_race_atomic));
    fixture_free(f);
    f = start(1); // the clearing without a barrier, hidden by the clearer's own atomic
    new_values();
    WR(0, 1, 1, 0, 0);
    AT(0, 2, 1, 0, 0);
    AT(1, 3, 1, 0, 0);
    assert_non_null(fixture_finding(f, FINDING_race_atomic));
    fixture_free(f);
}

static struct sim_access bytes_of(enum access_kind kind, uint32_t op, uint32_t mask, uint32_t base, uint32_t bytes)
{
    struct sim_access a = fixture_access(SPACE_SHARED, kind, op, mask, base, bytes);
    a.bytes = (uint8_t)bytes;
    return a;
}

static void bytes_are_told_apart(void **state)
{
    (void)state;
    struct fixture *f = start(0);
    uint32_t c = f->layout.offset[1];
    struct sim_access a = bytes_of(ACCESS_WRITE, 1, 0x0000ffff, c, 1), b = bytes_of(ACCESS_WRITE, 2, 0xffff0000, c, 1);
    access_store(&f->warp[0], &a, stores, NULL);
    access_store(&f->warp[1], &b, stores, NULL); // other bytes, some of the same word
    a.kind = ACCESS_READ;
    access_load(&f->warp[0], &a, rows, NULL);
    assert_int_equal(fixture_findings(f), 0);
    struct sim_access word = bytes_of(ACCESS_READ, 3, 0x10, c - 4, 4);
    access_load(&f->warp[0], &word, rows, NULL); // c[12 … 15], another thread's bytes
    assert_non_null(fixture_finding(f, FINDING_race_raw));
    block_memory_barrier(&f->block);
    word = bytes_of(ACCESS_WRITE, 4, 1, c, 4);
    access_store(&f->warp[2], &word, stores, NULL);
    a = bytes_of(ACCESS_READ, 5, 1, c + 3, 1);
    access_load(&f->warp[3], &a, rows, NULL);
    assert_int_equal(fixture_findings(f), 2);
    fixture_free(f);
}

static void unwritten_words_read_as_zero_and_are_reported_once(void **state)
{
    (void)state;
    struct fixture *f = start(1);
    fixture_block(f, 1); // the next block on this worker finds the old bytes
    row[0][0] = 5;
    RD(0, 1, ALL, 0, 1);
    for (int l = 0; l < 32; l++) assert_int_equal(row[0][l], 0);
    const struct finding *found = fixture_finding(f, FINDING_never_written);
    assert_non_null(found);
    assert_int_equal(found->count, 32);
    assert_string_equal(found->symbol, "s");
    RD(0, 2, ALL, 0, 1);
    assert_int_equal(fixture_findings(f), 1);
    AT(0, 3, 1, 40, 0);
    assert_int_equal(fixture_findings(f), 2);
    assert_int_equal(*(uint32_t *)(void *)(f->block.shared + 160), 1);
    // Vectors say it by element.
    struct sim_access a = fixture_access(SPACE_SHARED, ACCESS_READ, 4, 1, 160, 0);
    a.count = 2;
    static struct sim_validity valid;
    access_load(&f->warp[0], &a, rows, &valid);
    assert_int_equal(valid.lanes[0], 0);
    assert_int_equal(valid.lanes[1], 1);
    assert_int_equal(row[1][0], 0);
    assert_int_equal(fixture_findings(f), 2);
    fixture_free(f);
}

static void undefined_values_stay_undefined(void **state)
{
    (void)state;
    struct fixture *f = start(0);
    struct sim_access a = fixture_access(SPACE_SHARED, ACCESS_WRITE, 1, 0xffffffffu, 0, 4);
    static struct sim_validity valid = {.lanes = {0xf}};
    for (uint32_t l = 0; l < 4; l++) valid.value[0][l].bits = 0x70u << l;
    access_store(&f->warp[0], &a, stores, &valid);
    a.kind = ACCESS_READ;
    access_load(&f->warp[0], &a, rows, &valid);
    assert_int_equal(valid.lanes[0], 0xf);
    for (uint32_t l = 0; l < 4; l++) assert_int_equal(valid.value[0][l].bits, 0x70u << l);
    a.kind = ACCESS_WRITE;
    access_store(&f->warp[0], &a, stores, NULL);
    a.kind = ACCESS_READ;
    access_load(&f->warp[0], &a, rows, &valid);
    assert_int_equal(valid.lanes[0], 0);
    assert_int_equal(fixture_findings(f), 0);
    fixture_free(f);
}

static void shared_bounds_are_the_arrays(void **state)
{
    (void)state;
    struct fixture *f = start(1);
    RD(0, 1, 1, 512, 0); // behind s, in the gap
    const struct finding *found = fixture_finding(f, FINDING_out_of_bounds);
    assert_non_null(found);
    assert_string_equal(found->symbol, "s");
    assert_int_equal(found->offset, 2048);
    RD(0, 2, 1, -1, 0);
    assert_int_equal(fixture_findings(f), 2);
    struct sim_access a = fixture_access(SPACE_SHARED, ACCESS_READ, 3, 1, (uint32_t)-8, 0); // 32-bit arithmetic
    access_load(&f->warp[0], &a, rows, NULL);
    assert_int_equal(f->observation.finding[0].kind, FINDING_out_of_bounds);
    a = fixture_access(SPACE_SHARED, ACCESS_READ, 4, 1, f->layout.offset[1], 0);
    access_load(&f->warp[0], &a, rows, NULL); // c by address: fine but for being unwritten
    assert_non_null(fixture_finding(f, FINDING_never_written));
    uint32_t before = fixture_findings(f);
    a.symbol = 0; // c, reached from s
    a.op = 5;
    access_load(&f->warp[0], &a, rows, NULL);
    assert_int_equal(fixture_findings(f), before + 1);
    a = fixture_access(SPACE_SHARED, ACCESS_READ, 6, 1, 2, 0);
    access_load(&f->warp[0], &a, rows, NULL);
    assert_non_null(fixture_finding(f, FINDING_misaligned));
    fixture_free(f);
}

static void named_barriers_order_who_met_there(void **state)
{
    (void)state;
    struct fixture *f = start(1);
    new_values();
    WR(0, 1, ALL, 0, 1);
    shadow_named_arrive(&f->block, 1, 0);
    shadow_named_barrier(&f->block, 1, 1u << 1); // warp 0 arrived, warp 1 waits
    RD(1, 2, ALL, 0, 1);
    assert_int_equal(fixture_findings(f), 0);
    shadow_named_arrive(&f->block, 2, 1);
    shadow_named_barrier(&f->block, 2, 1u << 2); // and tells warp 2
    RD(2, 3, ALL, 0, 1);
    assert_int_equal(fixture_findings(f), 0);
    RD(3, 4, ALL, 0, 1);
    assert_non_null(fixture_finding(f, FINDING_race_raw));
    new_values();
    WR(0, 5, ALL, 0, 1); // who only arrived knows nothing
    assert_non_null(fixture_finding(f, FINDING_race_war));
    fixture_free(f);
}

static void wavefronts_and_conflicts_are_counted(void **state)
{
    (void)state;
    struct fixture *f = start(1);
    static const struct {
        int step;
        uint32_t wavefronts;
    } cases[] = {{1, 1}, {0, 1}, {2, 2}, {4, 4}, {8, 8}, {15, 1}};
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        RD(0, i, ALL, 0, cases[i].step);
        assert_int_equal(f->worker.op[i].shared_ld_inst, 1);
        assert_int_equal(f->worker.op[i].shared_ld_wavefronts, cases[i].wavefronts);
        assert_int_equal(f->worker.op[i].shared_ld_conflicts, cases[i].wavefronts - 1);
    }
    block_memory_barrier(&f->block);
    WR(0, 20, ALL, 0, 16);
    assert_int_equal(f->worker.op[20].shared_st_wavefronts, 16);
    AT(0, 22, ALL, 500, 0); // ones: counted together
    assert_int_equal(f->worker.op[22].shared_atom_serial, 1);
    row[3][7] = 2;
    AT(0, 21, ALL, 500, 0);
    assert_int_equal(f->worker.op[21].shared_atom_serial, 32);
    assert_int_equal(f->worker.op[21].shared_atom_wavefronts, 32);
    fixture_free(f);
}

// ---------------------------------------------------------------- the model

// Everything that was done to 64 words, and what each of 128 threads knows of each other.
enum { THREADS = 128, WORDS = 64, EVENTS = 4096 };
struct event {
    uint32_t thread, time;
    int writes;
};
struct model {
    uint32_t now[THREADS];             // a thread's own time
    uint32_t known[THREADS][THREADS];  // [t][u]: u's time that t has seen
    struct event event[WORDS][EVENTS]; // plain accesses
    uint32_t events[WORDS];
    struct event atomic[WORDS]; // the last one; time 0: none
};

static int races_with(const struct model *m, uint32_t thread, const struct event *e)
{
    return e->thread != thread && e->time > m->known[thread][e->thread];
}

// Records the access; 1 when it races.
static int model_access(struct model *m, uint32_t thread, uint32_t word, enum access_kind kind)
{
    int race = 0, writes = kind != ACCESS_READ;
    for (uint32_t i = 0; i < m->events[word]; i++) {
        const struct event *e = &m->event[word][i];
        if ((writes || e->writes) && races_with(m, thread, e)) race = 1;
    }
    if (kind != ACCESS_ATOMIC && m->atomic[word].time && races_with(m, thread, &m->atomic[word])) race = 1;
    struct event now = {thread, ++m->now[thread], writes};
    if (kind == ACCESS_ATOMIC)
        m->atomic[word] = now;
    else
        m->event[word][m->events[word]++] = now;
    return race;
}

static void model_meet(struct model *m, const uint8_t member[THREADS])
{
    static uint32_t joined[THREADS];
    memset(joined, 0, sizeof joined);
    for (uint32_t t = 0; t < THREADS; t++) {
        for (uint32_t u = 0; member[t] && u < THREADS; u++) {
            if (m->known[t][u] > joined[u]) joined[u] = m->known[t][u];
        }
    }
    for (uint32_t t = 0; t < THREADS; t++) {
        if (member[t]) joined[t] = m->now[t];
    }
    for (uint32_t t = 0; t < THREADS; t++) {
        if (member[t]) memcpy(m->known[t], joined, sizeof joined);
    }
}

static void meet_block(struct fixture *f, struct model *m)
{
    uint8_t member[THREADS];
    memset(member, 1, sizeof member);
    block_memory_barrier(&f->block);
    model_meet(m, member);
}

static void meet_warp(struct fixture *f, struct model *m, uint32_t warp, uint32_t mask)
{
    uint8_t member[THREADS] = {0};
    for (uint32_t l = 0; l < 32; l++) member[warp * 32 + l] = mask >> l & 1;
    shadow_warp_barrier(&f->warp[warp], mask);
    model_meet(m, member);
}

// A random regular or irregular access; 1 when the model says that it races.
// Polite kernels write each word once an instruction.
static int random_access(struct fixture *f, struct model *m, struct prng *r, int atomics, int polite)
{
    static const uint32_t masks[] = {0xffffffff, 0xffffffff, 0xffff, 0xff00, 1, 0x80000000, 0x00ff00ff, 0x7};
    uint32_t warp = prng_below(r, 4), shape = prng_below(r, 6), kind = 1 + prng_below(r, atomics ? 3 : 2);
    if (polite && kind == ACCESS_WRITE) shape = 0;
    uint32_t mask = masks[prng_below(r, 8)], base = prng_below(r, 8) * 8;
    struct sim_access a = fixture_access(SPACE_SHARED, (enum access_kind)kind, 1, mask, 0, 0);
    for (uint32_t l = 0; l < 32; l++) {
        uint32_t word = shape == 0   ? base + l           // consecutive
                        : shape == 1 ? base               // uniform
                        : shape == 2 ? base + l % 16      // halves
                        : shape == 3 ? base + l / 16 * 5  // two words
                        : shape == 4 ? warp * 16 + l % 16 // the warp's own
                                     : prng_below(r, WORDS);
        a.address[l] = word % WORDS * 4;
        row[0][l] = prng_below(r, 0xffffffff);
        row[3][l] = 1;
    }
    a.atom = PTX_ATOM_ADD;
    int race = 0;
    for (uint32_t l = 0; l < 32; l++) {
        if (mask >> l & 1) race |= model_access(m, warp * 32 + l, (uint32_t)a.address[l] / 4, (enum access_kind)kind);
    }
    if (kind == ACCESS_READ) access_load(&f->warp[warp], &a, rows, NULL);
    if (kind == ACCESS_WRITE) access_store(&f->warp[warp], &a, stores, NULL);
    if (kind == ACCESS_ATOMIC) access_atomic(&f->warp[warp], &a, NULL, row[3], NULL);
    return race;
}

// Random kernels, until the first race of each: detector and model must see it at the same access.
static void random_kernels_agree_with_the_model(void **state)
{
    (void)state;
    struct fixture *f = start(1);
    struct model *m = malloc(sizeof *m);
    struct prng r = prng_stream(20, "shadow");
    uint32_t raced = 0, steps = 0; // of 3000 kernels, so many ended in a race

    for (uint32_t trial = 0; trial < 3000; trial++) {
        memset(m, 0, sizeof *m);
        fixture_block(f, trial);
        for (uint32_t w = 0; w < 2; w++) { // fill all words, so that nothing is unwritten
            struct sim_access a = fixture_access(SPACE_SHARED, ACCESS_WRITE, 60, 0xffffffffu, w * 128, 4);
            access_store(&f->warp[w], &a, stores, NULL);
        }
        meet_block(f, m);
        uint32_t polite = trial % 2, eager = polite ? 31 : 8 * (1 + prng_below(&r, 3)), partial = trial % 3 == 1,
                 atomics = trial % 5 == 1;
        for (uint32_t step = 0; step < 60; step++, steps++) {
            for (uint32_t w = 0; w < 4 && prng_below(&r, 32) < eager; w++) {
                uint32_t mask = partial && prng_below(&r, 2) ? prng_below(&r, 0xffffffff) | 1 : 0xffffffffu;
                meet_warp(f, m, w, mask);
            }
            if (prng_below(&r, 32) < eager) meet_block(f, m);
            int race = random_access(f, m, &r, (int)atomics, (int)polite);
            int seen = fixture_findings(f) != 0;
            if (race != seen)
                fail_msg("trial %u, step %u: the model says %d, the detector %d", trial, step, race, seen);
            if (!race) continue;
            raced++;
            finding_log_free(f->worker.findings);
            f->worker.findings = finding_log_new();
            break;
        }
    }
    assert_true(raced > 1000 && raced < 2800); // both outcomes were tried
    assert_true(steps > 10000);
    free(m);
    fixture_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_barrier_orders_a_tile),
        cmocka_unit_test(a_missing_barrier_is_named_with_both_ends),
        cmocka_unit_test(every_reader_counts),
        cmocka_unit_test(lockstep_orders_nothing),
        cmocka_unit_test(syncwarp_orders_its_warp_alone),
        cmocka_unit_test(a_partial_mask_orders_its_lanes),
        cmocka_unit_test(one_instruction_can_race_with_itself),
        cmocka_unit_test(atomics_race_with_plain_accesses_only),
        cmocka_unit_test(bytes_are_told_apart),
        cmocka_unit_test(unwritten_words_read_as_zero_and_are_reported_once),
        cmocka_unit_test(undefined_values_stay_undefined),
        cmocka_unit_test(shared_bounds_are_the_arrays),
        cmocka_unit_test(named_barriers_order_who_met_there),
        cmocka_unit_test(wavefronts_and_conflicts_are_counted),
        cmocka_unit_test(random_kernels_agree_with_the_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
