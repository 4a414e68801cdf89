// Defines the device profiles of profile.h. The preprocessor includes the data files in device/profiles/ twice: once to
// define the profiles, and once to define a table of the values' sources.
#include "device/profile.h"

#include <string.h>

#define COUNT_OF(...) (sizeof((uint16_t[]){__VA_ARGS__}) / sizeof(uint16_t))

static const struct device_profile profiles[] = {
#define PROFILE_BEGIN {
#define PROFILE_END                                                                                                    \
    }                                                                                                                  \
    ,
#define TITLE(id, text) .name = id, .title = text,
#define VALUE(field, value, source) .field = value,
#define CARVEOUTS(...) .carveout_kb = {__VA_ARGS__}, .carveouts = COUNT_OF(__VA_ARGS__),
#include "device/profiles/all.def"
#undef PROFILE_BEGIN
#undef PROFILE_END
#undef TITLE
#undef VALUE
#undef CARVEOUTS
};
enum { PROFILES = sizeof profiles / sizeof profiles[0] };

struct source {
    const char *field, *text;
};
enum { SOURCES = 96 };
static const struct source sources[PROFILES][SOURCES] = {
#define PROFILE_BEGIN {
#define PROFILE_END                                                                                                    \
    }                                                                                                                  \
    ,
#define TITLE(id, text)
#define VALUE(field, value, source) {#field, source},
#define CARVEOUTS(...)
#include "device/profiles/all.def"
};

const struct device_profile_field device_profile_field[] = {
#define FIELD(name, unit, meaning) {#name, unit, meaning, offsetof(struct device_profile, name)},
#include "device/field.def"
#undef FIELD
};
const size_t device_profile_fields = sizeof device_profile_field / sizeof device_profile_field[0];

const struct device_profile *device_profile_find(const char *name)
{
    if (!name) return &profiles[0];
    for (size_t i = 0; i < PROFILES; i++) {
        if (strcmp(profiles[i].name, name) == 0) return &profiles[i];
    }
    return NULL;
}

const struct device_profile *device_profile_at(size_t i)
{
    return i < PROFILES ? &profiles[i] : NULL;
}

const char *device_profile_source(const struct device_profile *p, const char *field)
{
    const struct source *of = sources[p - profiles];
    for (size_t i = 0; i < SOURCES && of[i].field; i++) {
        if (strcmp(of[i].field, field) == 0) return of[i].text;
    }
    return NULL;
}

int64_t device_profile_l1_bytes(const struct device_profile *p, int64_t shared, int64_t blocks)
{
    if (p->l1_local_only) return 0;
    int64_t need = shared ? (shared + p->shared_reserved) * blocks : 0;
    for (uint32_t i = 0; i < p->carveouts; i++) {
        int64_t size = (int64_t)p->carveout_kb[i] * 1024;
        if (size >= need) return p->unified_bytes - size;
    }
    return p->unified_bytes - p->shared_per_sm;
}
