// Buffers, variables, and a warp's plain accesses: data, bounds, written bytes, and conflicts between threads.
#include "sim_fixture.h"

#include "sim/core/layout.h"
#include "sim/hazard/demangle.h"
#include "sim/hazard/diagnose.h"
#include "sim/machine/access.h"
#include "sim/machine/memory.h"

static uint32_t row[8][32] __attribute__((aligned(64)));
static void *rows[8] = {row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7]};
static const void *const stores[8] = {row[0], row[1], row[2], row[3], row[4], row[5], row[6], row[7]};

static void buffers_hold_what_was_written(void **state)
{
    (void)state;
    struct fixture *f = fixture_new();
    fixture_start(f, 32, 1, 0, 0);
    struct sim_memory *m = f->launch.memory;
    int a = sim_memory_alloc(m, 100, 4), b = sim_memory_alloc(m, 0, 1);
    assert_int_equal(a, 0);
    assert_int_equal(b, 1);
    assert_true(sim_memory_address(m, b) - sim_memory_address(m, a) == SIM_BUFFER_STRIDE);
    char in[612], out[612];
    for (int i = 0; i < 612; i++) in[i] = (char)i;
    assert_int_equal(sim_memory_write(m, a, -256, in, 612, 1), 0);
    assert_int_equal(sim_memory_read(m, a, -256, out, 612), 0);
    assert_memory_equal(in, out, 612);
    assert_int_equal(sim_memory_write(m, a, -257, in, 1, 1), -1);
    assert_int_equal(sim_memory_write(m, a, 0, in, 100 + 257, 1), -1);
    assert_int_equal(sim_memory_read(m, 7, 0, out, 1), -1);
    assert_int_equal(sim_memory_read(m, -1, 0, out, 1), -1);
    for (int i = 2; i < ENGINE_BUFFERS; i++) assert_int_equal(sim_memory_alloc(m, 4, 4), i);
    assert_int_equal(sim_memory_alloc(m, 4, 4), -1);
    sim_memory_reset(m);
    assert_int_equal(sim_memory_alloc(m, 4, 4), 0);
    fixture_free(f);
}

static void a_buffer_gets_new_contents(void **state)
{
    (void)state;
    enum { BYTES = 3002, ALL = BYTES + 2 * ENGINE_GUARD }; // no multiple of a word
    struct fixture *f = fixture_new();
    fixture_start(f, 32, 1, 0, 0);
    struct sim_memory *m = f->launch.memory;
    int a = sim_memory_alloc(m, BYTES, 4), b = sim_memory_alloc(m, BYTES, 4), c = sim_memory_alloc(m, 4, 4);
    static char in[ALL], out[ALL];
    for (int i = 0; i < ALL; i++) in[i] = (char)(i * 7);
    assert_int_equal(sim_memory_write(m, a, -ENGINE_GUARD, in, ALL, 0), 0);
    assert_int_equal(sim_memory_renew(m, b, a, 0), 0);
    assert_int_equal(sim_memory_read(m, b, -ENGINE_GUARD, out, ALL), 0);
    assert_memory_equal(in, out, ALL);
    assert_int_equal(m->region[b]->all_written, 1);
    assert_int_equal(sim_memory_renew(m, b, -1, 0x04030201), 0);
    assert_int_equal(sim_memory_read(m, b, -ENGINE_GUARD, out, ALL), 0);
    for (int i = 0; i < ALL; i++) assert_int_equal(out[i], i % 4 + 1);
    assert_int_equal(m->region[b]->all_written, 0);
    for (int i = 0; i < BYTES / 4; i++) assert_int_equal(m->region[b]->written[i], 0);
    assert_int_equal(sim_memory_write(m, b, 4, in, 4, 0), 0);
    assert_int_equal(sim_memory_renew(m, a, b, 0), 0);
    assert_int_equal(m->region[a]->written[0], 0);
    assert_int_equal(m->region[a]->written[1], 0xf);
    assert_int_equal(sim_memory_renew(m, a, c, 0), -1); // of another size
    assert_int_equal(sim_memory_renew(m, 9, -1, 0), -1);
    fixture_free(f);
}

static void loads_and_stores_move_every_width(void **state)
{
    (void)state;
    struct fixture *f = fixture_new();
    fixture_start(f, 32, 1, 0, 0);
    struct sim_memory *m = f->launch.memory;
    int b = sim_memory_alloc(m, 4096, 4);
    uint8_t data[4096];
    for (int i = 0; i < 4096; i++) data[i] = (uint8_t)(i * 7 + 0x80);
    sim_memory_write(m, b, 0, data, sizeof data, 0);
    for (uint32_t bytes = 1; bytes <= 8; bytes *= 2) {
        for (uint32_t count = 1; count <= 4; count *= 2) {
            struct sim_access a =
                fixture_access(SPACE_GLOBAL, ACCESS_READ, 1, 0xffffffffu, sim_memory_address(m, b), bytes * count);
            a.bytes = (uint8_t)bytes;
            a.count = (uint8_t)count;
            a.row_bytes = 4;
            uint64_t wide[4][32];
            void *wide_rows[4] = {wide[0], wide[1], wide[2], wide[3]};
            if (bytes == 8) a.row_bytes = 8;
            access_load(&f->warp[0], &a, bytes == 8 ? wide_rows : rows, NULL);
            for (uint32_t l = 0; l < 32; l++) {
                for (uint32_t e = 0; e < count; e++) {
                    uint64_t want = 0, got = bytes == 8 ? wide[e][l] : row[e][l];
                    memcpy(&want, data + (l * count + e) * bytes, bytes);
                    assert_true(got == want);
                }
            }
            a.kind = ACCESS_WRITE;
            for (uint32_t l = 0; l < 32; l++) a.address[l] += 2048;
            const void *const wide_stores[4] = {wide[0], wide[1], wide[2], wide[3]};
            access_store(&f->warp[0], &a, bytes == 8 ? wide_stores : stores, NULL);
            uint8_t back[1024];
            sim_memory_read(m, b, 2048, back, 32 * bytes * count);
            assert_memory_equal(back, data, 32 * bytes * count);
        }
    }
    assert_int_equal(fixture_findings(f), 0);
    fixture_free(f);
}

static void narrow_loads_extend_their_sign(void **state)
{
    (void)state;
    struct fixture *f = fixture_new();
    fixture_start(f, 32, 1, 0, 0);
    int b = sim_memory_alloc(f->launch.memory, 64, 1);
    uint8_t data[64];
    memset(data, 0xfe, sizeof data);
    sim_memory_write(f->launch.memory, b, 0, data, 64, 0);
    struct sim_access a = fixture_access(SPACE_GLOBAL, ACCESS_READ, 1, 5, sim_memory_address(f->launch.memory, b), 2);
    row[0][1] = 77;
    a.bytes = 1;
    a.sign = 1;
    access_load(&f->warp[0], &a, rows, NULL);
    assert_int_equal(row[0][0], 0xfffffffe);
    assert_int_equal(row[0][1], 77); // not in the mask
    a.sign = 0;
    access_load(&f->warp[0], &a, rows, NULL);
    assert_int_equal(row[0][2], 0xfe);
    uint64_t wide[32];
    void *wide_row[1] = {wide};
    a.bytes = 2;
    a.sign = 1;
    a.row_bytes = 8;
    access_load(&f->warp[0], &a, wide_row, NULL);
    assert_true(wide[2] == 0xfffffffffffffefeu);
    fixture_free(f);
}

static void lanes_out_of_bounds_are_named(void **state)
{
    (void)state;
    struct fixture *f = fixture_new();
    fixture_start(f, 64, 1, 0, 0);
    struct sim_memory *m = f->launch.memory;
    int b = sim_memory_alloc(m, 128, 4);
    uint32_t ones[32];
    memset(ones, 1, sizeof ones);
    sim_memory_write(m, b, 0, ones, 128, 0);
    struct sim_access a = fixture_access(SPACE_GLOBAL, ACCESS_READ, 3, 0xffffffffu, sim_memory_address(m, b) + 4, 4);
    access_load(&f->warp[1], &a, rows, NULL);
    assert_int_equal(row[0][30], 0x01010101);
    assert_int_equal(row[0][31], 0);
    const struct finding *found = fixture_finding(f, FINDING_out_of_bounds);
    assert_non_null(found);
    assert_int_equal(found->buffer, b);
    assert_int_equal(found->offset, 128);
    assert_int_equal(found->extent, 128);
    assert_int_equal(found->size, 4);
    assert_int_equal(found->count, 1);
    assert_int_equal(found->at.thread[0], 63);
    assert_int_equal(found->at.access, ACCESS_READ);
    // A negative index is still the same buffer's; the store changes nothing.
    a = fixture_access(SPACE_GLOBAL, ACCESS_WRITE, 4, 3, sim_memory_address(m, b) - 4, 4);
    row[0][0] = row[0][1] = 9;
    access_store(&f->warp[0], &a, stores, NULL);
    assert_int_equal(fixture_findings(f), 2);
    uint32_t back[65];
    sim_memory_read(m, b, -4, back, 8);
    assert_int_equal(back[0], 0);
    assert_int_equal(back[1], 9);
    fixture_free(f);
}

static void bad_addresses_and_misaligned_ones_are_told_apart(void **state)
{
    (void)state;
    struct fixture *f = fixture_new();
    fixture_start(f, 32, 1, 0, 0);
    struct sim_memory *m = f->launch.memory;
    int b = sim_memory_alloc(m, 128, 4);
    struct sim_access a = fixture_access(SPACE_NONE, ACCESS_WRITE, 1, 7, 0, 0);
    a.address[0] = 8;                            // a null pointer and an index
    a.address[1] = 0x7ffdeadbeef0u;              // a host's stack
    a.address[2] = sim_memory_address(m, b) + 6; // between two elements
    access_store(&f->warp[0], &a, stores, NULL);
    assert_non_null(fixture_finding(f, FINDING_bad_address));
    assert_int_equal(fixture_finding(f, FINDING_bad_address)->count, 2);
    assert_int_equal(fixture_finding(f, FINDING_bad_address)->buffer, -1);
    assert_int_equal(fixture_finding(f, FINDING_bad_address)->offset, 8);
    assert_non_null(fixture_finding(f, FINDING_misaligned));
    assert_int_equal(fixture_finding(f, FINDING_misaligned)->offset, 6);
    fixture_free(f);
}

static void reads_of_unwritten_global_memory_are_found(void **state)
{
    (void)state;
    struct fixture *f = fixture_new();
    fixture_start(f, 32, 1, 0, 0);
    struct sim_memory *m = f->launch.memory;
    int b = sim_memory_alloc(m, 256, 4);
    uint32_t word = 5;
    sim_memory_write(m, b, 4, &word, 4, 0);
    sim_memory_write(m, b, 8, &word, 4, 1); // poison does not count
    struct sim_access a = fixture_access(SPACE_GLOBAL, ACCESS_READ, 1, 6, sim_memory_address(m, b), 4);
    access_load(&f->warp[0], &a, rows, NULL);
    const struct finding *found = fixture_finding(f, FINDING_never_written);
    assert_non_null(found);
    assert_int_equal(found->offset, 8);
    assert_int_equal(found->count, 1);
    // A kernel's store counts; a vector load says it by element, without a finding.
    a = fixture_access(SPACE_GLOBAL, ACCESS_WRITE, 2, 4, sim_memory_address(m, b), 4);
    access_store(&f->warp[0], &a, stores, NULL);
    a = fixture_access(SPACE_GLOBAL, ACCESS_READ, 3, 1, sim_memory_address(m, b), 4);
    a.count = 4;
    static struct sim_validity valid;
    access_load(&f->warp[0], &a, rows, &valid);
    assert_int_equal(valid.lanes[0], 1);
    assert_int_equal(valid.lanes[1], 0);
    assert_int_equal(valid.lanes[2], 0);
    assert_int_equal(valid.lanes[3], 1);
    assert_int_equal(valid.value[3][0].bits, 0xffffffffu);
    assert_int_equal(valid.value[3][0].address, sim_memory_address(m, b) + 12);
    assert_int_equal(valid.value[3][0].moved, 0);
    assert_int_equal(fixture_finding(f, FINDING_never_written)->count, 1);
    // A single byte of a word.
    a = fixture_access(SPACE_GLOBAL, ACCESS_WRITE, 4, 1, sim_memory_address(m, b) + 101, 1);
    a.bytes = 1;
    access_store(&f->warp[0], &a, stores, NULL);
    a.kind = ACCESS_READ;
    access_load(&f->warp[0], &a, rows, NULL);
    assert_int_equal(fixture_finding(f, FINDING_never_written)->count, 1);
    a.address[0]++;
    access_load(&f->warp[0], &a, rows, NULL);
    assert_int_equal(fixture_findings(f), 2);
    fixture_free(f);
}

static void local_memory_is_each_threads_own(void **state)
{
    (void)state;
    struct fixture *f = fixture_new();
    fixture_start(f, 32, 1, 0, 64);
    struct sim_access a = fixture_access(SPACE_LOCAL, ACCESS_WRITE, 1, 0xffffffffu, 8, 0);
    for (uint32_t l = 0; l < 32; l++) row[0][l] = l * 3;
    static struct sim_validity valid = {.lanes = {1}, .value = {{{.bits = 0xff0f}}}};
    access_store(&f->warp[0], &a, stores, &valid);
    struct counters *c = &f->worker.op[1];
    assert_int_equal(c->local_st_requests, 1);
    assert_int_equal(c->local_st_sectors, 4); // the 32 words of one place lie side by side
    a.kind = ACCESS_READ;
    a.space = SPACE_NONE;
    for (uint32_t l = 0; l < 32; l++) a.address[l] += SIM_LOCAL_WINDOW, row[0][l] = 0;
    access_load(&f->warp[0], &a, rows, &valid);
    assert_int_equal(row[0][7], 21);
    assert_int_equal(valid.lanes[0], 1);
    assert_int_equal(valid.value[0][0].bits, 0xff0f);
    assert_int_equal(valid.value[0][0].moved, 0); // a value was stored so
    a = fixture_access(SPACE_LOCAL, ACCESS_READ, 2, 3, 60, 4);
    access_load(&f->warp[0], &a, rows, &valid);
    assert_int_equal(valid.lanes[0], 1); // lane 0: in the frame, never written; lane 1: outside
    assert_int_equal(fixture_finding(f, FINDING_out_of_bounds)->offset, 64);
    assert_int_equal(fixture_finding(f, FINDING_out_of_bounds)->space, SPACE_LOCAL);
    fixture_free(f);
}

static void constants_can_be_read_only(void **state)
{
    (void)state;
    struct fixture *f = fixture_new();
    int v = fixture_var(f, "table", PTX_CONST, 16), g = fixture_var(f, "counter", PTX_GLOBAL, 8);
    static uint8_t init[4] = {1, 2, 3, 4};
    static struct ptx_reloc reloc;
    f->var[v].init = init;
    f->var[v].init_bytes = 4;
    reloc = (struct ptx_reloc){.offset = 8, .symbol = (uint32_t)g, .addend = 4, .is_generic = 1};
    f->var[v].reloc = &reloc;
    f->var[v].nrelocs = 1;
    f->var[v].align = 8;
    fixture_start(f, 32, 1, 0, 0);
    struct sim_memory *m = f->launch.memory;
    struct sim_access a =
        fixture_access(SPACE_CONST, ACCESS_READ, 1, 0x1f, sim_memory_var_address(m, &f->module, (uint32_t)v), 4);
    a.symbol = v;
    access_load(&f->warp[0], &a, rows, NULL);
    assert_int_equal(row[0][0], 0x04030201);
    assert_int_equal(row[0][1], 0);
    uint64_t pointer = (uint64_t)row[0][3] << 32 | row[0][2];
    assert_true(pointer == sim_memory_var_address(m, &f->module, (uint32_t)g) + 4);
    assert_int_equal(fixture_finding(f, FINDING_out_of_bounds)->extent, 16);
    assert_string_equal(fixture_finding(f, FINDING_out_of_bounds)->symbol, "table");
    a.space = SPACE_NONE;
    a.kind = ACCESS_WRITE;
    for (int l = 0; l < 32; l++) a.address[l] += SIM_CONST_WINDOW;
    access_store(&f->warp[0], &a, stores, NULL);
    assert_non_null(fixture_finding(f, FINDING_read_only));
    char data[16];
    assert_int_equal(sim_memory_symbol(&f->module, "counter", data, 16), 8);
    fixture_free(f);
}

static void atomics_come_in_lane_order(void **state)
{
    (void)state;
    struct fixture *f = fixture_new();
    fixture_start(f, 32, 4, 0, 0);
    struct sim_memory *m = f->launch.memory;
    int b = sim_memory_alloc(m, 64, 4);
    uint32_t zero[16] = {0};
    sim_memory_write(m, b, 0, zero, 64, 0);
    sim_memory_begin(m, &f->launch, 0);
    struct sim_access a = fixture_access(SPACE_GLOBAL, ACCESS_ATOMIC, 1, 0xffffffffu, sim_memory_address(m, b), 0);
    a.atom = PTX_ATOM_ADD;
    a.returns = 1;
    for (int l = 0; l < 32; l++) row[1][l] = 2;
    access_atomic(&f->warp[0], &a, row[0], row[1], NULL);
    for (uint32_t l = 0; l < 32; l++) assert_int_equal(row[0][l], 2 * l);
    struct counters *c = &f->worker.op[1];
    assert_int_equal(c->global_atom_requests, 1);
    assert_int_equal(c->global_atom_sectors, 32); // one word: a lane at a time
    assert_int_equal(c->global_atomic_threads, 32);
    // Every operation on one word, old 64.
    static const struct {
        uint32_t atom, type, operand, compare, want;
    } kinds[] = {
        {PTX_ATOM_MIN, PTX_S32, 0xffffffff, 0, 0xffffffff},
        {PTX_ATOM_MIN, PTX_U32, 0xffffffff, 0, 64},
        {PTX_ATOM_MAX, PTX_S32, 0xffffffff, 0, 64},
        {PTX_ATOM_MAX, PTX_U32, 0xffffffff, 0, 0xffffffff},
        {PTX_ATOM_INC, PTX_U32, 64, 0, 0},
        {PTX_ATOM_INC, PTX_U32, 65, 0, 65},
        {PTX_ATOM_DEC, PTX_U32, 63, 0, 63},
        {PTX_ATOM_DEC, PTX_U32, 64, 0, 63},
        {PTX_ATOM_AND, PTX_B32, 0xc0, 0, 0x40},
        {PTX_ATOM_OR, PTX_B32, 3, 0, 67},
        {PTX_ATOM_XOR, PTX_B32, 0x41, 0, 1},
        {PTX_ATOM_EXCH, PTX_B32, 9, 0, 9},
        {PTX_ATOM_CAS, PTX_B32, 9, 64, 9},
        {PTX_ATOM_CAS, PTX_B32, 9, 65, 64},
        {PTX_ATOM_ADD, PTX_F32, 0x3f800000, 0, 0x3f800000}, // 64 is a denormal, flushed
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
        uint32_t start = 64, now;
        sim_memory_write(m, b, 0, &start, 4, 0);
        a.mask = 1;
        a.atom = (uint8_t)kinds[i].atom;
        a.atom_type = (uint8_t)kinds[i].type;
        row[1][0] = kinds[i].operand;
        row[2][0] = kinds[i].compare;
        access_atomic(&f->warp[0], &a, row[0], row[1], row[2]);
        sim_memory_read(m, b, 0, &now, 4);
        assert_int_equal(row[0][0], 64);
        assert_int_equal(now, kinds[i].want);
    }
    fixture_free(f);
}

static void half_atomics_round_to_nearest_even(void **state)
{
    (void)state;
    struct fixture *f = fixture_new();
    fixture_start(f, 32, 1, 0, 0);
    struct sim_memory *m = f->launch.memory;
    int b = sim_memory_alloc(m, 64, 2);
    static const struct {
        uint32_t type, old, operand, want;
    } sums[] = {
        {PTX_F16, 0x3c00, 0x3c00, 0x4000},               // 1 + 1
        {PTX_F16, 0x6800, 0x3c00, 0x6800},               // 2048 + 1: a tie, to even
        {PTX_F16, 0x6801, 0x3c00, 0x6802},               // 2050 + 1: a tie, to even
        {PTX_F16, 0x0001, 0x0001, 0x0002},               // denormals stay
        {PTX_F16, 0x03ff, 0x0001, 0x0400},               // into the normal range
        {PTX_F16, 0x7bff, 0x7bff, 0x7c00},               // over the top
        {PTX_F16, 0x7c00, 0xfc00, 0x7fff},               // infinity minus infinity
        {PTX_F16, 0xbc00, 0x3c00, 0x0000},               // exact zero is positive
        {PTX_BF16, 0x3f80, 0x3f80, 0x4000},              // 1 + 1
        {PTX_BF16, 0x4380, 0x3f80, 0x4380},              // 256 + 1: a tie, to even
        {PTX_F16X2, 0x3c003c00, 0x40003c00, 0x42004000}, // each half its own
    };
    for (size_t i = 0; i < sizeof sums / sizeof sums[0]; i++) {
        struct sim_access a = fixture_access(SPACE_GLOBAL, ACCESS_ATOMIC, 1, 1, sim_memory_address(m, b), 0);
        a.bytes = sums[i].type == PTX_F16X2 ? 4 : 2;
        a.atom = PTX_ATOM_ADD;
        a.atom_type = (uint8_t)sums[i].type;
        uint32_t now = 0;
        sim_memory_write(m, b, 0, &sums[i].old, 4, 0);
        row[1][0] = sums[i].operand;
        access_atomic(&f->warp[0], &a, NULL, row[1], NULL);
        sim_memory_read(m, b, 0, &now, a.bytes);
        assert_int_equal(now, sums[i].want);
    }
    fixture_free(f);
}

static void requests_and_sectors_are_counted(void **state)
{
    (void)state;
    struct fixture *f = fixture_new();
    fixture_start(f, 32, 1, 0, 0);
    struct sim_memory *m = f->launch.memory;
    int b = sim_memory_alloc(m, 1 << 16, 4);
    static uint8_t zeros[1 << 16];
    sim_memory_write(m, b, 0, zeros, sizeof zeros, 0);
    static const struct {
        int64_t offset, stride;
        uint32_t sectors;
    } cases[] = {{0, 4, 4}, {4, 4, 5}, {0, 0, 1}, {0, 8, 8}, {0, 128, 32}, {0, 32, 32}, {0, 16, 16}};
    for (uint32_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct sim_access a = fixture_access(SPACE_GLOBAL, ACCESS_READ, i, 0xffffffffu,
                                             sim_memory_address(m, b) + (uint64_t)cases[i].offset, cases[i].stride);
        access_load(&f->warp[0], &a, rows, NULL);
        a.kind = ACCESS_WRITE;
        access_store(&f->warp[0], &a, stores, NULL);
        struct counters *c = &f->worker.op[i];
        assert_int_equal(c->global_ld_requests, 1);
        assert_int_equal(c->global_ld_sectors, cases[i].sectors);
        assert_int_equal(c->global_ld_bytes, 128);
        assert_int_equal(c->global_st_requests, 1);
        assert_int_equal(c->global_st_sectors, cases[i].sectors);
        assert_int_equal(c->global_st_bytes, 128);
    }
    fixture_free(f);
}

// What a block does to a buffer, and whether the launch then has a conflict.
struct act {
    uint32_t block, kind, word, atom;
};
static int conflict_of(const struct act *acts, size_t n, uint32_t element)
{
    struct fixture *f = fixture_new();
    fixture_start(f, 32, 64, 0, 0);
    struct sim_memory *m = f->launch.memory;
    int b = sim_memory_alloc(m, 4096, element);
    static uint8_t zeros[4096];
    sim_memory_write(m, b, 0, zeros, sizeof zeros, 0);
    sim_memory_begin(m, &f->launch, 0);
    for (size_t i = 0; i < n; i++) {
        struct sim_access a = fixture_access(SPACE_GLOBAL, (enum access_kind)acts[i].kind, 1, 1,
                                             sim_memory_address(m, b) + acts[i].word * element, 0);
        a.bytes = (uint8_t)element;
        a.atom = (uint8_t)acts[i].atom;
        f->block.linear = acts[i].block;
        if (a.kind == ACCESS_READ) access_load(&f->warp[0], &a, rows, NULL);
        if (a.kind == ACCESS_WRITE) access_store(&f->warp[0], &a, stores, NULL);
        if (a.kind == ACCESS_ATOMIC) access_atomic(&f->warp[0], &a, NULL, row[1], row[2]);
    }
    int conflict = sim_memory_conflict(m);
    fixture_free(f);
    return conflict;
}

#define CONFLICT(element, ...)                                                                                         \
    conflict_of((const struct act[]){__VA_ARGS__}, sizeof((const struct act[]){__VA_ARGS__}) / sizeof(struct act),     \
                element)
enum { RD = ACCESS_READ, WR = ACCESS_WRITE, AT = ACCESS_ATOMIC };

static void blocks_that_meet_are_noticed(void **state)
{
    (void)state;
    assert_false(CONFLICT(4, {1, RD, 0, 0}, {2, RD, 0, 0}, {3, RD, 0, 0}));
    assert_false(CONFLICT(4, {1, WR, 0, 0}, {1, RD, 0, 0}, {1, WR, 0, 0}));
    assert_false(CONFLICT(4, {1, WR, 0, 0}, {2, WR, 1, 0}, {3, WR, 2, 0}, {2, RD, 1, 0}));
    assert_true(CONFLICT(4, {1, WR, 0, 0}, {2, WR, 0, 0}));
    assert_true(CONFLICT(4, {1, WR, 0, 0}, {2, RD, 0, 0}));
    assert_true(CONFLICT(4, {1, RD, 0, 0}, {2, WR, 0, 0}));
    assert_true(CONFLICT(4, {1, RD, 0, 0}, {2, RD, 0, 0}, {1, WR, 0, 0}));
    assert_true(CONFLICT(4, {1, RD, 0, 0}, {2, RD, 1, 0}, {3, RD, 0, 0}, {2, WR, 0, 0}));
    assert_false(CONFLICT(4, {1, RD, 0, 0}, {2, RD, 1, 0}, {1, WR, 0, 0}, {2, WR, 1, 0}));
    // split cells: two blocks in one line, then one oversteps
    assert_true(CONFLICT(4, {1, WR, 0, 0}, {2, WR, 1, 0}, {3, WR, 2, 0}, {3, RD, 1, 0}));
    assert_true(CONFLICT(4, {1, WR, 0, 0}, {2, WR, 1, 0}, {3, WR, 2, 0}, {3, WR, 1, 0}));
    assert_true(CONFLICT(4, {1, RD, 0, 0}, {2, RD, 1, 0}, {3, RD, 2, 0}, {1, WR, 2, 0}));
    // bytes
    assert_false(CONFLICT(1, {1, WR, 0, 0}, {2, WR, 1, 0}, {3, RD, 2, 0}));
    assert_true(CONFLICT(1, {1, WR, 0, 0}, {2, WR, 1, 0}, {2, RD, 0, 0}));
    assert_true(CONFLICT(2, {1, WR, 5, 0}, {2, RD, 5, 0}));
    // atomics that commute, and those that do not
    assert_false(CONFLICT(4, {1, AT, 0, PTX_ATOM_ADD}, {2, AT, 0, PTX_ATOM_ADD}, {3, AT, 0, PTX_ATOM_ADD}));
    assert_true(CONFLICT(4, {1, AT, 0, PTX_ATOM_ADD}, {2, AT, 0, PTX_ATOM_MAX}));
    assert_true(CONFLICT(4, {1, AT, 0, PTX_ATOM_ADD}, {2, RD, 0, 0}));
    assert_true(CONFLICT(4, {1, WR, 0, 0}, {2, AT, 0, PTX_ATOM_ADD}));
    assert_true(CONFLICT(4, {1, AT, 0, PTX_ATOM_EXCH}, {2, AT, 0, PTX_ATOM_EXCH}));
}

static void snapshots_bring_memory_back(void **state)
{
    (void)state;
    struct fixture *f = fixture_new();
    int g = fixture_var(f, "g", PTX_GLOBAL, 8);
    fixture_start(f, 32, 1, 0, 0);
    struct sim_memory *m = f->launch.memory;
    int b = sim_memory_alloc(m, 64, 4);
    sim_memory_snapshot(m);
    struct sim_access a = fixture_access(SPACE_GLOBAL, ACCESS_WRITE, 1, 3, sim_memory_address(m, b), 4);
    row[0][0] = row[0][1] = 11;
    access_store(&f->warp[0], &a, stores, NULL);
    a.address[0] = sim_memory_var_address(m, &f->module, (uint32_t)g);
    access_store(&f->warp[0], &a, stores, NULL);
    sim_memory_restore(m);
    uint32_t back[2];
    sim_memory_read(m, b, 0, back, 8);
    assert_int_equal(back[0] | back[1], 0);
    a.kind = ACCESS_READ;
    a.address[1] = sim_memory_address(m, b); // unwritten again
    access_load(&f->warp[0], &a, rows, NULL);
    assert_int_equal(row[0][0], 0);
    assert_int_equal(fixture_finding(f, FINDING_never_written)->count, 1);
    sim_memory_snapshot_free(m);
    fixture_free(f);
}

// As often as it is asked for, wherever it was written, and no further than the region's end.
static void snapshots_hold(void **state)
{
    (void)state;
    enum { WORDS = 10001 };
    static uint32_t was[WORDS], is[WORDS];
    struct fixture *f = fixture_new();
    fixture_start(f, 32, 1, 0, 0);
    struct sim_memory *m = f->launch.memory;
    int b = sim_memory_alloc(m, sizeof was, 4);
    for (uint32_t i = 0; i < WORDS; i++) was[i] = i * 7;
    sim_memory_write(m, b, 0, was, sizeof was, 0);
    sim_memory_snapshot(m);
    for (int again = 0; again < 3; again++) {
        for (uint32_t i = 0; i < WORDS; i += again ? 977 : 100) {
            struct sim_access a = fixture_access(SPACE_GLOBAL, ACCESS_WRITE, 1, 1, sim_memory_address(m, b) + i * 4, 0);
            row[0][0] = 1000000 + i;
            access_store(&f->warp[0], &a, stores, NULL);
        }
        sim_memory_read(m, b, 0, is, sizeof is);
        assert_int_equal(is[0], 1000000);
        assert_memory_not_equal(is, was, sizeof is);
        sim_memory_restore(m);
        sim_memory_read(m, b, 0, is, sizeof is);
        assert_memory_equal(is, was, sizeof is);
    }
    sim_memory_snapshot_free(m);
    fixture_free(f);
}

static void shared_variables_keep_their_banks_and_their_distance(void **state)
{
    (void)state;
    struct fixture *f = fixture_new();
    int a = fixture_var(f, "a", PTX_SHARED, 36), b = fixture_var(f, "b", PTX_SHARED, 100);
    int d = fixture_var(f, "d", PTX_SHARED, 0);
    f->var[b].align = 16;
    fixture_start(f, 32, 1, 512, 0);
    const struct shared_layout *l = &f->layout;
    assert_int_equal(l->offset[a], 0);
    assert_int_equal(l->offset[b] % 128, 48); // where a device has it
    assert_true(l->offset[b] >= 36 + 128);
    assert_int_equal(l->offset[d], l->dynamic_offset);
    assert_int_equal(l->dynamic_offset % 128, 160 % 128);
    assert_int_equal(l->charged_bytes, 160 + 512);
    assert_true(l->placed_bytes >= l->dynamic_offset + 512);
    fixture_free(f);
}

static void names_are_demangled(void **state)
{
    (void)state;
    static const char *const pairs[][2] = {
        {"_ZZ9l2_tile16E2As", "As"},
        {"_ZZ6kernelPKfPfiE4tile", "tile"},
        {"_ZZ6kernelPKfPfiE4tile_0", "tile"},
        {"_ZZ6kernelvE1s.1", "s"},
        {"_ZZN2ns6kernelEiE5cache", "cache"},
        {"_ZZ6kernelILi16EEvPfE2Bs", "Bs"},
        {"_ZL5table", "table"},
        {"_ZN2ns5tableE", "table"},
        {"_ZN12_GLOBAL__N_15tableE", "table"},
        {"counter", "counter"},
        {"l2_tile16_As", "l2_tile16_As"},
        {"$str", "string constant"},
        {"_$_str", "string constant"},
        {"_$_str1", "string constant"},
        {"__local_depot0", "local memory"},
        {"_Z", "_Z"},
        {"_ZZ", "_ZZ"},
        {"_ZZ99", "_ZZ99"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        char out[FINDING_SYMBOL];
        demangle(out, pairs[i][0]);
        assert_string_equal(out, pairs[i][1]);
    }
    char out[FINDING_SYMBOL];
    demangle(out, "a_name_that_is_longer_than_the_room_there_is_for_it");
    assert_int_equal(strlen(out), FINDING_SYMBOL - 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffers_hold_what_was_written),
        cmocka_unit_test(a_buffer_gets_new_contents),
        cmocka_unit_test(loads_and_stores_move_every_width),
        cmocka_unit_test(narrow_loads_extend_their_sign),
        cmocka_unit_test(lanes_out_of_bounds_are_named),
        cmocka_unit_test(bad_addresses_and_misaligned_ones_are_told_apart),
        cmocka_unit_test(reads_of_unwritten_global_memory_are_found),
        cmocka_unit_test(local_memory_is_each_threads_own),
        cmocka_unit_test(constants_can_be_read_only),
        cmocka_unit_test(atomics_come_in_lane_order),
        cmocka_unit_test(half_atomics_round_to_nearest_even),
        cmocka_unit_test(requests_and_sectors_are_counted),
        cmocka_unit_test(blocks_that_meet_are_noticed),
        cmocka_unit_test(snapshots_bring_memory_back),
        cmocka_unit_test(snapshots_hold),
        cmocka_unit_test(shared_variables_keep_their_banks_and_their_distance),
        cmocka_unit_test(names_are_demangled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
