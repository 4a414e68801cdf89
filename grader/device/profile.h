// Devices that sim can be: limits, sizes, latencies and rates, one data file each in device/profiles/.
//
// A profile is rows of VALUE(field, value, source): what, how much, and who says so. The fields, with units and
// meanings, are the rows of field.def. A new device is a new file and a line in profiles/all.def.
#ifndef DEVICE_PROFILE_H
#define DEVICE_PROFILE_H

#include <stddef.h>
#include <stdint.h>

enum { DEVICE_CARVEOUTS = 12 };

struct device_profile {
    const char *name;  // "h200": what --device takes
    const char *title; // "NVIDIA H200"
#define FIELD(name, unit, meaning) int64_t name;
#include "device/field.def"
#undef FIELD
    uint16_t carveout_kb[DEVICE_CARVEOUTS]; // sizes shared memory can have, ascending; 0 in the first is a size too
    uint32_t carveouts;
};

// The profile of that name, or NULL. NULL as name: the default, "h200".
const struct device_profile *device_find(const char *name);
// The i-th profile, or NULL behind the last.
const struct device_profile *device_at(size_t i);

// Fields as facts: for docs, --json and tests that every value has a source.
struct device_field {
    const char *name, *unit, *meaning;
    size_t offset; // of the int64_t in struct device_profile
};
extern const struct device_field device_field[];
extern const size_t device_fields;
// Where the profile's value of a field comes from; NULL when the profile does not give it (then it is 0).
const char *device_source(const struct device_profile *, const char *field);

// Bytes of L1 that are left when `blocks` blocks of `shared` bytes each (reserved part not included) are resident:
// the smallest carve-out that holds them is taken. 0 where the L1 does not hold global memory.
int64_t device_l1_bytes(const struct device_profile *, int64_t shared, int64_t blocks);

#endif
