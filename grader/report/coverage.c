// Writes which lines of a kernel the test cases executed as an lcov tracefile (format in geninfo(1)), and lists the
// lines that no test case executed.
//
// The lcov tracefile has two branches for each conditional branch instruction of the unoptimised PTX. In the tracefile,
// branch 0 counts the threads that jump, and branch 1 counts the threads that do not jump.
#include <inttypes.h>

#include "base/message.h"
#include "base/text.h"
#include "report/report.h"

enum { RANGES_SHOWN = 8 };

// Describes one file of a submission. In the bundle, the text of the submission and its headers, this file has the
// lines from `first` to `last`, inclusive.
struct lines {
    uint32_t first, last;
};

// Returns the line number in the file `f` of line `line` of the bundle, or 0 if this line belongs to another file.
static uint32_t own_line(const struct lines *f, uint32_t line)
{
    return line >= f->first && line <= f->last ? line - f->first + 1 : 0;
}

static void write_functions(const struct coverage *c, const struct lines *f, struct text *out)
{
    unsigned found = 0, hit = 0;
    for (uint32_t i = 0; i < c->nfunctions; ++i) {
        uint32_t line = own_line(f, c->function[i].line);
        if (line) text_printf(out, "FN:%" PRIu32 ",%s\n", line, c->function[i].name);
    }
    for (uint32_t i = 0; i < c->nfunctions; ++i) {
        if (!own_line(f, c->function[i].line)) continue;
        text_printf(out, "FNDA:%" PRIu64 ",%s\n", c->function[i].threads, c->function[i].name);
        hit += c->function[i].threads != 0;
        ++found;
    }
    text_printf(out, "FNF:%u\nFNH:%u\n", found, hit);
}

static void write_branches(const struct coverage *c, const struct lines *f, struct text *out)
{
    unsigned found = 0, hit = 0;
    for (uint32_t i = 0; i < c->nbranches; ++i) {
        const struct coverage_branch *b = &c->branch[i];
        const uint64_t count[2] = {b->taken, b->fallen};
        uint32_t line = own_line(f, b->line);
        for (int way = 0; way < 2 && line; ++way) {
            text_printf(out, "BRDA:%" PRIu32 ",%" PRIu32 ",%d,", line, b->index, way);
            text_printf(out, b->taken || b->fallen ? "%" PRIu64 "\n" : "-\n", count[way]);
            hit += count[way] != 0;
            ++found;
        }
    }
    text_printf(out, "BRF:%u\nBRH:%u\n", found, hit);
}

static void write_lines(const struct coverage *c, const struct lines *f, struct text *out)
{
    unsigned found = 0, hit = 0;
    for (uint32_t i = 0; i < c->nlines; ++i) {
        uint32_t line = own_line(f, c->line[i].line);
        if (!line) continue;
        text_printf(out, "DA:%" PRIu32 ",%" PRIu64 "\n", line, c->line[i].threads);
        hit += c->line[i].threads != 0;
        ++found;
    }
    text_printf(out, "LF:%u\nLH:%u\n", found, hit);
}

void report_lcov(const struct verdict *v, const char *path, struct text *out)
{
    struct bundle source = judge_job_bundle(v->job);
    struct bundle_file file = {.index = 0}, next;
    source.shown = path;
    text_printf(out, "TN:%s\n", v->job->lab->name);
    if (!v->coverage) return;
    for (int more = bundle_next(&file, source.text, source.bytes); more; file = next) {
        next = file;
        more = bundle_next(&next, source.text, source.bytes);
        struct lines f = {file.before + 1, more ? next.before - 1 : UINT32_MAX};
        text_puts(out, "SF:");
        bundle_place(&source, f.first, out);
        text_puts(out, "\n");
        write_functions(v->coverage, &f, out);
        write_branches(v->coverage, &f, out);
        write_lines(v->coverage, &f, out);
        text_puts(out, "end_of_record\n");
    }
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

void report_uncovered_lines(const struct verdict *v, struct text *out)
{
    struct report_range range[RANGES_SHOWN];
    char first[BUNDLE_LINE], last[BUNDLE_LINE];
    uint32_t n = report_uncovered(v->coverage, range, RANGES_SHOWN), shown = n < RANGES_SHOWN ? n : RANGES_SHOWN;
    int several = n > 1 || (n == 1 && range[0].first != range[0].last);
    for (uint32_t i = 0; i < shown; ++i) {
        text_puts(out, !i           ? several ? _("no case ran lines ") : _("no case ran line ")
                                 : i + 1 == n ? _(" and ")
                                    : ", ");
        text_puts(out, judge_job_line(v->job, range[i].first, first));
        if (range[i].last != range[i].first) text_printf(out, "-%s", judge_job_line(v->job, range[i].last, last));
    }
    if (n > shown) text_say(out, " and %" PRIu32 " more places", n - shown);
}
