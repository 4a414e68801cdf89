// Implements the program's side of a host test (host/border/host_io.h). The lab's main() calls the functions
// warpwise_... of this file before and after the student's functions. The grader does not trust the program's process,
// so the runner, a separate process, decides which outputs count.
#include "kit/runtime/warpwise_host.h"

#include <string.h>

#include "host/runtime/call.h"

API warpwise_exam_function warpwise_exam;
API warpwise_begin_function warpwise_begin;
API warpwise_end_function warpwise_end;
API warpwise_host_works_function warpwise_host_works;

static struct host_test_facts facts;
static void *memory_of[HOST_IO_BUFFERS];

static int is_output(unsigned buffer)
{
    return (int)(facts.outputs >> buffer & 1);
}

// Moves an input or output buffer between the program's memory and the runner process (which simulates the devices), in
// pieces that fit into the channel's data area. If `give` is 1, moves the buffer's bytes to the runner process, else to
// the program's memory.
static cudaError_t move(unsigned buffer, int give)
{
    cudaError_t error;
    uint64_t done = 0;
    do {
        uint64_t left = facts.bytes[buffer] - done, bytes = left < HOST_DATA ? left : HOST_DATA;
        char *at = (char *)memory_of[buffer] + done;
        struct host_command command = {.op = give ? HOST_OP_test_give : HOST_OP_test_take};
        command.test_take = (struct host_test_take){
            .buffer = buffer, .offset = done, .bytes = bytes}; // struct host_test_give has the same fields
        if (give && bytes) memcpy(cudart_data(), at, bytes);
        error = cudart_ask(&command);
        if (!error && !give && bytes) memcpy(at, cudart_data(), bytes);
        done += bytes;
    } while (!error && done < facts.bytes[buffer]);
    return error;
}

static cudaError_t ask_facts(unsigned dim[4])
{
    cudaError_t error = cudart_ask(&(struct host_command){.op = HOST_OP_test});
    if (error) cudart_stop("this program belongs to a lab; run it with ./grade");
    memcpy(&facts, cudart_data(), sizeof facts);
    for (int i = 0; i < HOST_IO_DIMS; ++i) dim[i] = facts.dim[i];
    return error;
}

API int warpwise_exam(unsigned dim[4])
{
    CALL_QUIETLY(ask_facts(dim));
    return !facts.over;
}

static cudaError_t begin(void *const buffer[])
{
    struct host_command command = {.op = HOST_OP_test_begin};
    for (unsigned b = 0; b < facts.nbuffers; ++b) {
        memory_of[b] = buffer[b];
        command.test_begin.address[b] = (uint64_t)(uintptr_t)buffer[b];
    }
    cudaError_t error = cudart_ask(&command);
    for (unsigned b = 0; b < facts.nbuffers && !error; ++b)
        if (!is_output(b) && !facts.moves) error = move(b, 0);
    return error;
}

API int warpwise_begin(void *const buffer[])
{
    return CALL(begin(buffer)) != cudaSuccess;
}

static cudaError_t give_outputs(void)
{
    cudaError_t error = cudaSuccess;
    for (unsigned b = 0; b < facts.nbuffers && !error; ++b)
        if (is_output(b) && !facts.moves) error = move(b, 1);
    return error;
}

// Ends the timed part of the program. The first use of the macro CALL in warpwise_end() sends the command `test_end` to
// the runner. This CALL also fetches the numbers of copies that have ended, and removes the page protection of these
// copies' host memory (early_access.c). The second use of the macro CALL in warpwise_end() reads the outputs, which are
// no longer protected, and sends the outputs to the runner.
API int warpwise_end(void)
{
    if (CALL(cudart_ask(&(struct host_command){.op = HOST_OP_test_end}))) return 1;
    return CALL(give_outputs()) != cudaSuccess;
}

API void warpwise_host_works(const void *output, unsigned long bytes)
{
    struct host_command command = {.op = HOST_OP_test_work,
                                   .test_work = {.address = (uint64_t)(uintptr_t)output, .bytes = bytes}};
    CALL(cudart_ask(&command));
}
