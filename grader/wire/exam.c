// See exam.h. Only the grader's part of a sheet is read here; a program's addresses and sizes may be anything.
#include "wire/exam.h"

#include <string.h>

#include "wire/host.h"

int exam_is_sound(const struct exam *e, uint64_t bytes)
{
    return bytes >= sizeof *e && e->magic == EXAM_MAGIC && e->version == EXAM_VERSION && e->nbuffers <= EXAM_BUFFERS &&
           e->total <= bytes;
}

int exam_is_output(const struct exam *e, uint32_t buffer)
{
    return e->buffer[buffer].origin != 0;
}

void exam_facts(const struct exam *e, struct host_exam_facts *facts)
{
    *facts = (struct host_exam_facts){.nbuffers = e->nbuffers};
    memcpy(facts->dim, e->dim, sizeof facts->dim);
    for (uint32_t b = 0; b < e->nbuffers; ++b) {
        facts->bytes[b] = e->buffer[b].bytes;
        facts->outputs |= (uint32_t)exam_is_output(e, b) << b;
    }
}

int exam_find(const struct exam *e, const uint64_t address[EXAM_BUFFERS], int output, uint64_t from, uint64_t bytes,
              uint64_t *offset)
{
    for (uint32_t b = 0; b < e->nbuffers; ++b) {
        uint64_t at = from - address[b], all = e->buffer[b].bytes;
        if (exam_is_output(e, b) != output || from < address[b] || at > all || bytes > all - at) continue;
        if (offset) *offset = at;
        return (int)b;
    }
    return -1;
}
