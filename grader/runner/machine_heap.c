// Implements malloc and free of device code.
//
// If the PTX of a module uses malloc or free, the runner links the module with the PTX heap_text, which defines malloc
// and free. Because malloc and free are PTX, the simulator's rules for the order of memory accesses apply to them too.
// Each heap block has a header of 16 bytes, followed by the user's bytes, whose number is a power of two of at least
// 16. The free heap blocks of one size form a list, which is a stack changed by compare-and-swap. The pointer to the
// top of a list of free heap blocks has a count in its upper 16 bits. The count in the pointer to a list's top prevents
// the ABA problem of compare-and-swap (Treiber, "Systems Programming, Coping with Parallelism", IBM RJ 5118, 1986). If
// no free block of a size is in the list, malloc takes a new block from the unused end of the heap. The header of a
// heap block holds a pointer to the next free block, and the block's size.
//
// The heap of malloc is in device memory. The heap's size is the value of cudaLimitMallocHeapSize when a kernel that
// may allocate is first launched. After the first launch of a kernel that may allocate, the heap's size stays fixed
// (CUDA C++ Programming Guide, "Dynamic Global Memory Allocation").
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "runner/machine.h"
#include "sim/machine/memory.h"

#define MALLOC_NAME "malloc"
#define FREE_NAME "free"
#define STATE_NAME "warpwise_heap"

enum { STATE_BASE, STATE_BYTES, STATE_WORDS };

// The variable warpwise_heap holds the heap's base, the heap's size, the bytes taken, an unused word, and the lists of
// free blocks, in this order. For each power of two, warpwise_heap has one list of free blocks of that size.
static const char heap_text[] =
    ".version 7.5\n.target sm_80\n.address_size 64\n"
    ".visible .global .align 16 .b8 " STATE_NAME "[544];\n"
    ".visible .func (.param .b64 result) " MALLOC_NAME "(.param .b64 wanted)\n{\n"
    ".reg .pred %p;\n.reg .b32 %power, %zeros;\n"
    ".reg .b64 %n, %state, %list, %head, %block, %next, %new, %old, %size, %end;\n"
    "ld.param.u64 %n, [wanted];\n"
    "mov.u64 %state, " STATE_NAME ";\n"
    "max.u64 %n, %n, 16;\n"
    "sub.u64 %old, %n, 1;\n"
    "clz.b64 %zeros, %old;\n"
    "sub.u32 %power, 64, %zeros;\n"
    "mov.u64 %block, 0;\n"
    "setp.gt.u32 %p, %power, 40;\n"
    "@%p bra DONE;\n"
    "mad.wide.u32 %list, %power, 8, %state;\n"
    "POP:\n"
    "ld.relaxed.gpu.global.u64 %head, [%list+32];\n"
    "and.b64 %block, %head, 0xffffffffffff;\n"
    "setp.eq.u64 %p, %block, 0;\n"
    "@%p bra TAKE;\n"
    "ld.relaxed.gpu.global.u64 %next, [%block];\n"
    "and.b64 %new, %head, 0xffff000000000000;\n"
    "add.u64 %new, %new, 0x1000000000000;\n"
    "or.b64 %new, %new, %next;\n"
    "atom.acq_rel.gpu.global.cas.b64 %old, [%list+32], %head, %new;\n"
    "setp.ne.u64 %p, %old, %head;\n"
    "@%p bra POP;\n"
    "add.u64 %block, %block, 16;\n"
    "bra DONE;\n"
    "TAKE:\n"
    "mov.u64 %size, 1;\n"
    "shl.b64 %size, %size, %power;\n"
    "add.u64 %size, %size, 16;\n"
    "ld.relaxed.gpu.global.u64 %end, [%state+8];\n"
    "AGAIN:\n"
    "ld.relaxed.gpu.global.u64 %old, [%state+16];\n"
    "add.u64 %new, %old, %size;\n"
    "setp.gt.u64 %p, %new, %end;\n"
    "@%p bra DONE;\n"
    "atom.relaxed.gpu.global.cas.b64 %next, [%state+16], %old, %new;\n"
    "setp.ne.u64 %p, %next, %old;\n"
    "@%p bra AGAIN;\n"
    "ld.relaxed.gpu.global.u64 %block, [%state];\n"
    "add.u64 %block, %block, %old;\n"
    "st.relaxed.gpu.global.u32 [%block+8], %power;\n"
    "add.u64 %block, %block, 16;\n"
    "DONE:\n"
    "st.param.b64 [result], %block;\n"
    "ret;\n}\n"
    ".visible .func " FREE_NAME "(.param .b64 given)\n{\n"
    ".reg .pred %p;\n.reg .b32 %power;\n.reg .b64 %state, %list, %head, %block, %next, %new, %old;\n"
    "ld.param.u64 %block, [given];\n"
    "setp.eq.u64 %p, %block, 0;\n"
    "@%p bra DONE;\n"
    "sub.u64 %block, %block, 16;\n"
    "mov.u64 %state, " STATE_NAME ";\n"
    "ld.relaxed.gpu.global.u32 %power, [%block+8];\n"
    "mad.wide.u32 %list, %power, 8, %state;\n"
    "PUSH:\n"
    "ld.relaxed.gpu.global.u64 %head, [%list+32];\n"
    "and.b64 %next, %head, 0xffffffffffff;\n"
    "st.relaxed.gpu.global.u64 [%block], %next;\n"
    "and.b64 %new, %head, 0xffff000000000000;\n"
    "add.u64 %new, %new, 0x1000000000000;\n"
    "or.b64 %new, %new, %block;\n"
    "atom.acq_rel.gpu.global.cas.b64 %old, [%list+32], %head, %new;\n"
    "setp.ne.u64 %p, %old, %head;\n"
    "@%p bra PUSH;\n"
    "DONE:\n"
    "ret;\n}\n";

// Returns 1 if the PTX text uses `name` as a function: white space precedes the name, and a parenthesis, a comma or a
// semicolon follows.
static int mentions(const char *text, size_t bytes, const char *name)
{
    size_t length = strlen(name);
    const char *end = text + bytes, *at = text;
    while ((at = memmem(at, (size_t)(end - at), name, length))) {
        const char *before = at, *behind = at += length;
        while (behind < end && memchr(" \t\n", *behind, 3)) behind++;
        if (before > text && memchr(" \t\n", before[-1], 3) && behind < end && memchr("(,;", *behind, 3)) return 1;
    }
    return 0;
}

const char *machine_heap_ptx(const char *const text[], const size_t bytes[], uint32_t units)
{
    for (uint32_t u = 0; u < units; u++)
        if (mentions(text[u], bytes[u], MALLOC_NAME) || mentions(text[u], bytes[u], FREE_NAME)) return heap_text;
    return NULL;
}

int machine_heap_open(struct machine *m, const struct ptx_module *module, uint32_t device)
{
    int v = ptx_find_var(module, STATE_NAME);
    if (v < 0 || module->var[v].bytes < STATE_WORDS * sizeof(uint64_t)) return 0;
    machine_cache_flush(m);
    uint64_t address = sim_memory_var_address(m->memory, module, (uint32_t)v);
    int at = machine_find(m, address, STATE_WORDS * sizeof(uint64_t), NULL);
    uint64_t *state = at < 0 ? NULL : (uint64_t *)(void *)m->memory->region[at]->data;
    if (!state || state[STATE_BASE]) return 0;
    uint64_t bytes = m->device[device].limit[HOST_LIMIT_HEAP];
    int region = sim_memory_map(m->memory, bytes, NULL, (int)device, !m->options.checks);
    if (region < 0) return -1;
    state[STATE_BASE] = m->memory->region[region]->base;
    state[STATE_BYTES] = bytes;
    return 0;
}
