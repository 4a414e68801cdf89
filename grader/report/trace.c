// Writes the findings in a host program's run: errors of its host code and of its kernels. Each finding is written like
// a compiler's message, with the source line, notes on the other places involved, and a hint.
//
// An allocation of device memory has no name in a program. A finding calls an allocation by the name of the variable
// that receives the allocation's address. The name of the receiving variable is the first argument in the source line
// that calls cudaMalloc or a similar function.
#include "report/trace.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "report/utf8.h"

enum { SHOWN = 20, NAME = 64 };

struct writer {
    const struct report_trace *r;
    const struct report_options *options;
    struct text *out;
};

// ---------------------------------------------------------------------------------------------------- lines of sources
static const struct report_trace_source *source_of(const struct report_trace *r, const char *name)
{
    for (unsigned i = 0; i < r->sources; ++i)
        if (!strcmp(r->source[i].name, name)) return &r->source[i];
    return NULL;
}

static void quote_source(const struct writer *w, const struct report_trace_source *s, uint32_t line, uint32_t column)
{
    report_quote(w->options, &(struct bundle){s->name, s->text, s->bytes}, line, column, w->out);
}

static void quote(const struct writer *w, const char *file, uint32_t line, uint32_t column)
{
    const struct report_trace_source *source = source_of(w->r, file);
    if (source) quote_source(w, source, line, column);
}

// Copies the source line at `place`, at most 511 bytes, with a NUL at the end. Returns 1, or 0 if no known source has
// the line.
static int line_of(const struct report_trace *r, const struct compile_place *place, char line[512])
{
    const struct report_trace_source *source = source_of(r, place->file);
    const char *at = source ? source->text : NULL, *end = source ? at + source->bytes : NULL;
    for (uint32_t i = 1; at && at < end && i < place->line; ++i) {
        at = memchr(at, '\n', (size_t)(end - at));
        if (at) ++at;
    }
    if (!at || at >= end || !place->line) return 0;
    size_t length = 0;
    while (at + length < end && at[length] != '\n' && at[length] && length < 511) ++length;
    memcpy(line, at, length);
    line[length] = '\0';
    return 1;
}

// Finds the name of the variable that receives an allocation. For "cudaMalloc((void **)&in[i], …", the name is "in[i]".
// If the source line names no variable, `name` becomes empty.
static void allocation_name(const struct report_trace *r, const struct compile_place *origin, char name[NAME])
{
    char line[512];
    name[0] = '\0';
    if (!line_of(r, origin, line)) return;
    const char *at = strstr(line, "cudaMalloc"), *host = strstr(line, "cudaHostAlloc");
    at = at ? at : host;
    at = at ? strchr(at, '(') : NULL;
    if (!at) return;
    at += 1 + strspn(at + 1, " ");
    if (*at == '(') at = strchr(at, ')'); // skips a cast
    if (!at) return;
    at += strspn(at, ") &(");
    size_t length = strcspn(at, ",)");
    while (length && isspace((unsigned char)at[length - 1])) --length;
    if (!length || length >= NAME || !(isalpha((unsigned char)*at) || *at == '_')) return;
    memcpy(name, at, length);
    name[length] = '\0';
}

// ------------------------------------------------------------------------------------------------------------- writing
static void hint(const struct writer *w, const char *text)
{
    if (!text[0]) return;
    text_puts(w->out, _("    hint: "));
    utf8_wrap(w->out, text, 10, 10, report_columns(w->options));
    text_puts(w->out, "\n");
}

static void source_place(const struct report_trace *r, const struct compile_place *place, struct text *out)
{
    const struct report_trace_source *s = source_of(r, place->file);
    struct bundle source = {.shown = place->file};
    if (s) source = (struct bundle){s->name, s->text, s->bytes};
    report_place(&(struct finding_place){.file = FILE_STUDENT, .line = place->line}, &source, out);
}

static void host_place(const struct writer *w, const struct compile_place *place, const struct host_place *raw,
                       struct text *out)
{
    if (place->line)
        source_place(w->r, place, out);
    else if (raw->object == HOST_OBJECT_PROGRAM)
        text_printf(out, "%s+0x%" PRIx64, w->r->program, raw->offset);
    else
        text_puts(out, raw->object == HOST_OBJECT_LIBRARY ? _("a library") : w->r->program);
}

static void note(const struct writer *w, const struct compile_place *place, const struct host_place *raw,
                 const char *sentence)
{
    struct text at = {0};
    if (raw->object == HOST_OBJECT_NONE) return;
    host_place(w, place, raw, &at);
    report_note_line(at.data, _(sentence), w->out);
    if (place->line) quote(w, place->file, place->line, 0);
    text_free(&at);
}

// ------------------------------------------------------------------------------------------------------ the host's own
static void stream_name(uint32_t stream, struct text *out)
{
    if (stream)
        text_say(out, "stream %u", stream);
    else
        text_puts(out, _("the default stream"));
}

// Appends the sentence about a finding in host code, with the finding's numbers.
static void defect_sentence(const struct host_trace_finding *f, const char *name, struct text *out)
{
    text_puts(out, _(host_trace_defect_info[f->defect].text));
    if (f->defect == DEFECT_UNORDERED) {
        text_puts(out, ": ");
        stream_name(f->stream, out);
        text_puts(out, _(" and "));
        stream_name(f->other_stream, out);
        if (name[0]) text_say(out, ", in '%s'", name);
    } else if (f->text[0]) {
        text_puts(out, ": ");
        host_trace_failure(f, out);
    } else if (f->allocated && name[0]) {
        text_say(out, ": byte %" PRIu64 " of the %" PRIu64 " of '%s'", f->offset, f->bytes, name);
    } else if (f->bytes) {
        text_say(out, ": %" PRIu64 " byte%s", f->bytes, f->bytes == 1 ? "" : "s");
        if (name[0]) text_say(out, " of '%s'", name);
    }
    if (f->count > 1) text_say(out, " (%" PRIu64 " times)", f->count);
}

static void write_defect(const struct writer *w, uint32_t index)
{
    const struct host_trace_finding *f = &w->r->trace->finding[index];
    const struct compile_place *place = w->r->finding[index];
    const struct host_trace_defect_info *info = &host_trace_defect_info[f->defect];
    struct text at = {0}, sentence = {0};
    char name[NAME] = "";
    host_place(w, &place[PLACE_CALL], &f->place, &at);
    int made_here = f->defect == DEFECT_LEAKED_MEMORY;
    if (f->allocated || made_here) allocation_name(w->r, &place[made_here ? PLACE_CALL : PLACE_ORIGIN], name);
    defect_sentence(f, name, &sentence);
    const struct finding_info shown = {.word = info->word, .severity = info->severity};
    report_first_line(w->options, at.data, &shown, sentence.data, w->out);
    if (place[PLACE_CALL].line) quote(w, place[PLACE_CALL].file, place[PLACE_CALL].line, 0);
    note(w, &place[PLACE_OTHER], &f->other, "the other operation was issued here");
    struct text advice = {0};
    int is_known = f->defect == DEFECT_UNCHECKED && !host_trace_advice(f->reason, f->bytes, f->offset, &advice);
    hint(w, is_known ? advice.data : _(info->hint));
    text_free(&advice);
    text_free(&at);
    text_free(&sentence);
}

// ---------------------------------------------------------------------------------------------------------- a kernel's
static void kernel_place(const struct writer *w, const struct finding_place *p, struct text *out)
{
    const char *file = p->file == FILE_STUDENT && p->path < w->r->trace->nsources ? w->r->file[p->path] : NULL;
    if (p->line)
        report_place(p, &(struct bundle){.shown = file ? file : "?"}, out);
    else
        text_puts(out, w->r->program);
}

static void quote_kernel(const struct writer *w, const struct finding_place *p)
{
    if (p->file == FILE_STUDENT && p->path < w->r->trace->nsources) quote(w, w->r->file[p->path], p->line, p->column);
}

// Writes notes on the host code behind a finding in a kernel: the lines that allocated the memory and launched the
// kernel.
static void kernel_notes(const struct writer *w, uint32_t index, const struct verdict_finding *v)
{
    const struct host_trace_finding *f = &w->r->trace->finding[index];
    const struct compile_place *place = w->r->finding[index];
    struct text sentence = {0};
    if (f->allocated) {
        text_say(&sentence, "'%s' is allocated here: %" PRIu64 " bytes", v->array[0] ? v->array : _("the memory"),
                 f->bytes);
        note(w, &place[PLACE_ORIGIN], &f->origin, sentence.data);
    }
    text_free(&sentence);
    text_say(&sentence, "launched here: %s", f->kernel < w->r->trace->nkernels ? w->r->kernel[f->kernel] : "?");
    note(w, &place[PLACE_CALL], &f->place, sentence.data);
    text_free(&sentence);
}

static void write_kernel_finding(const struct writer *w, const struct verdict_finding *v)
{
    const struct finding *f = &v->finding;
    const struct finding_info *info = &finding_info[f->kind];
    struct text at = {0}, sentence = {0};
    kernel_place(w, &f->at, &at);
    report_finding(v, &sentence);
    report_first_line(w->options, at.data, info, sentence.data, w->out);
    quote_kernel(w, &f->at);
    if (f->second && f->other.line && f->other.line != f->at.line) {
        text_free(&at);
        text_free(&sentence);
        kernel_place(w, &f->other, &at);
        report_finding_other(v, &sentence);
        report_note_line(at.data, sentence.data, w->out);
        quote_kernel(w, &f->other);
    }
    kernel_notes(w, v->which, v);
    text_free(&sentence);
    verdict_hint(v, &sentence);
    hint(w, sentence.data);
    text_free(&at);
    text_free(&sentence);
}

static int is_of_kernel(const struct host_trace *s, uint32_t i, uint32_t kernel)
{
    return s->finding[i].defect == DEFECT_NONE && s->finding[i].kernel == kernel;
}

static int is_first_of_kernel(const struct host_trace *s, uint32_t i)
{
    for (uint32_t k = 0; k < i; ++k)
        if (is_of_kernel(s, k, s->finding[i].kernel)) return 0;
    return 1;
}

// Collects from the host trace (the record of the host program's operations) all findings about the kernel to which
// finding `first` belongs. Findings about the kernel with the same cause become one finding. In the result, the field
// `which` of a finding is its index in the host trace.
static void causes_of(const struct writer *w, uint32_t first, struct verdict_findings *causes)
{
    const struct host_trace *s = w->r->trace;
    for (uint32_t i = first; i < s->nfindings; ++i) {
        if (!is_of_kernel(s, i, s->finding[first].kernel)) continue;
        struct verdict_finding v = {.finding = s->finding[i].finding, .which = i, .optimised = 1};
        if (s->finding[i].allocated) allocation_name(w->r, &w->r->finding[i][PLACE_ORIGIN], v.array);
        verdict_findings_add(causes, &v);
    }
    verdict_findings_reduce(causes);
}

void report_trace_findings(const struct report_trace *r, const struct report_options *options, struct text *out)
{
    const struct writer w = {r, options, out};
    const struct host_trace *s = r->trace;
    uint32_t shown = 0, left = 0;
    for (uint32_t i = 0; i < s->nfindings; ++i) {
        if (shown == SHOWN) {
            ++left;
        } else if (s->finding[i].defect != DEFECT_NONE) {
            write_defect(&w, i);
            ++shown;
        } else if (is_first_of_kernel(s, i)) {
            struct verdict_findings causes = {.count = 0};
            causes_of(&w, i, &causes);
            for (uint32_t k = 0; k < causes.count; ++k) write_kernel_finding(&w, &causes.item[k]);
            shown += causes.count < SHOWN - shown ? causes.count : SHOWN - shown;
        }
    }
    uint64_t more = s->findings_dropped + left;
    if (more) text_say(out, "and %" PRIu64 " more finding%s (--json has all)\n", more, more == 1 ? "" : "s");
}
