// Reports the run of a host program after the program has ended. cli_trace_report() reads the host trace, translates
// addresses to source lines, demangles names, and quotes lines of the user's files.
#define _GNU_SOURCE
#include "cli/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/encoding.h"
#include "base/text.h"
#include "base/utf8.h"
#include "cli/output.h"
#include "compile/demangle.h"
#include "compile/discard.h"
#include "report/page/html.h"
#include "report/trace.h"
#include "report/utf8.h"

enum { QUOTED_MOST = 64, SOURCE_MOST = 4 << 20 };

struct telling {
    const struct cli_trace *c;
    const struct host_trace *trace;
    struct compile_place *place; // source places of the trace, set by host_places()
    char (*file)[PLACE_FILE];    // names of the source files, `nsources` elements
    const char *file_name[HOST_TRACE_SOURCES];
    char *kernel[HOST_TRACE_KERNELS];
    struct report_trace_source source[QUOTED_MOST];
    struct text text[QUOTED_MOST];
    unsigned sources;
};

static uint64_t address_of(const struct host_place *place)
{
    return place->object == HOST_OBJECT_PROGRAM ? place->offset : 0;
}

// Looks up the source lines of all addresses in the host trace. The array t->place receives REPORT_TRACE_PLACES
// elements for each finding, followed by one element for each span, that is, for each operation of a device.
static void host_places(struct telling *t)
{
    const struct host_trace *s = t->trace;
    uint32_t count = s->nfindings * REPORT_TRACE_PLACES + s->nspans, asked = 0;
    uint64_t *address = alloc_zeroed(count, sizeof *address), *all = alloc_zeroed(count, sizeof *all);
    struct compile_place *answer = alloc_zeroed(count, sizeof *answer);
    t->place = alloc_zeroed(count, sizeof *t->place);
    for (uint32_t i = 0; i < s->nfindings; ++i) {
        all[i * REPORT_TRACE_PLACES + PLACE_CALL] = address_of(&s->finding[i].place);
        all[i * REPORT_TRACE_PLACES + PLACE_OTHER] = address_of(&s->finding[i].other);
        all[i * REPORT_TRACE_PLACES + PLACE_ORIGIN] = address_of(&s->finding[i].origin);
    }
    for (uint32_t i = 0; i < s->nspans && (t->c->options->json || t->c->options->html); ++i)
        all[s->nfindings * REPORT_TRACE_PLACES + i] = address_of(&s->span[i].place);
    // looks up each address only once, because the spans of a loop share one address
    for (uint32_t i = 0; i < count; ++i) {
        uint32_t k = 0;
        while (k < asked && address[k] != all[i]) ++k;
        if (all[i] && k == asked) address[asked++] = all[i];
    }
    compile_places(t->c->program, t->c->spec, address, asked, answer);
    for (uint32_t i = 0; i < count; ++i)
        for (uint32_t k = 0; k < asked && all[i]; ++k)
            if (address[k] == all[i]) t->place[i] = answer[k];
    free(address);
    free(all);
    free(answer);
}

static void names(struct telling *t)
{
    const struct host_trace *s = t->trace;
    const char *symbol[HOST_TRACE_KERNELS];
    for (uint32_t i = 0; i < s->nkernels; ++i) symbol[i] = s->kernel[i].name;
    compile_demangle(symbol, s->nkernels, t->c->spec->open, t->kernel);
    t->file = alloc_zeroed(s->nsources, sizeof *t->file);
    for (uint32_t i = 0; i < s->nsources; ++i) {
        compile_place_file(t->c->spec, s->source[i], t->file[i]);
        t->file_name[i] = t->file[i];
    }
}

// ----------------------------------------------------------------------------------------------------- quoted sources
// Returns 1 if the report may quote the source file `name`. A program's debugging information names the paths of its
// sources, so a program could name any file. The report therefore quotes source lines only from files that the user
// named on the command line. If the user built and started the program without grade (`trusted` is 1), the report
// quotes source lines from all files.
static int may_quote(const struct telling *t, const char *name)
{
    for (unsigned i = 0; i < t->c->spec->files; ++i)
        if (!strcmp(t->c->spec->file[i], name)) return 1;
    return t->c->trusted;
}

static void add_source(struct telling *t, const char *name)
{
    if (!name[0] || t->sources == QUOTED_MOST || !may_quote(t, name)) return;
    for (unsigned i = 0; i < t->sources; ++i)
        if (!strcmp(t->source[i].name, name)) return;
    struct text *text = &t->text[t->sources];
    char real[CLI_PATH];
    if (!realpath(name, real) || text_read_file(text, real, SOURCE_MOST) || !text->length) return;
    encoding_to_utf8(text); // as compile/program.c did
    t->source[t->sources++] = (struct report_trace_source){name, text->data, text->length};
}

static void read_sources(struct telling *t)
{
    const struct host_trace *s = t->trace;
    for (uint32_t i = 0; i < s->nfindings * REPORT_TRACE_PLACES; ++i) add_source(t, t->place[i].file);
    for (uint32_t i = 0; i < s->nsources; ++i) add_source(t, t->file[i]);
}

// -------------------------------------------------------------------------------------------------- writing the report
static void write_json(const struct report_trace *r, const char *path)
{
    struct text t = {0};
    report_trace_json(r, &t);
    cli_output_write(&t, path);
    text_free(&t);
}

static void write_html(const struct report_trace *r, const char *path)
{
    struct text t = {0};
    report_html_trace(r, &t);
    cli_output_write(&t, path);
    text_free(&t);
}

static void profile(const struct report_trace *r, struct text *out)
{
    uint64_t from, to;
    report_trace_kernels(r, out);
    report_trace_window(r->trace, &from, &to);
    report_trace_timeline(r->trace, from, to, out);
}

static int is_unchecked(const struct telling *t, const struct host_trace_finding *f, const struct compile_place *place)
{
    int answer = (int)f->silent;
    for (unsigned i = 0; i < t->sources && place->line && !answer; ++i)
        answer = !strcmp(t->source[i].name, place->file) &&
                 compile_discards(t->source[i].text, t->source[i].bytes, place->line, f->text);
    return answer;
}

// Removes the failed calls whose returned value the program looks at, and those after the first one, which are often
// its consequences. A launch with <<<>>>, which returns no value, always counts.
static void keep_unchecked(struct telling *t, struct host_trace *trace)
{
    struct compile_place *span = t->place + trace->nfindings * REPORT_TRACE_PLACES;
    uint32_t kept = 0;
    int failures = 0;
    for (uint32_t i = 0; i < trace->nfindings; ++i) {
        const struct host_trace_finding *f = &trace->finding[i];
        struct compile_place *place = &t->place[i * REPORT_TRACE_PLACES];
        if (f->defect == DEFECT_UNCHECKED && !f->silent && (failures || !is_unchecked(t, f, place))) continue;
        failures += f->defect == DEFECT_UNCHECKED;
        trace->finding[kept] = *f;
        memmove(&t->place[kept++ * REPORT_TRACE_PLACES], place, REPORT_TRACE_PLACES * sizeof *place);
    }
    trace->nfindings = kept;
    memmove(t->place + kept * REPORT_TRACE_PLACES, span, trace->nspans * sizeof *span);
}

void cli_trace_report(const struct cli_trace *c, struct host_trace *trace)
{
    struct telling *t = alloc_zeroed(1, sizeof *t);
    *t = (struct telling){.c = c, .trace = trace};
    host_places(t);
    names(t);
    read_sources(t);
    keep_unchecked(t, trace);
    struct report_trace r = {.trace = trace,
                             .program = c->shown,
                             .exit_code = c->exit_code,
                             .checked = c->options->check,
                             .kernel = (const char **)t->kernel,
                             .file = t->file_name,
                             .finding = (void *)t->place,
                             .span = t->place + trace->nfindings * REPORT_TRACE_PLACES,
                             .source = t->source,
                             .sources = t->sources,
                             .compiler = c->compiler,
                             .arguments = c->arguments};
    struct report_options how = cli_output_options(c->options, STDERR_FILENO);
    struct text out = {0}, plain = {0};
    report_trace_findings(&r, &how, &out);
    if (c->options->profile) profile(&r, &out);
    utf8_clean_log(&out);
    if (!how.utf8 && out.length) utf8_to_ascii(&plain, out.data);
    const struct text *said = how.utf8 ? &out : &plain;
    if (said->length) fwrite(said->data, 1, said->length, stderr);
    text_free(&out);
    text_free(&plain);
    if (c->options->json) write_json(&r, c->options->json);
    if (c->options->html) write_html(&r, c->options->html);
    for (unsigned i = 0; i < QUOTED_MOST; ++i) text_free(&t->text[i]);
    for (uint32_t i = 0; i < trace->nkernels; ++i) free(t->kernel[i]);
    free(t->file);
    free(t->place);
    free(t);
}
