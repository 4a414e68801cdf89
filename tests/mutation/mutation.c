// Mutation: does the grader see what is wrong? mutation [-v] [--jobs N] [--sample N] [--list] [--write DIR] [LAB…]
//
// Every reference, baseline and rung is changed in one place at a time (operator.def) and judged as a student's file
// would be, for correctness and safety. A mutant ends in one of these ways:
//
//   killed        the grader has something against it
//   survived      it has nothing: a case or a check is missing, unless the mutant stands in equivalent.txt
//   equivalent    it survived and stands there, with the reason why it is no defect
//   same code     both images are those of the kernel it was made of: there is nothing to see
//   stillborn     it does not compile
//
// Theory of operation. A mutant is judged in a process of its own, so that whatever befalls the judge is that mutant's
// alone; its end comes back through memory that is shared with the parent, which starts no more processes than jobs.
// The optimised image is judged first; only a mutant that it does not kill is compiled without optimisation, and only
// one that survives both is compared with the kernel that it was made of, which tests/labs/check knows to be sound. A
// function that stands word for word in several files of a lab, with the same constants, is mutated once.
//
// --sample N judges N mutants spread over all labs. -v also prints what killed each mutant. --list names the mutants
// and judges none; --write writes them, DIR/LAB/NNNN.cu, for a synthetic class. Exit status 1: there is a survivor, or
// a line of equivalent.txt that is wrong.
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <glob.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/die.h"
#include "base/hash.h"
#include "base/progress.h"
#include "base/text.h"
#include "equivalent.h"
#include "judge/kernel/kernel.h"
#include "operator.h"

enum { FILES = 256, FUNCTIONS = 4096, PTX_LINE_MOST = 1 << 16 };
#define KIT "grader/kit"
#define EQUIVALENT "tests/mutation/equivalent.txt"

enum end { END_BROKEN, END_KILLED, END_SURVIVED, END_SAME, END_STILLBORN, ENDS }; // broken: the judge came to no end

struct kernel { // a file that is mutated
    const struct lab *lab;
    char path[256];
    struct source source;
    uint64_t hash[2];  // of its images: optimised, unoptimised; shared with the children
    uint32_t from, to; // its mutants
};
struct result { // shared with the children
    enum end end;
    struct verdict_reason reason;
};
struct run {
    struct compiler compiler;
    char runner[PATH_MAX + 16];
    int verbose, jobs, sample, list;
    const char *write; // the folder that they are written to, instead of being judged
    struct kernel kernel[FILES];
    uint32_t nkernels;
    uint64_t seen[FUNCTIONS]; // functions of the lab that were mutated already
    uint32_t nseen;
    struct mutants mutants;
    uint32_t *of; // the kernel of each mutant
    struct result *result;
    struct equivalents equivalents;
};

// ------------------------------------------------------------------------------------------------- what is mutated
struct skipping {
    struct run *run;
    const struct source *s;
    uint32_t first; // where the function begins that was last looked at
    uint64_t hash;
    int skips;
};

static int skip_seen(void *data, uint32_t t)
{
    struct skipping *k = data;
    struct run *r = k->run;
    uint32_t first;
    uint64_t hash = source_function(k->s, t, &first);
    if (!hash) return 0;
    if (k->hash && first == k->first) return k->skips;
    k->first = first, k->hash = hash, k->skips = 0;
    for (uint32_t i = 0; i < r->nseen; ++i) k->skips |= r->seen[i] == hash;
    if (!k->skips && r->nseen < FUNCTIONS) r->seen[r->nseen++] = hash;
    return k->skips;
}

static void take_files(struct run *r, const struct lab *lab, const char *format)
{
    char pattern[256];
    glob_t files;
    snprintf(pattern, sizeof pattern, format, lab->slug);
    if (glob(pattern, 0, NULL, &files)) die("there is no file '%s'", pattern);
    for (size_t i = 0; i < files.gl_pathc; ++i) {
        if (r->nkernels == FILES) die("more than %d kernels", FILES);
        struct kernel *k = &r->kernel[r->nkernels++];
        k->lab = lab;
        snprintf(k->path, sizeof k->path, "%s", files.gl_pathv[i]);
        operator_read(&k->source, k->path);
        struct skipping skipping = {.run = r, .s = &k->source};
        k->from = r->mutants.count;
        operator_apply(&k->source, &r->mutants, skip_seen, &skipping);
        k->to = r->mutants.count;
    }
    globfree(&files);
}

static int is_wanted(const struct lab *lab, int argc, char **argv)
{
    for (int i = 0; i < argc; ++i)
        if (lab_find(argv[i]) == lab) return 1;
    return argc == 0;
}

static void take_labs(struct run *r, int argc, char **argv)
{
    for (int i = 0; i < argc; ++i)
        if (!lab_find(argv[i])) die("there is no lab '%s'", argv[i]);
    for (int i = 0; lab_all[i]; ++i) {
        if (lab_all[i]->host || !is_wanted(lab_all[i], argc, argv)) continue; // operators change kernels
        r->nseen = 0;
        take_files(r, lab_all[i], "reference/%s.cu");
        take_files(r, lab_all[i], "labs/%s/baseline.cu");
        take_files(r, lab_all[i], "reference/ladder/%s/*.cu");
    }
}

// ------------------------------------------------------------------------------------------------- judging one
// Of what is executed: without the debugger's sections and the columns of lines, and without comments.
static uint64_t code_hash(const struct text *ptx)
{
    uint64_t hash = 1;
    for (size_t at = 0, length; at < ptx->length; at += length + 1) {
        const char *line = ptx->data + at;
        const char *end = memchr(line, '\n', ptx->length - at);
        length = end ? (size_t)(end - line) : ptx->length - at;
        size_t blanks = 0;
        while (blanks < length && (line[blanks] == ' ' || line[blanks] == '\t')) ++blanks;
        if (length - blanks >= 8 && !memcmp(line + blanks, ".section", 8)) break;
        if (length - blanks >= 4 && (!memcmp(line + blanks, ".loc", 4) || !memcmp(line + blanks, "//", 2))) continue;
        hash = hash_bytes(line, length, hash);
    }
    return hash;
}

// 0: it does not compile.
static int compile(struct run *r, const struct kernel *k, const struct text *source, enum compile_image image,
                   struct compile_result *c)
{
    compile_source(&r->compiler, source->data, source->length, k->path, KIT, 1u << image, c);
    if (c->status == COMPILE_FAILED) die("%s", c->messages.data);
    return c->status == COMPILED;
}

static uint64_t original_hash(struct run *r, const struct kernel *k, enum compile_image image)
{
    struct compile_result c;
    if (!compile(r, k, &k->source.text, image, &c)) die("'%s' does not compile", k->path);
    uint64_t hash = code_hash(&c.image[image]);
    compile_result_free(&c);
    return hash;
}

static void judge_mutant(struct run *r, uint32_t i)
{
    const struct kernel *k = &r->kernel[r->of[i]];
    const char *const runner[] = {r->runner, NULL};
    struct text source = {0};
    uint64_t hash[2] = {0};
    enum end end = END_SURVIVED;
    operator_source(&r->mutants.item[i], &source);
    struct judge_job job = {.lab = k->lab,
                            .source = source.data,
                            .bytes = source.length,
                            .shown = k->path,
                            .compiler = &r->compiler,
                            .kit = KIT,
                            .runner = runner,
                            .seed = 1,
                            .threads = 1};
    for (int image = IMAGE_OPTIMISED; image <= IMAGE_UNOPTIMISED && end == END_SURVIVED; ++image) {
        struct compile_result c;
        if (!compile(r, k, &source, (enum compile_image)image, &c))
            end = END_STILLBORN;
        else if (!kernel_sound(&job, (enum compile_image)image, &c.image[image], &r->result[i].reason))
            end = END_KILLED;
        else
            hash[image] = code_hash(&c.image[image]);
        compile_result_free(&c);
    }
    if (end == END_SURVIVED && hash[IMAGE_OPTIMISED] == original_hash(r, k, IMAGE_OPTIMISED) &&
        hash[IMAGE_UNOPTIMISED] == original_hash(r, k, IMAGE_UNOPTIMISED))
        end = END_SAME;
    r->result[i].end = end;
    text_free(&source);
}

// ------------------------------------------------------------------------------------------------- judging all
// Judges the wanted ones in processes side by side. The end of one that ends badly stays END_BROKEN.
static void judge_all(struct run *r, const uint8_t *wanted)
{
    int running = 0, total = 0;
    for (uint32_t i = 0; i < r->mutants.count; ++i) total += wanted[i];
    struct progress progress = progress_start("mutants", total);
    fflush(stdout);
    for (uint32_t i = 0; i < r->mutants.count || running; ++i) {
        while (running && (running >= r->jobs || i >= r->mutants.count)) {
            if (wait(NULL) < 0) die("a process was lost");
            --running;
            progress_step(&progress, "");
        }
        if (i >= r->mutants.count || !wanted[i]) continue;
        pid_t child = fork();
        if (child < 0) die("cannot start a process");
        if (!child) {
            judge_mutant(r, i);
            _exit(0);
        }
        ++running;
    }
    progress_end(&progress);
}

static void *share(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) die("out of memory");
    return memory;
}

// All, or N of them, as far from each other as can be: so each lab has its share.
static uint8_t *choose(const struct run *r)
{
    uint32_t n = r->mutants.count;
    uint8_t *wanted = calloc(n + 1, 1);
    if (!wanted) die("out of memory");
    if (!r->sample || (uint32_t)r->sample >= n) return memset(wanted, 1, n);
    for (int i = 0; i < r->sample; ++i) wanted[(uint64_t)(2 * i + 1) * n / (2 * (uint64_t)r->sample)] = 1;
    return wanted;
}

static void write_all(const struct run *r, const uint8_t *wanted)
{
    for (uint32_t i = 0; i < r->mutants.count; ++i) {
        char path[PATH_MAX];
        struct text source = {0};
        if (!wanted[i]) continue;
        operator_source(&r->mutants.item[i], &source);
        snprintf(path, sizeof path, "%s/%s", r->write, r->kernel[r->of[i]].lab->slug);
        if (mkdir(path, 0777) && errno != EEXIST) die("cannot make '%s': %s", path, strerror(errno));
        snprintf(path, sizeof path, "%s/%s/%04u.cu", r->write, r->kernel[r->of[i]].lab->slug, i);
        int error = text_write_file(&source, path, 0666);
        if (error) die("cannot write '%s': %s", path, strerror(error));
        text_free(&source);
    }
}

// ------------------------------------------------------------------------------------------------- reporting
struct tally {
    uint32_t count[ENDS], equivalent;
};

static struct equivalent *listed(const struct run *r, uint32_t i)
{
    const struct mutant *m = &r->mutants.item[i];
    return equivalent_find(&r->equivalents, m->source->path, operator_info[m->by].name, m->label);
}

// A reason that begins "because nvcc" is nvcc's alone: what it makes of the mutant cannot be seen; clang's may be.
static int is_claimed(const struct run *r, const struct equivalent *e)
{
    return strncmp(e->reason, "because nvcc", 12) != 0 || r->compiler.kind == COMPILE_NVCC;
}

static void print_mutant(const struct run *r, uint32_t i, const char *end)
{
    const struct mutant *m = &r->mutants.item[i];
    printf("%s %s:%u: %s: %s\n", end, m->source->path, m->line, operator_info[m->by].name, m->label);
}

// Counts a mutant's end, and prints it when it is of interest. 1: something must be done about it.
static int count_mutant(const struct run *r, uint32_t i, struct tally *lab, struct tally *by)
{
    static const char *const name[ENDS] = {"BROKEN", "killed", "SURVIVED", "same code", "stillborn"};
    const struct result *o = &r->result[i];
    struct equivalent *e = listed(r, i);
    int is_equivalent = o->end == END_SURVIVED && e;
    struct tally *each[] = {lab, by};
    for (int k = 0; k < 2; ++k) {
        each[k]->count[o->end] += !is_equivalent;
        each[k]->equivalent += is_equivalent;
    }
    if (e) e->used = 1;
    char reason[VERDICT_REASON] = "";
    if (o->end == END_KILLED) verdict_reason_print(NULL, &o->reason, reason);
    if (r->verbose && o->end == END_KILLED) printf("(%s) ", reason);
    if (r->verbose || (o->end == END_SURVIVED && !e) || o->end == END_BROKEN)
        print_mutant(r, i, is_equivalent ? "equivalent" : name[o->end]);
    int is_wrong = e && o->end == END_KILLED && is_claimed(r, e);
    if (is_wrong) printf("%s:%u: this mutant is killed: %s\n", r->equivalents.path, e->line, reason);
    return (o->end == END_SURVIVED && !e) || is_wrong || o->end == END_BROKEN;
}

static void print_tally(const char *name, const struct tally *t)
{
    uint32_t killed = t->count[END_KILLED], all = killed + t->count[END_SURVIVED];
    printf("%-16s %5u of %5u killed; %u equivalent, %u the same code, %u stillborn\n", name, killed, all, t->equivalent,
           t->count[END_SAME], t->count[END_STILLBORN]);
}

// Lines of the list that name no mutant of a file that was looked at.
static int check_list(const struct run *r)
{
    int failed = 0;
    for (uint32_t i = 0; i < r->mutants.count; ++i) {
        struct equivalent *e = listed(r, i);
        if (e) e->used = 1;
    }
    for (uint32_t i = 0; i < r->equivalents.count; ++i) {
        const struct equivalent *e = &r->equivalents.item[i];
        int looked_at = 0;
        for (uint32_t k = 0; k < r->nkernels; ++k) looked_at |= !strcmp(r->kernel[k].path, e->path);
        if (e->used || (!looked_at && r->nkernels < FILES && access(e->path, R_OK) == 0)) continue;
        printf("%s:%u: there is no such mutant: %s %s %s\n", r->equivalents.path, e->line, e->path, e->by, e->label);
        failed = 1;
    }
    return failed;
}

static int report(const struct run *r, const uint8_t *wanted)
{
    struct tally labs[FILES] = {0}, bys[OPERATORS] = {0}, all = {0};
    int failed = check_list(r);
    for (uint32_t k = 0; k < r->nkernels; ++k) {
        uint32_t first = k; // of its lab: its tally is the lab's
        while (first > 0 && r->kernel[first - 1].lab == r->kernel[k].lab) --first;
        for (uint32_t i = r->kernel[k].from; i < r->kernel[k].to; ++i)
            if (wanted[i]) failed |= count_mutant(r, i, &labs[first], &bys[r->mutants.item[i].by]);
    }
    for (uint32_t k = 0; k < r->nkernels; ++k)
        if (k == 0 || r->kernel[k - 1].lab != r->kernel[k].lab) print_tally(r->kernel[k].lab->name, &labs[k]);
    for (int by = 0; by < OPERATORS; ++by) {
        print_tally(operator_info[by].name, &bys[by]);
        for (int end = 0; end < ENDS; ++end) all.count[end] += bys[by].count[end];
        all.equivalent += bys[by].equivalent;
    }
    print_tally("all", &all);
    return failed;
}

// ------------------------------------------------------------------------------------------------- the program
static void read_options(struct run *r, int argc, char **argv)
{
    static const struct option options[] = {{"jobs", required_argument, NULL, 'j'},
                                            {"sample", required_argument, NULL, 's'},
                                            {"list", no_argument, NULL, 'l'},
                                            {"write", required_argument, NULL, 'w'},
                                            {0}};
    int c;
    r->jobs = (int)sysconf(_SC_NPROCESSORS_ONLN);
    while ((c = getopt_long(argc, argv, "vj:s:lw:", options, NULL)) != -1) {
        if (c == 'v') r->verbose = 1;
        if (c == 'j') r->jobs = atoi(optarg);
        if (c == 's') r->sample = atoi(optarg);
        if (c == 'l') r->list = 1;
        if (c == 'w') r->write = optarg;
        if (c == '?') exit(2);
    }
    if (r->jobs < 1) die("--jobs must be a number from 1 on");
}

int main(int argc, char **argv)
{
    static struct run r;
    struct text why = {0};
    char folder[PATH_MAX];
    const char *build = getenv("BUILD");
    read_options(&r, argc, argv);
    if (!realpath(build ? build : "build/release", folder)) die("there is no build in '%s'", build);
    snprintf(r.runner, sizeof r.runner, "%s/runner-sim", folder);
    if (compile_find(COMPILE_AUTO, &r.compiler, &why)) die("%s", why.data);
    equivalent_read(&r.equivalents, EQUIVALENT);
    take_labs(&r, argc - optind, argv + optind);
    for (uint32_t i = 0; i < r.mutants.count && r.list; ++i) print_mutant(&r, i, "");
    if (r.list) return 0;
    r.of = calloc(r.mutants.count + 1, sizeof *r.of);
    if (!r.of) die("out of memory");
    for (uint32_t k = 0; k < r.nkernels; ++k)
        for (uint32_t i = r.kernel[k].from; i < r.kernel[k].to; ++i) r.of[i] = k;
    r.result = share((r.mutants.count + 1) * sizeof *r.result);
    uint8_t *wanted = choose(&r);
    if (r.write) {
        write_all(&r, wanted);
        return 0;
    }
    judge_all(&r, wanted);
    int failed = report(&r, wanted);
    free(wanted);
    return failed;
}
