// Finds accesses of host code to the memory of copies in flight, by protecting the pages of that memory.
//
// While a copy is in flight, the host must not access the copy's destination in host memory, and must not write a
// source in host memory. So libcudart protects the pages of a copy in flight (PROT_NONE or PROT_READ) until the program
// has waited for the copy. When the program has waited for a copy, the runner process returns the copy's number
// (ticket), and libcudart removes the copy's page protection. An access to a protected page raises SIGSEGV in the
// accessing thread, outside of any API call. The signal handler for SIGSEGV checks whether a copy in flight uses the
// exact byte that was accessed. If the copy in flight uses the accessed byte, the signal handler reports the access to
// the runner process, with the position of the instruction. The signal handler reports nothing if the accessed byte
// only shares a page with memory of the copy in flight. Whether or not it reports the access, the signal handler makes
// the page accessible, and the accessing instruction runs again. Because the signal handler makes the page accessible,
// it sees only the first access to a page, which is enough to find a defect.
//
// At the ends of registered memory, pages may also contain other host data, and such pages are not protected. A system
// call that accesses protected memory fails with EFAULT and raises no signal. The library libcudart does not notice
// accesses to protected memory by system calls; only the caller of the system call sees the error.
//
// An access of host code to device memory also raises SIGSEGV, because device memory is not mapped in the program's
// process. libcudart reports this access, too. After libcudart has reported an access of host code to device memory,
// the SIGSEGV ends the program as for any other unmapped memory.
#define _GNU_SOURCE
#include "host/runtime/early_access.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/alloc.h"
#include "host/runtime/call.h"
#include "host/runtime/context.h"
#include "host/runtime/memory.h"
#include "host/runtime/turn.h"

struct watch {
    uint64_t ticket, address, pitch, width, height;
    uint64_t first, last; // first: address of the first page; last: address of the page after the last page
    int target;
    int reported; // 1: the defect of this watch was reported
};
static struct watch *watches;
static size_t count, room;
static int watching;
static struct sigaction before;

static uint64_t page_size(void)
{
    static uint64_t size;
    if (!size) size = (uint64_t)sysconf(_SC_PAGESIZE);
    return size;
}

// Returns the protection (PROT_...) that `page` needs so that the signal handler notices host accesses that conflict
// with a copy in flight.
static int protection(uint64_t page)
{
    int prot = PROT_READ | PROT_WRITE;
    for (size_t i = 0; i < count; ++i)
        if (page >= watches[i].first && page < watches[i].last) prot = watches[i].target ? PROT_NONE : prot & PROT_READ;
    return prot;
}

// Sets the pages from `first` to `last` (not included) to the protection that protection() returns for each page. One
// call of mprotect() sets all consecutive pages of equal protection.
static void protect(uint64_t first, uint64_t last)
{
    for (uint64_t page = first; page < last;) {
        int prot = protection(page);
        uint64_t end = page + page_size();
        while (end < last && protection(end) == prot) end += page_size();
        mprotect((void *)(uintptr_t)page, end - page, prot);
        page = end;
    }
}

void cudart_early_watch(uint64_t ticket, uint64_t address, uint64_t pitch, uint64_t width, uint64_t height, int target)
{
    const struct cudart_memory *memory = cudart_memory_find(address);
    if (!watching || !memory || !ticket || !width || !height) return;
    struct watch w = {.ticket = ticket,
                      .address = address,
                      .pitch = height > 1 ? pitch : width,
                      .width = width,
                      .height = height,
                      .target = target};
    uint64_t page = page_size(), end = address + (height - 1) * w.pitch + width;
    if (memory->kind == HOST_MEMORY_PINNED) {
        w.first = address / page * page;
        w.last = (end + page - 1) / page * page;
    } else if (memory->kind == HOST_MEMORY_REGISTERED) {
        w.first = (address + page - 1) / page * page;
        w.last = end / page * page;
    }
    if (w.first >= w.last) return;
    ALLOC_GROW(watches, room, count + 1);
    watches[count++] = w;
    protect(w.first, w.last);
}

static void drop(size_t i)
{
    struct watch w = watches[i];
    watches[i] = watches[--count];
    protect(w.first, w.last);
}

void cudart_early_over(const unsigned char *tickets, uint64_t bytes)
{
    for (uint64_t at = 0; at + sizeof(uint64_t) <= bytes; at += sizeof(uint64_t)) {
        uint64_t ticket;
        memcpy(&ticket, tickets + at, sizeof ticket);
        for (size_t i = count; i--;)
            if (watches[i].ticket == ticket) drop(i);
    }
}

void cudart_early_forget(uint64_t address, uint64_t bytes)
{
    for (size_t i = count; i--;)
        if (watches[i].address >= address && watches[i].address < address + bytes) drop(i);
}

// ---------------------------------------------------------------- the signal
static int in_flight(const struct watch *w, uint64_t address)
{
    uint64_t offset = address - w->address;
    return address >= w->address && offset / w->pitch < w->height && offset % w->pitch < w->width;
}

static void tell(const struct watch *w, uint64_t address, int write, const void *instruction)
{
    struct host_command command = {.op = HOST_OP_early_access,
                                   .early_access = {.ticket = w->ticket, .address = address, .write = (uint32_t)write}};
    struct host_reply reply;
    cudart_enter("host code", instruction);
    cudart_send(&command, &reply, NULL);
    cudart_leave_quietly(cudaSuccess);
}

// Makes the page of `address` accessible, and reports the access if a copy in flight uses the byte at `address`.
// Returns 1 if the page was protected because of a copy in flight.
static int open_page(uint64_t address, int write, const void *instruction)
{
    uint64_t page = address / page_size() * page_size();
    int ours = 0;
    for (size_t i = 0; i < count; ++i) {
        struct watch *w = &watches[i];
        if (page < w->first || page >= w->last) continue;
        ours = 1;
        if (w->reported || !in_flight(w, address) || (!w->target && !write)) continue;
        w->reported = 1;
        tell(w, address, write, instruction);
    }
    if (ours) mprotect((void *)(uintptr_t)page, page_size(), PROT_READ | PROT_WRITE);
    return ours;
}

static void say_device_memory(const struct cudart_memory *memory, uint64_t address, int write)
{
    fprintf(stderr, "warpwise: host code %s device memory: %#lx lies in the %lu bytes at %#lx that cudaMalloc gave\n",
            write ? "writes" : "reads", address, memory->bytes, memory->address);
}

static void on_fault(int signal, siginfo_t *info, void *context)
{
    uint64_t address = (uint64_t)(uintptr_t)info->si_addr;
    int write = context_writes(context);
    const void *instruction = context_place(context);
    cudart_turn_hold(1); // the thread must not give up its turn while it holds the lock
    cudart_lock();
    int ours = open_page(address, write, instruction);
    const struct cudart_memory *memory = ours ? NULL : cudart_memory_find(address);
    if (memory && memory->kind == HOST_MEMORY_DEVICE) {
        struct watch none = {0};
        tell(&none, address, write, instruction);
        say_device_memory(memory, address, write);
    }
    cudart_unlock();
    cudart_turn_hold(-1);
    if (ours) return;
    sigaction(signal, &before, NULL); // the instruction runs again and gets the program's own handler
}

void cudart_early_begin(int watch)
{
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER};
    watching = watch;
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &before);
}

void cudart_early_end(void)
{
    while (count) drop(count - 1);
}
