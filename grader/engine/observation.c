// Implements observation.h. The sentences that explain refused launches are generated from refusal.def.
#include "engine/observation.h"

#include "base/die.h"
#include "base/message.h"

const char *const observation_resource_name[RESOURCES] = {
    [RESOURCE_LAUNCH] = N_("launch cost"),
    [RESOURCE_ISSUE] = N_("instruction issue"),
    [RESOURCE_FP32] = N_("float arithmetic"),
    [RESOURCE_INT] = N_("integer arithmetic"),
    [RESOURCE_FP64] = N_("double arithmetic"),
    [RESOURCE_SFU] = N_("special functions"),
    [RESOURCE_LSU] = N_("L1 and shared memory wavefronts"),
    [RESOURCE_L2] = N_("L2 bandwidth"),
    [RESOURCE_DRAM] = N_("memory bandwidth"),
    [RESOURCE_ATOMIC] = N_("atomic throughput"),
    [RESOURCE_DISPATCH] = N_("block dispatch"),
    [RESOURCE_LATENCY] = N_("latency (too little in flight)"),
    [RESOURCE_WAITS] = N_("waits (one after the other)"),
};

static const char *const refusal_sentence[REFUSALS] = {
#define REFUSAL(id, sentence) [REFUSAL_##id] = sentence,
#include "engine/refusal.def"
#undef REFUSAL
};

int observation_refuse(struct observation *o, enum refusal_kind kind, uint64_t first, uint64_t second, uint64_t third)
{
    o->refusal = (struct refusal){kind, {first, second, third}};
    observation_say(o);
    return -1;
}

void observation_say(struct observation *o)
{
    const unsigned long long n[REFUSAL_NUMBERS] = {o->refusal.number[0], o->refusal.number[1], o->refusal.number[2]};
    if (o->refusal.kind == REFUSAL_none) return;
    BUG_ON(o->refusal.kind >= REFUSALS);
    message_print(o->message, sizeof o->message, refusal_sentence[o->refusal.kind], n[0], n[1], n[2]);
}
