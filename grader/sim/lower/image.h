// A module in the simulator's memory, whose kernels are lowered to ops at their first launch.
#ifndef SIM_LOWER_IMAGE_H
#define SIM_LOWER_IMAGE_H

#include "ptx/ptx.h"
#include "sim/core/plan.h"
#include "sim/core/program.h"

struct sim_image;

// Adds the module's variables to the memory and takes ownership of the module. Returns NULL with a sentence in
// `message` if the variables do not fit; the module is then freed. The memory must outlive the image, but may be freed
// just before sim_image_free, which does not access it.
struct sim_image *sim_image_new(struct ptx_module *, struct sim_memory *, const struct sim_handlers *,
                                char message[OBSERVATION_MESSAGE]);
// Frees the image with its programs and its module. Does nothing for NULL.
void sim_image_free(struct sim_image *);
// Returns the module, which belongs to the image.
const struct ptx_module *sim_image_module(const struct sim_image *);
// Returns the kernel of that name, shorter than `capacity` bytes, as an index of module->func, or -1.
int sim_image_kernel(const struct sim_image *, const char *name, size_t capacity);
// Returns that kernel, lowered. Returns NULL if an instruction is not supported, with "line:column: text" in `message`.
const struct sim_program *sim_image_program(struct sim_image *, uint32_t func, char message[OBSERVATION_MESSAGE]);
// Returns 1 if the last failure was a call of a function that no module defines.
int sim_image_undefined(const struct sim_image *);

#endif
