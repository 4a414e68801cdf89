// Reads the attributes of a submission's kernels, such as their registers. The submission is compiled and loaded as for
// grading, but no kernel is run.
#include "judge/kernel/attributes.h"

#include <string.h>

#include "base/die.h"
#include "base/text.h"
#include "judge/job/judge_image.h"

static struct kernel_attributes attributes_of(const struct judge_image *m, int kernel)
{
    const struct lab_shape *s = &m->shape[kernel];
    struct kernel_attributes f = {
        .name = m->job->lab->kernel[kernel],
        .threads = (uint32_t)(s->block[0] * (s->block[1] ? s->block[1] : 1) * (s->block[2] ? s->block[2] : 1))};
    for (uint32_t i = 0; i < m->loaded.nkernels; ++i) {
        if (strcmp(m->loaded.kernel[i].name, f.name) != 0) continue;
        f.registers = m->loaded.kernel[i].registers;
        f.shared = m->loaded.kernel[i].shared_bytes + (uint32_t)s->shared;
    }
    return f;
}

int kernel_attributes(const struct judge_job *job, struct kernel_attributes attributes[LAB_KERNELS], struct text *why)
{
    struct compile_result compiled;
    struct judge_image image;
    int count = -1;
    compile_source(job->compiler, job->source, job->bytes, job->shown, job->kit, 1u << IMAGE_OPTIMISED, &compiled);
    if (compiled.status == COMPILE_FAILED) die("%s", compiled.messages.data);
    if (compiled.status != COMPILED) {
        text_add(why, compiled.messages.data, compiled.messages.length);
    } else {
        if (judge_image_start(&image, job, IMAGE_OPTIMISED, &compiled.image[IMAGE_OPTIMISED]))
            text_printf(why, "%s\n", image.sentence);
        else
            for (count = 0; count < LAB_KERNELS && job->lab->kernel[count]; ++count)
                attributes[count] = attributes_of(&image, count);
        judge_image_stop(&image);
    }
    compile_result_free(&compiled);
    return count;
}
