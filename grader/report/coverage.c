// Writes which lines of a kernel the test cases executed as an lcov tracefile (format in geninfo(1)), and lists the
// lines that no test case executed.
//
// The lcov tracefile has two branches for each conditional branch instruction of the unoptimised PTX. In the tracefile,
// branch 0 counts the threads that jump, and branch 1 counts the threads that do not jump.
#include <inttypes.h>

#include "base/message.h"
#include "report/report.h"

enum { RANGES_SHOWN = 8 };

static void write_functions(const struct coverage *c, struct text *out)
{
    unsigned hit = 0;
    for (uint32_t i = 0; i < c->nfunctions; ++i)
        text_printf(out, "FN:%" PRIu32 ",%s\n", c->function[i].line, c->function[i].name);
    for (uint32_t i = 0; i < c->nfunctions; ++i) {
        text_printf(out, "FNDA:%" PRIu64 ",%s\n", c->function[i].threads, c->function[i].name);
        hit += c->function[i].threads != 0;
    }
    text_printf(out, "FNF:%" PRIu32 "\nFNH:%u\n", c->nfunctions, hit);
}

static void write_branches(const struct coverage *c, struct text *out)
{
    unsigned hit = 0;
    for (uint32_t i = 0; i < c->nbranches; ++i) {
        const struct coverage_branch *b = &c->branch[i];
        const uint64_t count[2] = {b->taken, b->fallen};
        for (int way = 0; way < 2; ++way) {
            text_printf(out, "BRDA:%" PRIu32 ",%" PRIu32 ",%d,", b->line, b->index, way);
            text_printf(out, b->taken || b->fallen ? "%" PRIu64 "\n" : "-\n", count[way]);
            hit += count[way] != 0;
        }
    }
    text_printf(out, "BRF:%" PRIu32 "\nBRH:%u\n", 2 * c->nbranches, hit);
}

static void write_lines(const struct coverage *c, struct text *out)
{
    unsigned hit = 0;
    for (uint32_t i = 0; i < c->nlines; ++i) {
        text_printf(out, "DA:%" PRIu32 ",%" PRIu64 "\n", c->line[i].line, c->line[i].threads);
        hit += c->line[i].threads != 0;
    }
    text_printf(out, "LF:%" PRIu32 "\nLH:%u\n", c->nlines, hit);
}

void report_lcov(const struct verdict *v, const char *path, struct text *out)
{
    text_printf(out, "TN:%s\n", v->job->lab->name);
    if (!v->coverage) return;
    text_printf(out, "SF:%s\n", path);
    write_functions(v->coverage, out);
    write_branches(v->coverage, out);
    write_lines(v->coverage, out);
    text_puts(out, "end_of_record\n");
}

uint32_t report_uncovered(const struct coverage *c, struct report_range *range, uint32_t most)
{
    uint32_t n = 0;
    int open = 0;
    for (uint32_t i = 0; c && i < c->nlines; ++i) {
        if (c->line[i].threads) {
            open = 0;
            continue;
        }
        uint32_t line = c->line[i].line;
        if (!open++ && n++ < most) range[n - 1].first = line;
        if (n <= most) range[n - 1].last = line;
    }
    return n;
}

void report_uncovered_lines(const struct coverage *c, struct text *out)
{
    struct report_range range[RANGES_SHOWN];
    uint32_t n = report_uncovered(c, range, RANGES_SHOWN), shown = n < RANGES_SHOWN ? n : RANGES_SHOWN;
    int several = n > 1 || (n == 1 && range[0].first != range[0].last);
    for (uint32_t i = 0; i < shown; ++i) {
        text_puts(out, !i           ? several ? _("no case ran lines ") : _("no case ran line ")
                                 : i + 1 == n ? _(" and ")
                                    : ", ");
        text_printf(out, "%" PRIu32, range[i].first);
        if (range[i].last != range[i].first) text_printf(out, "-%" PRIu32, range[i].last);
    }
    if (n > shown) text_say(out, " and %" PRIu32 " more places", n - shown);
}
