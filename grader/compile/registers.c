// Asks ptxas how many registers a thread of each kernel gets and how many bytes it spills, and writes the numbers to
// the start of the image as comments. For example, the comment "// registers 32 matmul" says that a thread of the
// kernel matmul gets 32 registers. The comment "// spills 96 matmul" says that the spill stores and spill loads of the
// kernel matmul move 96 bytes, if each of these instructions is executed once. A spill store writes a register to local
// memory, and a spill load reads the register back. The PTX does not show spilled registers, because PTX has any number
// of registers.
//
// From the register counts that ptxas prints, the simulator computes the occupancy of the machine code (ptx/ptx.h,
// struct ptx_func). The PTX loader reads "// registers" comments only at the start of the image, before all text that
// comes from the source. Text in a student's source therefore cannot forge a "// registers" comment.
//
// Technique: ptxas -v prints the name of each entry function and, some lines later, the function's registers. ptxas is
// beside nvcc or on PATH. If ptxas is missing or refuses the PTX, the image has no "// registers" comments, and the
// simulator estimates the registers (sim/sass/register_need.c). A missing ptxas is never a reason to refuse a kernel.
#define _GNU_SOURCE
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "box/box.h"
#include "compile/invocation.h"

enum {
    OLDEST = 80, // the lowest compute capability for which ptxas compiles PTX for compute_80
    SAID_MOST = 256 << 10,
    PROCESSOR_S = 20,
    WALL_S = 120,
};
static const uint64_t MEMORY_MOST = 3ull << 29;

// Finds ptxas and stores its path. Returns 1, or 0 if there is no ptxas.
static int find_ptxas(const struct compiler *compiler, char path[COMPILE_PATH])
{
    char nvcc[PATH_MAX];
    char *slash = realpath(compiler->path, nvcc) ? strrchr(nvcc, '/') : NULL;
    if (slash) {
        int length = snprintf(path, COMPILE_PATH, "%.*s/ptxas", (int)(slash - nvcc), nvcc);
        if (length < COMPILE_PATH && !access(path, X_OK)) return 1;
    }
    return compile_find_tool("ptxas", path);
}

// Returns the number that stands before the words `unit` in the text from `at` to `end`, or 0.
static unsigned number_before(const char *at, const char *end, const char *unit)
{
    const char *words = strstr(at, unit);
    if (!words || words >= end) return 0;
    while (words > at && words[-1] >= '0' && words[-1] <= '9') --words;
    return (unsigned)strtoul(words, NULL, 10);
}

// Appends to `header` the comments "// registers N KERNEL" and "// spills N KERNEL" for each kernel in the output of
// ptxas. A kernel that spills nothing has no comment "// spills".
static void read_answer(struct text *header, const char *said)
{
    static const char entry[] = "Compiling entry function '", used[] = "Used ";
    for (const char *at = strstr(said, entry); at;) {
        const char *name = at + sizeof entry - 1, *next = strstr(name, entry), *count = strstr(name, used);
        size_t length = strcspn(name, "'\n");
        if (count && (!next || count < next)) {
            unsigned spills =
                number_before(name, count, " bytes spill stores") + number_before(name, count, " bytes spill loads");
            text_printf(header, "// registers %u %.*s\n", (unsigned)strtoul(count + sizeof used - 1, NULL, 10),
                        (int)length, name);
            if (spills) text_printf(header, "// spills %u %.*s\n", spills, (int)length, name);
        }
        at = next;
    }
}

void compile_registers_count(const struct compiler *compiler, const char *directory, const char *image,
                             const char *home, struct text *header)
{
    char ptxas[COMPILE_PATH], machine[32], path[PATH_MAX + 16];
    unsigned newest = compiler->capability > OLDEST ? compiler->capability : OLDEST;
    if (compiler->kind != COMPILE_NVCC || !find_ptxas(compiler, ptxas)) return;
    snprintf(machine, sizeof machine, "-arch=sm_%u", newest);
    snprintf(path, sizeof path, "%s/%s", directory, image);
    const char *const argv[] = {ptxas, "-v", machine, path, "-o", "/dev/null", NULL};
    const char *const readable[] = {path, home[0] ? home : NULL, NULL};
    const struct box_spec spec = {.argv = argv,
                                  .readable = readable,
                                  .output = SAID_MOST,
                                  .wall_s = WALL_S,
                                  .cpu_s = PROCESSOR_S,
                                  .address_space = MEMORY_MOST};
    struct box box = {0};
    struct text why = {0};
    if (!box_run(&spec, &box, &why)) {
        if (box.end == BOX_EXITED && !box.code && box.output.data) read_answer(header, box.output.data);
        box_free(&box);
    }
    text_free(&why);
}
