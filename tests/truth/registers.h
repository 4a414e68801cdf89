// Estimates the registers of the kernels of a PTX text, as the simulator does where ptxas was not asked.
#ifndef TESTS_TRUTH_REGISTERS_H
#define TESTS_TRUTH_REGISTERS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "ptx/ptx.h"
#include "sim/core/program.h"
#include "sim/image.h"
#include "sim/lower_kernel.h"
#include "sim/machine/memory.h"

// Calls `each` with the name of every kernel of the image, and with its program, which holds the estimated registers.
// ptxas's answers at the start of the image are ignored.
static inline void registers_estimate(const char *image, void (*each)(const char *kernel, const struct sim_program *))
{
    struct ptx_error error;
    char message[OBSERVATION_MESSAGE] = "";
    for (const char *end; !strncmp(image, "// registers ", 13) || !strncmp(image, "// spills ", 10); image = end + 1)
        if (!(end = strchr(image, '\n'))) return;
    struct ptx_module *module = ptx_load(image, strlen(image), &error);
    if (!module) die("line %u of an image: %s", error.line, error.message);
    struct sim_memory *memory = sim_memory_new();
    struct sim_image *loaded = sim_image_new(module, memory, lower_kernel_handlers(NULL), message);
    if (!loaded) die("%s", message);
    module = NULL; // the image owns it
    const struct ptx_module *m = sim_image_module(loaded);
    for (uint32_t f = 0; f < m->nfuncs; ++f) {
        if (!m->func[f].is_entry || !m->func[f].has_body) continue;
        const struct sim_program *p = sim_image_program(loaded, f, message);
        if (p) each(m->func[f].name, p);
    }
    sim_image_free(loaded);
    sim_memory_free(memory);
}

// Holds differences between estimated and actual registers.
struct registers_figures {
    uint32_t count, near, apart[256]; // near: at most 4 apart; apart[n]: n apart
};

static inline void registers_add(struct registers_figures *f, uint32_t estimated, uint32_t actual)
{
    uint32_t apart = estimated > actual ? estimated - actual : actual - estimated;
    ++f->count;
    f->near += apart <= 4;
    ++f->apart[apart < 255 ? apart : 255];
}

// Returns the difference that `permille` of the kernels do not exceed.
static inline uint32_t registers_quantile(const struct registers_figures *f, uint32_t permille)
{
    uint64_t seen = 0;
    for (uint32_t n = 0; n < 256; ++n)
        if ((seen += f->apart[n]) * 1000 >= (uint64_t)f->count * permille) return n;
    return 0;
}

#endif
