#include "sim/cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/die.h"

void sector_log_add(struct sector_log *log, uint64_t line, uint32_t sectors, uint32_t kind)
{
    if (log->count == log->capacity) {
        log->capacity = log->capacity ? log->capacity * 2 : 256;
        log->entry = realloc(log->entry, log->capacity * sizeof *log->entry);
        if (!log->entry) die("out of memory (%u sectors)", log->capacity);
    }
    log->entry[log->count++] = (struct sector_entry){.line = line, .sectors = (uint8_t)sectors, .kind = (uint8_t)kind};
}

void sector_log_free(struct sector_log *log)
{
    free(log->entry);
    memset(log, 0, sizeof *log);
}
uint32_t l1_load(struct sim_l1 *l1, struct sim_block *b, uint64_t line, uint32_t sectors, uint32_t cache, uint32_t sem)
{
    (void)l1, (void)cache, (void)sem;
    sector_log_add(&b->sectors, line, sectors, SECTOR_READ);
    return 0;
}
void l1_store(struct sim_l1 *l1, struct sim_block *b, uint64_t line, uint32_t words)
{
    (void)l1;
    sector_log_add(&b->sectors, line, words & 15, SECTOR_WRITE);
}
void l1_atomic(struct sim_l1 *l1, struct sim_block *b, uint64_t line, uint32_t sectors)
{
    (void)l1;
    sector_log_add(&b->sectors, line, sectors, SECTOR_ATOMIC);
}

void l1_free(struct sim_l1 *l1)
{
    free(l1);
}

void l1_begin(struct sim_l1 *l1)
{
    (void)l1;
}
