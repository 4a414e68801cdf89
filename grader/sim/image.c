// Holds a PTX module together with those of its kernels that were translated to the simulator's ops. Each kernel is
// translated to ops when sim_image_program() is first called for the kernel. An unsupported instruction therefore
// affects only the kernels that contain the instruction.
#include "sim/image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/message.h"
#include "ptx/ptx.h"
#include "sim/core/region.h"
#include "sim/lower_kernel.h"
#include "sim/machine/memory.h"
#include "sim/sass/jumps.h"
#include "sim/sass/unroll.h"

struct sim_image {
    struct ptx_module *module;
    struct sim_memory *memory;
    const struct sim_handlers *handlers;
    struct arena arena;           // of the programs
    struct sim_program **program; // [module->nfuncs]
    int undefined;                // 1: the last kernel that was refused calls a function that no module defines
};

struct sim_image *sim_image_new(struct ptx_module *module, struct sim_memory *memory,
                                const struct sim_handlers *handlers, char message[OBSERVATION_MESSAGE])
{
    jumps_tidy(module);
    unroll_loops(module);
    if (sim_memory_add(memory, module)) {
        message_print(message, OBSERVATION_MESSAGE,
                      "the image's variables need more memory than the simulator has for them");
        ptx_free(module);
        return NULL;
    }
    struct sim_image *image = alloc_zeroed(1, sizeof *image);
    *image = (struct sim_image){.module = module, .memory = memory, .handlers = handlers};
    image->program = ARENA_ARRAY(&image->arena, module->nfuncs + 1, struct sim_program *);
    return image;
}

void sim_image_free(struct sim_image *image)
{
    if (!image) return;
    arena_free(&image->arena);
    ptx_free(image->module);
    free(image);
}

const struct ptx_module *sim_image_module(const struct sim_image *image)
{
    return image->module;
}

int sim_image_kernel(const struct sim_image *image, const char *name, size_t capacity)
{
    for (uint32_t f = 0; f < image->module->nfuncs; f++) {
        const struct ptx_func *func = &image->module->func[f];
        if (func->is_entry && func->has_body && strlen(func->name) < capacity && !strncmp(func->name, name, capacity))
            return (int)f;
    }
    return -1;
}

const struct sim_program *sim_image_program(struct sim_image *image, uint32_t func, char message[OBSERVATION_MESSAGE])
{
    if (!image->program[func])
        image->program[func] = lower_kernel(image->module, func, image->memory, image->handlers, &image->arena, message,
                                            &image->undefined);
    return image->program[func];
}

int sim_image_undefined(const struct sim_image *image)
{
    return image->undefined;
}
