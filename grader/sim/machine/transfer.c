// Copies array elements between a warp's registers and host memory; transfer.h states the contracts. Each combination
// of an element width and a register width has its own loop over lanes, so that the compiler knows the widths as
// constants.
#include "sim/machine/transfer.h"

#include "sim/core/access.h"
#include "sim/core/vector_level.h"

#define MOVE_LOOP for (uint32_t left = lanes->mask, l; left && (l = (uint32_t)__builtin_ctz(left), 1); left &= left - 1)

#define LOADER(NAME, MEMORY, ROW)                                                                                      \
    static void NAME(const struct access_lanes *lanes, uint32_t offset, void *row)                                     \
    {                                                                                                                  \
        MOVE_LOOP                                                                                                      \
        {                                                                                                              \
            MEMORY value;                                                                                              \
            memcpy(&value, lanes->host[l] + offset, sizeof value);                                                     \
            ROW wide = (ROW)value;                                                                                     \
            memcpy((uint8_t *)row + l * sizeof wide, &wide, sizeof wide);                                              \
        }                                                                                                              \
    }
LOADER(load_u8_32, uint8_t, uint32_t)
LOADER(load_u16_32, uint16_t, uint32_t)
LOADER(load_u32_32, uint32_t, uint32_t)
LOADER(load_u64_32, uint64_t, uint32_t)
LOADER(load_u8_64, uint8_t, uint64_t)
LOADER(load_u16_64, uint16_t, uint64_t)
LOADER(load_u32_64, uint32_t, uint64_t)
LOADER(load_u64_64, uint64_t, uint64_t)
LOADER(load_s8_32, int8_t, int32_t)
LOADER(load_s16_32, int16_t, int32_t)
LOADER(load_s8_64, int8_t, int64_t)
LOADER(load_s16_64, int16_t, int64_t)
LOADER(load_s32_64, int32_t, int64_t)

#define STORER(NAME, MEMORY, ROW)                                                                                      \
    static void NAME(const struct access_lanes *lanes, uint32_t offset, const void *row)                               \
    {                                                                                                                  \
        MOVE_LOOP                                                                                                      \
        {                                                                                                              \
            ROW wide;                                                                                                  \
            memcpy(&wide, (const uint8_t *)row + l * sizeof wide, sizeof wide);                                        \
            MEMORY value = (MEMORY)wide;                                                                               \
            memcpy(lanes->host[l] + offset, &value, sizeof value);                                                     \
        }                                                                                                              \
    }
STORER(store_8_32, uint8_t, uint32_t)
STORER(store_16_32, uint16_t, uint32_t)
STORER(store_32_32, uint32_t, uint32_t)
STORER(store_64_32, uint64_t, uint32_t)
STORER(store_8_64, uint8_t, uint64_t)
STORER(store_16_64, uint16_t, uint64_t)
STORER(store_32_64, uint32_t, uint64_t)
STORER(store_64_64, uint64_t, uint64_t)

typedef void loader(const struct access_lanes *lanes, uint32_t offset, void *row);
typedef void storer(const struct access_lanes *lanes, uint32_t offset, const void *row);

// Returns log2 of `bytes`, which is 1, 2, 4 or 8.
static uint32_t width_index(uint32_t bytes)
{
    return (uint32_t)__builtin_ctz(bytes);
}

void transfer_load(const struct sim_access *a, const struct access_lanes *lanes, void *const row[])
{
    static loader *const table[2][2][4] = {
        {{load_u8_32, load_u16_32, load_u32_32, load_u64_32}, {load_u8_64, load_u16_64, load_u32_64, load_u64_64}},
        {{load_s8_32, load_s16_32, load_u32_32, load_u64_32}, {load_s8_64, load_s16_64, load_s32_64, load_u64_64}}};
    loader *load = table[a->sign != 0][a->row_bytes == 8][width_index(a->bytes)];
    for (uint32_t e = 0; e < a->count; e++) load(lanes, e * a->bytes, row[e]);
}

void transfer_store(const struct sim_access *a, const struct access_lanes *lanes, const void *const row[])
{
    static storer *const table[2][4] = {{store_8_32, store_16_32, store_32_32, store_64_32},
                                        {store_8_64, store_16_64, store_32_64, store_64_64}};
    storer *store = table[a->row_bytes == 8][width_index(a->bytes)];
    for (uint32_t e = 0; e < a->count; e++) store(lanes, e * a->bytes, row[e]);
}

void transfer_zero(const struct sim_access *a, uint32_t mask, void *const row[])
{
    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t l = (uint32_t)__builtin_ctz(left);
        for (uint32_t e = 0; e < a->count; e++) memset((uint8_t *)row[e] + l * a->row_bytes, 0, a->row_bytes);
    }
}
