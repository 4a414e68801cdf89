// See timing.h.
//
// Theory of operation. Each resource of the device alone would need a certain time for what the launch asks of it:
//   per multiprocessor: issue slots, the four pipes, passes of the LSU, lanes of shared atomics on one address;
//   of the device: bytes through the L2 and DRAM, sectors written in part, atomics on one place, block starts;
//   and latency: what a block's life lasts when its warps wait for each of their loads, barriers and results in turn,
//   times the number of generations of blocks that the device needs.
// Multiprocessors share the blocks evenly; of few blocks the busiest one has the most, and its work counts.
//
// No resource is busy all the time while another is the narrowest. Times are combined as the cube root of the sum of
// their cubes: one resource alone gives its own time, two equal ones a quarter more, and small ones do not count.
// Latency is one of them, so that a kernel that is near its bandwidth limit but has few warps pays for both.
//
// What is not a device's own number, and holds for all: the exponent; that of a warp's instructions two in three wait
// for the one before, and that of two shared loads in a row the second is issued while the first is under way. They
// were chosen on the 70 rows of tests/truth/h200.csv together; no row, and no kernel, has a number of its own.
//
// Everything is integer: times in picoseconds, latencies in hundredths of a cycle, products in 128 bits.
#include "sim/timing.h"

#include "device/profile.h"

typedef unsigned __int128 wide;

enum { ALU_WAITS_PERCENT = 67, SHARED_WAITS_PERCENT = 50, RATIO_BITS = 16 };

static uint64_t scaled(uint64_t amount, uint64_t times, uint64_t over)
{
    if (!over) return 0;
    wide result = (wide)amount * times / over;
    return result > UINT64_MAX / 16 ? UINT64_MAX / 16 : (uint64_t)result;
}

// Picoseconds of cycles / 100.
static uint64_t cycles_ps(const struct device_profile *d, uint64_t hundredths)
{
    return scaled(hundredths, 10000000, (uint64_t)d->clock_khz);
}

static uint64_t field(int64_t value)
{
    return value > 0 ? (uint64_t)value : 0;
}

// The part of the launch's blocks that the busiest multiprocessor has: *part of *whole. With more than four
// generations the last, uneven one is lost among the others.
static void busiest_part(const struct sim_launch *launch, uint64_t *part, uint64_t *whole)
{
    uint64_t sms = field(launch->device->sms), resident = launch->blocks_per_sm ? launch->blocks_per_sm : 1;
    uint64_t most = (launch->blocks + sms - 1) / sms;
    *part = 1;
    *whole = sms;
    if (most <= 4 * resident && launch->blocks) {
        *part = most;
        *whole = launch->blocks;
    }
}

// Time of `work` units, `rate` a cycle on each multiprocessor.
static uint64_t sm_ps(const struct sim_launch *launch, uint64_t work, int64_t rate)
{
    uint64_t part, whole;
    busiest_part(launch, &part, &whole);
    return cycles_ps(launch->device, scaled(scaled(work, 100 * part, whole), 1, field(rate)));
}

static uint64_t bytes_ps(uint64_t bytes, int64_t gbs)
{
    return scaled(bytes, 1000, field(gbs)); // one byte at 1 GB/s takes a nanosecond
}

static uint64_t events_ps(uint64_t events, int64_t per_us)
{
    return scaled(events, 1000000, field(per_us));
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static uint64_t l2_ps(const struct device_profile *d, const struct counters *c)
{
    // Without simulated caches: what the L1 was asked for, as if the L2 had it.
    int simulated = c->l2_ld_sectors || c->l2_st_sectors;
    uint64_t loads = simulated ? c->l2_ld_sectors : c->global_ld_sectors;
    uint64_t stores = simulated ? c->l2_st_sectors : c->global_st_sectors;
    uint64_t partial = c->l2_partial_sectors < stores ? c->l2_partial_sectors : stores;
    return bytes_ps(loads * 32, d->l2_read_gbs) +
           larger(bytes_ps(stores * 32, d->l2_write_gbs), events_ps(partial, d->l2_partial_write));
}

static uint64_t atomic_ps(const struct sim_launch *launch, const struct counters *c)
{
    const struct device_profile *d = launch->device;
    uint64_t global = larger(events_ps(c->global_atomic_hot, d->atomic_chunk),
                             events_ps(c->global_red_sectors + c->global_atom_sectors, d->atomic_all));
    return larger(global, sm_ps(launch, c->shared_atom_serial, 1));
}

// Hundredths of cycles that a mean global load takes, by where its sectors were found.
static uint64_t load_latency(const struct device_profile *d, const struct counters *c)
{
    uint64_t all = c->global_ld_sectors ? c->global_ld_sectors : 1;
    uint64_t hits = c->global_ld_l1_hit_sectors < all ? c->global_ld_l1_hit_sectors : all, misses = all - hits;
    uint64_t far = c->dram_ld_bytes / 32 < misses ? c->dram_ld_bytes / 32 : misses;
    return scaled(hits, field(d->latency_l1), all) + scaled(misses - far, field(d->latency_l2), all) +
           scaled(far, field(d->latency_dram), all);
}

// Hundredths of cycles that a block lives, times the warps of the launch: sums stay exact until the end.
static uint64_t lives(const struct sim_launch *launch, const struct counters *c, uint64_t warps)
{
    const struct device_profile *d = launch->device;
    uint64_t barrier = field(d->latency_barrier) + field(d->latency_barrier_warp) * launch->warps;
    wide sum = (wide)warps * field(d->latency_block);
    sum += (wide)c->global_ld_requests * load_latency(d, c);
    sum += (wide)c->local_ld_requests * field(d->latency_l1);
    sum += (wide)c->global_atom_requests * field(d->latency_atomic_global);
    sum += (wide)c->shared_ld_inst * field(d->latency_shared) * SHARED_WAITS_PERCENT / 100;
    sum +=
        (wide)c->shared_atom_inst * field(d->latency_alu) + (wide)c->shared_atom_serial * field(d->latency_atomic_lane);
    sum += (wide)c->shuffles * field(d->latency_shuffle) + (wide)c->votes * field(d->latency_vote);
    sum += (wide)c->fp64_inst * field(d->latency_fp64) + (wide)c->sfu_inst * field(d->latency_sfu);
    sum += (wide)c->block_barriers * barrier;
    sum += (wide)c->warp_inst * field(d->latency_alu) * ALU_WAITS_PERCENT / 100;
    return sum > UINT64_MAX / 16 ? UINT64_MAX / 16 : (uint64_t)sum;
}

static uint64_t latency_ps(const struct sim_launch *launch, const struct counters *c)
{
    uint64_t warps = launch->blocks * launch->warps;
    uint64_t life = scaled(lives(launch, c, warps), 1, warps);
    uint64_t room = field(launch->device->sms) * (launch->blocks_per_sm ? launch->blocks_per_sm : 1);
    uint64_t ps = cycles_ps(launch->device, life);
    return launch->blocks > room ? scaled(ps, launch->blocks, room) : ps;
}

// The largest x with x * x * x <= n.
static uint64_t cube_root(uint64_t n)
{
    uint64_t x = 0;
    for (uint64_t bit = (uint64_t)1 << 20; bit; bit >>= 1) {
        uint64_t y = x | bit;
        if ((wide)y * y * y <= n) x = y;
    }
    return x;
}

// The cube root of the sum of cubes, of all but the launch.
static uint64_t combined(const uint64_t ps[RESOURCES])
{
    uint64_t most = 0, sum = 0;
    for (int r = RESOURCE_LAUNCH + 1; r < RESOURCES; r++) most = larger(most, ps[r]);
    for (int r = RESOURCE_LAUNCH + 1; r < RESOURCES && most; r++) {
        uint64_t ratio = scaled(ps[r], (uint64_t)1 << RATIO_BITS, most);
        sum += ratio * ratio * ratio;
    }
    return scaled(most, cube_root(sum), (uint64_t)1 << RATIO_BITS);
}

void sim_time(const struct sim_launch *launch, const struct counters *c, struct observation *o)
{
    const struct device_profile *d = launch->device;
    uint64_t *ps = o->resource_ps;
    ps[RESOURCE_LAUNCH] = field(d->launch_ns) * 1000;
    ps[RESOURCE_ISSUE] = sm_ps(launch, c->warp_inst, d->schedulers);
    ps[RESOURCE_FP32] = sm_ps(launch, c->fp32_inst * WARP_LANES, d->lanes_fp32);
    ps[RESOURCE_INT] = sm_ps(launch, c->int_inst * WARP_LANES, d->lanes_int);
    ps[RESOURCE_FP64] = sm_ps(launch, c->fp64_inst * WARP_LANES, d->lanes_fp64);
    ps[RESOURCE_SFU] = sm_ps(launch, c->sfu_inst * WARP_LANES, d->lanes_sfu);
    ps[RESOURCE_LSU] = sm_ps(launch, c->lsu_wavefronts + c->shuffles, 1);
    ps[RESOURCE_L2] = l2_ps(d, c);
    ps[RESOURCE_DRAM] = bytes_ps(c->dram_ld_bytes, d->dram_read_gbs) + bytes_ps(c->dram_st_bytes, d->dram_write_gbs);
    ps[RESOURCE_ATOMIC] = atomic_ps(launch, c);
    ps[RESOURCE_DISPATCH] = events_ps(launch->blocks, d->dispatch_per_us);
    ps[RESOURCE_LATENCY] = latency_ps(launch, c);
    o->time_ps = ps[RESOURCE_LAUNCH] + combined(ps);
    o->bound = RESOURCE_LAUNCH;
    for (uint32_t r = 0; r < RESOURCES; r++) {
        if (ps[r] > ps[o->bound]) o->bound = r;
    }
}
