// Prints the launches row by row, simulator against card, and the figures that say how near they are.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "fidelity.h"

enum { LONG_US = 10 };            // caches are compared in launches that take longer
static const double APART = 1.25; // the card separates two launches when one takes this many times the other

// Which kernel a lab's others are compared with, where both ran on the same problem.
static const struct baseline {
    const char *kernel;
    char lab;
} baselines[] = {{"l0_blocked", '0'},         {"l1_global_acc", '1'},   {"l1_reg_acc", '2'},      {"l3_serial0", '3'},
                 {"l3_scan_thread_row", '3'}, {"l3_thread0_scan", '3'}, {"l4_count_global", '4'}, {"l4_global", '4'},
                 {"l5_block_row", '5'},       {"l5_sum_block", '5'},    {"l7_naive", '7'}};

// ---------------------------------------------------------------- differences

// Relative difference in percent; 0 when both are 0 or the card did not say.
static double percent(uint64_t sim, uint64_t card)
{
    if (card == TRUTH_ABSENT || sim == card) return 0;
    return card ? 100 * ((double)sim / (double)card - 1) : 999;
}

static double time_error(const struct truth_row *r)
{
    return 100 * (r->sim_us / r->card_us - 1);
}

static double hit_rate(const struct counters *c)
{
    return c->global_ld_sectors ? 100.0 * (double)c->global_ld_l1_hit_sectors / (double)c->global_ld_sectors : 0;
}

static double hit_points(const struct truth_row *r)
{
    return hit_rate(&r->sim->counters) - hit_rate(&r->card);
}

static double l2_error(const struct truth_row *r)
{
    const struct counters *s = &r->sim->counters, *c = &r->card;
    return percent(s->l2_ld_sectors + s->l2_st_sectors, c->l2_ld_sectors + c->l2_st_sectors);
}

static double dram_error(const struct truth_row *r)
{
    const struct counters *s = &r->sim->counters, *c = &r->card;
    return percent(s->dram_ld_bytes + s->dram_st_bytes, c->dram_ld_bytes + c->dram_st_bytes);
}

static int exact(uint64_t sim, uint64_t card)
{
    return card == TRUTH_ABSENT || sim == card;
}

static int exact_requests(const struct truth_row *r)
{
    const struct counters *s = &r->sim->counters, *c = &r->card;
    return exact(s->global_ld_requests, c->global_ld_requests) && exact(s->global_ld_sectors, c->global_ld_sectors) &&
           exact(s->global_st_requests, c->global_st_requests) && exact(s->global_st_sectors, c->global_st_sectors) &&
           exact(s->local_ld_requests, c->local_ld_requests) && exact(s->local_ld_sectors, c->local_ld_sectors) &&
           exact(s->local_st_requests, c->local_st_requests) && exact(s->local_st_sectors, c->local_st_sectors);
}

static int exact_atomics(const struct truth_row *r)
{
    const struct counters *s = &r->sim->counters, *c = &r->card;
    return exact(s->global_red_requests, c->global_red_requests) &&
           exact(s->global_atom_requests, c->global_atom_requests);
}

static int exact_shared(const struct truth_row *r)
{
    const struct counters *s = &r->sim->counters, *c = &r->card;
    return exact(s->shared_ld_inst, c->shared_ld_inst) && exact(s->shared_st_inst, c->shared_st_inst) &&
           exact(s->shared_atom_inst, c->shared_atom_inst);
}

static double wavefront_error(const struct truth_row *r)
{
    const struct counters *s = &r->sim->counters, *c = &r->card;
    return percent(s->shared_ld_wavefronts + s->shared_st_wavefronts + s->shared_atom_wavefronts,
                   c->shared_ld_wavefronts + c->shared_st_wavefronts + c->shared_atom_wavefronts);
}

// ---------------------------------------------------------------- the table

static const char *problem(const struct truth_row *r)
{
    static char text[64];
    snprintf(text, sizeof text, "%ux%u by %ux%u, %ld", r->grid[0], r->grid[1], r->block[0], r->block[1], r->dim[0]);
    if (r->dim[1]) snprintf(text + strlen(text), sizeof text - strlen(text), " x %ld", r->dim[1]);
    if (r->values != 'r') snprintf(text + strlen(text), sizeof text - strlen(text), " %c", r->values);
    return text;
}

static const char *same(int exactly)
{
    return exactly ? "=" : "x";
}

static void print_table(const struct truth_row *rows, int n)
{
    printf("%-18s %-33s %8s %8s %5s  %-16s %6s %4s %4s %6s %4s %6s %6s %6s %6s\n", "kernel", "launch", "card us",
           "sim us", "%", "bound by", "inst %", "ld/st", "red", "shared", "wave", "LSU %", "L1 pt", "L2 %", "DRAM %");
    for (int i = 0; i < n; i++) {
        const struct truth_row *r = &rows[i];
        printf("%-18s %-33s %8.1f %8.1f %+5.0f  %-16.16s %+6.0f %4s %5s %6s %+5.0f %+6.0f %+6.1f %+6.0f %+6.0f\n",
               r->kernel, problem(r), r->card_us, r->sim_us, time_error(r), observation_resource_name[r->sim->bound],
               percent(r->sim->counters.warp_inst, r->card.warp_inst), same(exact_requests(r)), same(exact_atomics(r)),
               same(exact_shared(r)), wavefront_error(r),
               percent(r->sim->counters.lsu_wavefronts, r->card.lsu_wavefronts), hit_points(r), l2_error(r),
               dram_error(r));
    }
}

static void list_different(const struct truth_row *r, const char *name, uint64_t sim, uint64_t card)
{
    if (exact(sim, card)) return;
    printf("    %-18s %-33s %-22s card %12llu, sim %12llu\n", r->kernel, problem(r), name, (unsigned long long)card,
           (unsigned long long)sim);
}

static void print_different(const struct truth_row *rows, int n)
{
    printf("\ncounts that must be exact and are not\n");
    for (int i = 0; i < n; i++) {
        const struct truth_row *r = &rows[i];
#define LIST(counter) list_different(r, #counter, r->sim->counters.counter, r->card.counter)
        LIST(global_ld_requests), LIST(global_ld_sectors), LIST(global_st_requests), LIST(global_st_sectors);
        LIST(local_ld_requests), LIST(local_ld_sectors), LIST(local_st_requests), LIST(local_st_sectors);
        LIST(global_red_requests), LIST(global_atom_requests);
        LIST(shared_ld_inst), LIST(shared_st_inst), LIST(shared_atom_inst);
#undef LIST
        if (r->sim->registers != r->card_registers)
            list_different(r, "registers", r->sim->registers, r->card_registers);
    }
}

// ---------------------------------------------------------------- figures

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct spread {
    double median, nine_of_ten, worst;
    int n;
};

static struct spread spread_of(double *off, int n)
{
    if (!n) return (struct spread){0};
    qsort(off, (size_t)n, sizeof *off, ascending);
    return (struct spread){off[n / 2], off[(n * 9 + 9) / 10 - 1], off[n - 1], n};
}

static void print_spread(const char *what, double *off, int n)
{
    struct spread s = spread_of(off, n);
    printf("  %-56s median %5.1f %%, nine of ten within %5.1f %%, worst %5.1f %% (%d)\n", what, s.median, s.nine_of_ten,
           s.worst, s.n);
}

static void print_count(const char *what, int good, int all)
{
    printf("  %-56s %d of %d\n", what, good, all);
}

static void print_counters(const struct truth_row *rows, int n)
{
    int requests = 0, atomics = 0, shared = 0, waves = 0, noise = 0, l1 = 0, l2 = 0, dram = 0, all = 0;
    for (int i = 0; i < n; i++) {
        const struct truth_row *r = &rows[i];
        requests += exact_requests(r);
        atomics += exact_atomics(r);
        shared += exact_shared(r);
        waves += fabs(wavefront_error(r)) <= 3;
        noise += wavefront_error(r) < -3 && r->alone == ALONE_EXACT;
        if (r->card_us < LONG_US) continue;
        all++;
        l1 += fabs(hit_points(r)) <= 10;
        l2 += fabs(l2_error(r)) <= 10;
        dram += fabs(dram_error(r)) <= 15;
    }
    printf("\ncounters\n");
    print_count("global and local requests and sectors exact", requests, n);
    print_count("requests of atomics exact", atomics, n);
    print_count("shared instructions exact", shared, n);
    print_count("shared wavefronts within 3 %, or the arbiter's noise", waves + noise, n);
    printf("    (%d of them: the card counts more, and of one block alone what the model does)\n", noise);
    print_count("L1 hit rate within 10 points, launches over 10 us", l1, all);
    print_count("L2 sectors within 10 %, launches over 10 us", l2, all);
    print_count("DRAM bytes within 15 %, launches over 10 us", dram, all);
}

// Same lab, same problem: kernels that do the same work.
static int same_problem(const struct truth_row *a, const struct truth_row *b)
{
    return memcmp(a->dim, b->dim, 2 * sizeof a->dim[0]) == 0 && a->values == b->values && strcmp(a->kind, b->kind) == 0;
}

static int same_ladder(const struct truth_row *a, const struct truth_row *b)
{
    return same_problem(a, b) && a->kernel[1] == b->kernel[1];
}

static void print_order(const struct truth_row *rows, int first, int n)
{
    int pairs = 0, right = 0;
    for (int k = first; k < n; k++)
        for (int i = 0; i < k; i++) {
            const struct truth_row *a = &rows[i], *b = &rows[k];
            double ratio = a->card_us / b->card_us;
            if (!same_ladder(a, b) || (ratio < APART && ratio > 1 / APART)) continue;
            pairs++;
            if ((ratio > 1) == (a->sim_us > b->sim_us)) {
                right++;
                continue;
            }
            printf("    out of order: %s (card %.1f, sim %.1f us) and %s (card %.1f, sim %.1f us)\n", a->kernel,
                   a->card_us, a->sim_us, b->kernel, b->card_us, b->sim_us);
        }
    print_count("pairs of a ladder in the card's order", right, pairs);
}

// The lab whose baseline the kernel is; 0: none's.
static char baseline_of(const struct truth_row *r)
{
    for (size_t k = 0; k < sizeof baselines / sizeof *baselines; k++)
        if (strcmp(r->kernel, baselines[k].kernel) == 0) return baselines[k].lab;
    return 0;
}

static int is_pair(const struct truth_row *base, const struct truth_row *candidate)
{
    return baseline_of(base) == candidate->kernel[1] && same_problem(base, candidate) &&
           strcmp(base->kernel, candidate->kernel) != 0;
}

static void print_speedups(const struct truth_row *rows, int first, int n)
{
    static double off[TRUTH_ROWS * TRUTH_ROWS];
    int pairs = 0;
    printf("\nspeedups of a lab's baseline\n");
    for (int i = 0; i < n; i++)
        for (int k = i < first ? first : 0; k < n; k++) {
            if (!is_pair(&rows[i], &rows[k])) continue;
            double card = rows[i].card_us / rows[k].card_us, sim = rows[i].sim_us / rows[k].sim_us;
            off[pairs] = 100 * fabs(sim / card - 1);
            printf("    %-18s -> %-18s %-33s card %6.2f x, sim %6.2f x, %+4.0f %%\n", rows[i].kernel, rows[k].kernel,
                   problem(&rows[k]), card, sim, 100 * (sim / card - 1));
            pairs++;
        }
    print_spread("error of speedups", off, pairs);
}

static void print_sampling(const struct truth_row *rows, int n)
{
    double off[TRUTH_ROWS];
    int count = 0;
    for (int i = 0; i < n; i++) {
        if (rows[i].full_us == 0) continue;
        off[count++] = 100 * fabs(rows[i].sim_us / rows[i].full_us - 1);
    }
    print_spread("sampled against whole launches", off, count);
}

// The factor on the model's times that suits the launches of one lab best, or of all others (but != 0), or of all (lab
// 0): the median of card over simulator.
static double fitted(const struct truth_row *rows, int n, char lab, int but)
{
    double ratio[TRUTH_ROWS];
    int count = 0;
    for (int i = 0; i < n; i++)
        if (!lab || (rows[i].kernel[1] == lab) != but) ratio[count++] = rows[i].card_us / rows[i].sim_us;
    return count ? spread_of(ratio, count).median : 1;
}

static struct spread lab_errors(const struct truth_row *rows, int n, char lab, double factor)
{
    double off[TRUTH_ROWS];
    int count = 0;
    for (int i = 0; i < n; i++)
        if (rows[i].kernel[1] == lab) off[count++] = 100 * fabs(factor * rows[i].sim_us / rows[i].card_us - 1);
    return spread_of(off, count);
}

// No constant of the model was fitted to these launches as a whole. What a fit would bring, and whether it would carry
// over to a lab that it has not seen: one factor on all times, of all launches, and of those of all labs but the one.
static void print_left_out(const struct truth_row *rows, int n)
{
    printf("\none lab left out: errors (median, worst) as the model stands; with one factor fitted to all labs; to all "
           "others\n");
    for (char lab = '0'; lab <= '9'; lab++) {
        struct spread own = lab_errors(rows, n, lab, 1);
        if (!own.n) continue;
        double all = fitted(rows, n, 0, 0), others = fitted(rows, n, lab, 1);
        struct spread fit = lab_errors(rows, n, lab, all), out = lab_errors(rows, n, lab, others);
        printf("  lab %c   %5.1f %% %5.1f %%   x %.3f: %5.1f %% %5.1f %%   x %.3f: %5.1f %% %5.1f %%\n", lab,
               own.median, own.worst, all, fit.median, fit.worst, others, out.median, out.worst);
    }
}

static void print_times(const struct truth_row *rows, int n)
{
    double off[TRUTH_ROWS];
    printf("\ntime\n");
    for (char lab = '0'; lab <= '9'; lab++) {
        int count = 0;
        char name[8] = {'l', 'a', 'b', ' ', lab};
        for (int i = 0; i < n; i++)
            if (rows[i].kernel[1] == lab) off[count++] = fabs(time_error(&rows[i]));
        if (count) print_spread(name, off, count);
    }
    for (int i = 0; i < n; i++) off[i] = fabs(time_error(&rows[i]));
    print_spread("all launches", off, n);
    print_sampling(rows, n);
}

void truth_print(const struct truth_row *rows, int first, int n)
{
    const struct truth_row *own = rows + first;
    print_table(own, n - first);
    print_different(own, n - first);
    print_counters(own, n - first);
    print_times(own, n - first);
    print_order(rows, first, n);
    print_left_out(own, n - first);
    print_speedups(rows, first, n);
}

void truth_write(const struct truth_row *rows, int n, const char *path)
{
    FILE *file = fopen(path, "w");
    if (!file) die("cannot write '%s'", path);
    fprintf(file,
            "kernel,kind,gx,gy,bx,by,dyn,d0,d1,d2,dist,blocks,blocks_run,bound,baseline,card_us,sim_us,card_registers,"
            "sim_registers");
#define X(counter, name) fprintf(file, ",card_" #counter ",sim_" #counter);
    TRUTH_COUNTERS(X)
#undef X
    for (int k = 0; k < RESOURCES; k++) fprintf(file, ",ps_%d", k);
    fprintf(file, "\n");
    for (int i = 0; i < n; i++) {
        const struct truth_row *r = &rows[i];
        fprintf(file, "%s,%s,%u,%u,%u,%u,%u,%ld,%ld,%ld,%c,%llu,%llu,%s,%.1s,%.2f,%.3f,%u,%u", r->kernel, r->kind,
                r->grid[0], r->grid[1], r->block[0], r->block[1], r->shared, r->dim[0], r->dim[1], r->dim[2], r->values,
                (unsigned long long)r->sim->blocks, (unsigned long long)r->sim->blocks_run,
                observation_resource_name[r->sim->bound], &(char){baseline_of(r)}, r->card_us, r->sim_us,
                r->card_registers, r->sim->registers);
#define X(counter, name)                                                                                               \
    fprintf(file, r->card.counter == TRUTH_ABSENT ? ",%.0llu" : ",%llu",                                               \
            (unsigned long long)(r->card.counter == TRUTH_ABSENT ? 0 : r->card.counter));                              \
    fprintf(file, ",%llu", (unsigned long long)r->sim->counters.counter);
        TRUTH_COUNTERS(X)
#undef X
        for (int k = 0; k < RESOURCES; k++) fprintf(file, ",%llu", (unsigned long long)r->sim->resource_ps[k]);
        fprintf(file, "\n");
    }
    fclose(file);
}
