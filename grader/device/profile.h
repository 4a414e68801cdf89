// Defines device profiles. A device profile has the limits, sizes, latencies and rates of a GPU that the simulator can
// simulate. Each device profile is a data file in device/profiles/.
//
// The data file of a device profile is a list of entries VALUE(field, value, source). The file field.def lists the
// fields of a device profile with their units and meanings. To add a device profile, add a data file in
// device/profiles/ and a line in profiles/all.def.
#ifndef DEVICE_PROFILE_H
#define DEVICE_PROFILE_H

#include <stddef.h>
#include <stdint.h>

enum { DEVICE_CARVEOUTS = 12 };

struct device_profile {
    const char *name;  // value of the command-line option --device, such as "h200"
    const char *title; // name for reports, such as "NVIDIA H200"
#define FIELD(name, unit, meaning) int64_t name;
#include "device/field.def"
#undef FIELD
    uint16_t carveout_kb[DEVICE_CARVEOUTS]; // possible sizes of shared memory per multiprocessor in KiB, ascending; 0
                                            // is a valid size
    uint32_t carveouts;
};

// Returns the device profile with the name `name`, or NULL if no profile has that name. NULL as the name stands for the
// default device, "h200".
const struct device_profile *device_profile_find(const char *name);
// Returns the device profile with index i, counted from 0, or NULL if there are at most i profiles.
const struct device_profile *device_profile_at(size_t i);

// Describes one field of struct device_profile, for JSON reports and for tests.
struct device_profile_field {
    const char *name, *unit, *meaning;
    size_t offset; // offset of the field in struct device_profile, in bytes; the field is an int64_t
};
extern const struct device_profile_field device_profile_field[];
extern const size_t device_profile_fields;
// Returns the text that names the source of a field's value in a device profile. Returns NULL if the profile's data
// file has no VALUE entry for the field; the field's value is then 0.
const char *device_profile_source(const struct device_profile *, const char *field);

// Returns the bytes of a multiprocessor's L1 cache that remain when `blocks` blocks are resident on it. Each block uses
// `shared` bytes of shared memory, not counting the memory that the CUDA system reserves. The driver chooses the
// smallest shared-memory size (carve-out) that holds the resident blocks. Returns 0 for devices whose L1 does not cache
// global memory.
int64_t device_profile_l1_bytes(const struct device_profile *, int64_t shared, int64_t blocks);

#endif
