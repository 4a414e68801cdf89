// Reads and checks the variables with which a submission's LAUNCH macros set the launch shapes of kernels.
//
// The macro LAUNCH(kernel, …) of warpwise.h defines a device variable `<kernel>_launch` of eleven 64-bit integers in
// the image. The image (compiled kernels) comes from the student, so each integer of `<kernel>_launch` may have any
// value. The functions of judge_launch.c therefore check every limit of a launch. Each error message states the value
// that was found and the values that are allowed.
#include "judge/job/judge_launch.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/die.h"
#include "base/message.h"

enum {
    THREADS_MOST = 1024, // most threads of a block; CUDA C++ Programming Guide, "Compute Capabilities"
    DEPTH_MOST = 64,     // most threads of a block in z
    GRID_YZ_MOST = 65535,
    BLOCKS_MOST = 1 << 26, // most blocks of a grid; no case has that many elements
    WORDS = sizeof(struct lab_shape) / sizeof(int64_t),
};
_Static_assert(WORDS == 11, "struct lab_shape has the layout of the kit's struct launch");

static int is_within(int64_t value, int64_t most)
{
    return value >= 0 && value <= most;
}

int judge_launch_check(const struct lab_shape *s, const char *kernel, uint32_t shared_most,
                       char sentence[OBSERVATION_MESSAGE])
{
    int64_t y = s->block[1] ? s->block[1] : 1, z = s->block[2] ? s->block[2] : 1;
    if (!s->block[0])
        return message_print(
                   sentence, OBSERVATION_MESSAGE,
                   "LAUNCH(%s, …) gives a block of 0 threads: write .block = {256}, or what the kernel is made for",
                   kernel),
               -1;
    if (!is_within(s->block[0], THREADS_MOST) || !is_within(y, THREADS_MOST) || !is_within(z, DEPTH_MOST) ||
        s->block[0] * y * z > THREADS_MOST)
        return message_print(sentence, OBSERVATION_MESSAGE,
                             "LAUNCH(%s, …) gives a block of %" PRId64 " x %" PRId64 " x %" PRId64
                             " threads: a block has at most %d, and at most %d in z",
                             kernel, s->block[0], y, z, THREADS_MOST, DEPTH_MOST),
               -1;
    for (int axis = 0; axis < 3; ++axis)
        if (!is_within(s->tile[axis], INT32_MAX))
            return message_print(sentence, OBSERVATION_MESSAGE,
                                 "LAUNCH(%s, …) gives a tile of %" PRId64
                                 " elements in %c: a block covers 1 to 2147483647",
                                 kernel, s->tile[axis], 'x' + axis),
                   -1;
    if (!is_within(s->shared, shared_most))
        return message_print(sentence, OBSERVATION_MESSAGE,
                             "LAUNCH(%s, …) asks for %" PRId64 " bytes of shared memory: a block has at most %" PRIu32,
                             kernel, s->shared, shared_most),
               -1;
    if (!is_within(s->per_sm, THREADS_MOST))
        return message_print(sentence, OBSERVATION_MESSAGE,
                             "LAUNCH(%s, …) asks for %" PRId64 " blocks on each multiprocessor: a few fill it", kernel,
                             s->per_sm),
               -1;
    if (!is_within(s->grid[0], INT32_MAX) || !is_within(s->grid[1], GRID_YZ_MOST) ||
        !is_within(s->grid[2], GRID_YZ_MOST))
        return message_print(sentence, OBSERVATION_MESSAGE,
                             "LAUNCH(%s, …) asks for a grid of %" PRId64 " x %" PRId64 " x %" PRId64
                             " blocks: at most 2147483647 x 65535 x 65535",
                             kernel, s->grid[0], s->grid[1] ? s->grid[1] : 1, s->grid[2] ? s->grid[2] : 1),
               -1;
    return 0;
}

static int read_shape(struct judge_runner *r, const char *kernel, struct lab_shape *shape,
                      char sentence[OBSERVATION_MESSAGE])
{
    char name[2 * ENGINE_NAME];
    unsigned char bytes[WIRE_VARIABLE];
    size_t size = 0;
    BUG_ON(snprintf(name, sizeof name, "%s_launch", kernel) >= ENGINE_NAME);
    int answer = wire_symbol(&r->wire, name, bytes, sizeof bytes, &size);
    if (answer)
        return message_print(sentence, OBSERVATION_MESSAGE,
                             "'%s' has no LAUNCH: add LAUNCH(%s, .block = {256}); outside of it", kernel, kernel),
               -1;
    if (size != sizeof *shape)
        return message_print(sentence, OBSERVATION_MESSAGE,
                             "'%s' is not what LAUNCH(%s, …) of warpwise.h makes: it has %zu bytes instead of %zu",
                             name, kernel, size, sizeof *shape),
               -1;
    memcpy(shape, bytes, sizeof *shape);
    return judge_launch_check(shape, kernel, r->device.shared_per_block, sentence);
}

int judge_launch_read(struct judge_runner *r, const struct lab *lab, struct lab_shape shape[LAB_KERNELS],
                      char sentence[OBSERVATION_MESSAGE])
{
    for (int k = 0; k < LAB_KERNELS && lab->kernel[k]; ++k)
        if (read_shape(r, lab->kernel[k], &shape[k], sentence)) return -1;
    return 0;
}

static const struct engine_kernel *find(const struct engine_image *image, const char *name)
{
    for (uint32_t i = 0; i < image->nkernels; ++i)
        if (!strcmp(image->kernel[i].name, name)) return &image->kernel[i];
    return NULL;
}

// Returns the kernel whose mangled C++ name belongs to `name`, or NULL. A mangled name contains the name's length and
// the parameters' types, for example "_Z5scalePKfPfi".
static const struct engine_kernel *find_decorated(const struct engine_image *image, const char *name)
{
    char start[ENGINE_NAME + 16];
    int length = snprintf(start, sizeof start, "_Z%zu%s", strlen(name), name);
    for (uint32_t i = 0; i < image->nkernels; ++i)
        if (!strncmp(image->kernel[i].name, start, (size_t)length)) return &image->kernel[i];
    return NULL;
}

int judge_launch_check_kernels(const struct engine_image *image, const struct lab *lab,
                               char sentence[OBSERVATION_MESSAGE])
{
    for (int k = 0; k < LAB_KERNELS && lab->kernel[k]; ++k) {
        const char *name = lab->kernel[k];
        if (find(image, name)) continue;
        if (find_decorated(image, name))
            return message_print(sentence, OBSERVATION_MESSAGE, "write extern \"C\" before __global__ void %s(…)",
                                 name),
                   -1;
        if (!image->nkernels)
            return message_print(sentence, OBSERVATION_MESSAGE,
                                 "there is no kernel '%s', and no other one: extern \"C\" __global__ void %s(…)", name,
                                 name),
                   -1;
        return message_print(sentence, OBSERVATION_MESSAGE, "there is no kernel '%s': the file has '%s'%s", name,
                             image->kernel[0].name, image->nkernels > 1 ? _(" and others") : ""),
               -1;
    }
    return 0;
}

static int check_launch(const struct engine_image *image, const struct engine_launch *l,
                        char sentence[OBSERVATION_MESSAGE])
{
    const struct engine_kernel *k = find(image, l->kernel);
    if (!k) return message_print(sentence, OBSERVATION_MESSAGE, "there is no kernel '%s'", l->kernel), -1;
    if (k->params != l->nargs)
        return message_print(sentence, OBSERVATION_MESSAGE,
                             "'%s' has %" PRIu32 " parameters, and the lab gives it %" PRIu32
                             ": leave its head as it was",
                             l->kernel, k->params, l->nargs),
               -1;
    for (uint32_t i = 0; i < l->nargs; ++i)
        if (k->param_bytes[i] != l->arg[i].bytes)
            return message_print(sentence, OBSERVATION_MESSAGE,
                                 "parameter %" PRIu32 " of '%s' has %" PRIu32 " bytes, and the lab gives it %" PRIu32
                                 ": leave its head as it was",
                                 i + 1, l->kernel, k->param_bytes[i], l->arg[i].bytes),
                   -1;
    uint64_t blocks = (uint64_t)l->grid[0] * l->grid[1];
    if (l->grid[0] > INT32_MAX || l->grid[1] > GRID_YZ_MOST || l->grid[2] > GRID_YZ_MOST ||
        __builtin_mul_overflow(blocks, l->grid[2], &blocks) || blocks > BLOCKS_MOST)
        return message_print(sentence, OBSERVATION_MESSAGE,
                             "'%s' would be launched with a grid of %" PRIu32 " x %" PRIu32 " x %" PRIu32
                             " blocks, which is too large: check .tile and .grid of its LAUNCH",
                             l->kernel, l->grid[0], l->grid[1], l->grid[2]),
               -1;
    return 0;
}

int judge_launch_check_plan(const struct engine_image *image, const struct lab_plan *p,
                            char sentence[OBSERVATION_MESSAGE])
{
    if (p->rejected[0]) return message_print(sentence, OBSERVATION_MESSAGE, "%s", p->rejected), -1;
    for (uint32_t i = 0; i < p->nsteps; ++i)
        if (check_launch(image, &p->step[i].launch, sentence)) return -1;
    return 0;
}
