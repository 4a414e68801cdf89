// Implements the functions by which runners read the I/O block (the shared memory with the inputs and outputs of a host
// test); see host_io.h. The functions of host_io.c read only fields of the I/O block that the grader wrote. The
// functions of host_io.c accept any addresses and sizes as arguments, because a hostile program may pass any value.
#include "host/border/host_io.h"

#include <string.h>

#include "host/border/host.h"

int host_io_is_sound(const struct host_io *e, uint64_t bytes)
{
    return bytes >= sizeof *e && channel_same_build(&e->build, &HOST_IO_BUILD) && e->nbuffers <= HOST_IO_BUFFERS &&
           e->total <= bytes;
}

int host_io_is_output(const struct host_io *e, uint32_t buffer)
{
    return e->buffer[buffer].origin != 0;
}

void host_io_facts(const struct host_io *e, struct host_test_facts *facts)
{
    *facts = (struct host_test_facts){.nbuffers = e->nbuffers};
    memcpy(facts->dim, e->dim, sizeof facts->dim);
    for (uint32_t b = 0; b < e->nbuffers; ++b) {
        facts->bytes[b] = e->buffer[b].bytes;
        facts->outputs |= (uint32_t)host_io_is_output(e, b) << b;
    }
}

int host_io_find(const struct host_io *e, const uint64_t address[HOST_IO_BUFFERS], int output, uint64_t from,
                 uint64_t bytes, uint64_t *offset)
{
    for (uint32_t b = 0; b < e->nbuffers; ++b) {
        uint64_t at = from - address[b], all = e->buffer[b].bytes;
        if (host_io_is_output(e, b) != output || from < address[b] || at > all || bytes > all - at) continue;
        if (offset) *offset = at;
        return (int)b;
    }
    return -1;
}
