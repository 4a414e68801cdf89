// Device profiles: limits, sizes, latencies and rates of the devices that the simulator can simulate. Each device is a
// data file in device/profiles/.
//
// A profile is a list of rows VALUE(field, value, source). field.def lists the fields with their units and meanings. To
// add a device, add a file and a line in profiles/all.def.
#ifndef DEVICE_PROFILE_H
#define DEVICE_PROFILE_H

#include <stddef.h>
#include <stdint.h>

enum { DEVICE_CARVEOUTS = 12 };

struct device_profile {
    const char *name;  // "h200": the value of the option --device
    const char *title; // "NVIDIA H200"
#define FIELD(name, unit, meaning) int64_t name;
#include "device/field.def"
#undef FIELD
    uint16_t carveout_kb[DEVICE_CARVEOUTS]; // possible sizes of shared memory in KiB, ascending; 0 is one of them
    uint32_t carveouts;
};

// Returns the profile with this name, or NULL if there is none. The name NULL stands for the default, "h200".
const struct device_profile *device_profile_find(const char *name);
// Returns the profile with index i, or NULL if there are fewer profiles.
const struct device_profile *device_profile_at(size_t i);

// The fields as data, for JSON reports and for tests.
struct device_profile_field {
    const char *name, *unit, *meaning;
    size_t offset; // of the field, an int64_t, in struct device_profile
};
extern const struct device_profile_field device_profile_field[];
extern const size_t device_profile_fields;
// Returns the source of a profile's value, or NULL if the profile has no row for this field, whose value is then 0.
const char *device_profile_source(const struct device_profile *, const char *field);

// Returns the bytes of L1 cache that remain when `blocks` blocks with `shared` bytes of shared memory each are
// resident. `shared` excludes the reserved part. The driver chooses the smallest carve-out that holds them. Returns 0
// for devices whose L1 does not cache global memory.
int64_t device_profile_l1_bytes(const struct device_profile *, int64_t shared, int64_t blocks);

#endif
