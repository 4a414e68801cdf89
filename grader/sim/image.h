// Holds a PTX module together with those of its kernels that were translated to the simulator's ops. A kernel of the
// module is lowered (translated to the simulator's ops) when sim_image_program() is first called for the kernel.
#ifndef SIM_IMAGE_H
#define SIM_IMAGE_H

#include "sim/core/plan.h"
#include "sim/core/program.h"

struct ptx_module;

struct sim_image;

// Adds the module's variables to the simulated device memory (struct sim_memory) and takes ownership of the module. If
// the module's variables do not fit into the simulated device memory, frees the module, writes an error message to
// `message`, and returns NULL. The struct sim_memory must outlive the image. The caller may free the struct sim_memory
// just before sim_image_free(), because sim_image_free() does not access it.
struct sim_image *sim_image_new(struct ptx_module *, struct sim_memory *, const struct sim_handlers *,
                                char message[OBSERVATION_MESSAGE]);
// Frees the image together with its lowered kernels and its module. Does nothing for NULL.
void sim_image_free(struct sim_image *);
// Returns the image's module, which the image continues to own.
const struct ptx_module *sim_image_module(const struct sim_image *);
// Returns the index in module->func of the kernel `name`, or -1 if the module has no such kernel. The buffer `name` has
// `capacity` bytes. If the buffer `name` contains no null byte, the function returns -1.
int sim_image_kernel(const struct sim_image *, const char *name, size_t capacity);
// Returns the lowered kernel number `func` of the module. If an instruction of the kernel is not supported, returns
// NULL and writes "line:column: text" to `message`.
const struct sim_program *sim_image_program(struct sim_image *, uint32_t func, char message[OBSERVATION_MESSAGE]);
// Returns 1 if the last kernel that could not be lowered calls a function that no module defines.
int sim_image_undefined(const struct sim_image *);

#endif
