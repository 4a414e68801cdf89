// Reads what a signal handler is told of the interrupted instruction. Each processor has a form of its own.
// The file that includes this header defines _GNU_SOURCE.
#ifndef HOST_RUNTIME_CONTEXT_H
#define HOST_RUNTIME_CONTEXT_H

#include <stdint.h>
#include <ucontext.h>

// Returns the interrupted instruction as a place, which is a return address: one byte further. NULL: unknown.
static inline const void *context_place(const void *context)
{
    const ucontext_t *c = context;
#if defined(__x86_64__)
    return (const void *)(uintptr_t)(c->uc_mcontext.gregs[REG_RIP] + 1);
#elif defined(__aarch64__)
    return (const void *)(uintptr_t)(c->uc_mcontext.pc + 1);
#else
    (void)c;
    return NULL;
#endif
}

// Returns 1 if the instruction that has raised SIGSEGV writes, and 0 if it reads or if that is unknown.
static inline int context_writes(const void *context)
{
    const ucontext_t *c = context;
#if defined(__x86_64__)
    return (c->uc_mcontext.gregs[REG_ERR] & 2) != 0;
#elif defined(__aarch64__)
    // The kernel appends records to the context (Linux, uapi/asm/sigcontext.h). That of the syndrome register tells a
    // write by bit 6, WnR (Arm Architecture Reference Manual, ESR_EL1, ISS encoding for a Data Abort).
    const uint8_t *at = (const uint8_t *)c->uc_mcontext.__reserved;
    const uint8_t *end = at + sizeof c->uc_mcontext.__reserved;
    while (at + sizeof(struct esr_context) <= end) {
        const struct esr_context *record = (const void *)at;
        if (record->head.magic == ESR_MAGIC) return record->esr >> 6 & 1;
        if (!record->head.magic || !record->head.size) break;
        at += record->head.size;
    }
    return 0;
#else
    (void)c;
    return 0;
#endif
}

#endif
