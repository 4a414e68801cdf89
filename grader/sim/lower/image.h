// A module in the simulator's memory, its kernels lowered to ops when they are first wanted.
#ifndef SIM_LOWER_IMAGE_H
#define SIM_LOWER_IMAGE_H

#include "ptx/ptx.h"
#include "sim/core/plan.h"
#include "sim/core/program.h"

struct sim_image;

// Takes the module over (NULL with a sentence in message when its variables do not fit the memory; the module is freed
// then). The memory must outlive the image, unless both end together: sim_image_free looks at the module alone.
struct sim_image *sim_image_new(struct ptx_module *, struct sim_memory *, const struct sim_handlers *,
                                char message[OBSERVATION_MESSAGE]);
void sim_image_free(struct sim_image *);
const struct ptx_module *sim_image_module(const struct sim_image *);
// The kernel of that name (of at most `capacity` bytes) as an index of the module's functions, or -1.
int sim_image_kernel(const struct sim_image *, const char *name, size_t capacity);
// That kernel, lowered; NULL with "line:column: text" where an instruction is not supported.
const struct sim_program *sim_image_program(struct sim_image *, uint32_t func, char message[OBSERVATION_MESSAGE]);
// 1: the last NULL was because of a call of a function that nobody defines.
int sim_image_undefined(const struct sim_image *);

#endif
