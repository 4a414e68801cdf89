// Implements the commands about devices: properties from the device profile, limits, and access to the memory of peer
// devices.
#include <stdio.h>
#include <string.h>

#include "host/devices/devices.h"

uint32_t devices_device_set(struct devices_call *c)
{
    (void)c; // devices_obey() has checked that the device exists
    return HOST_SUCCESS;
}

uint32_t devices_device_facts(struct devices_call *c)
{
    const struct device_profile *p = c->m->profile;
    struct host_device d = {
        .memory_bytes = (uint64_t)p->memory_bytes,
        .l2_bytes = (uint64_t)p->l2_bytes,
        .constant_bytes = 64 << 10,
        .persisting_l2_bytes = (uint64_t)p->l2_bytes / 16 * 10,
        .compute_capability = (uint32_t)p->compute_capability,
        .sms = (uint32_t)p->sms,
        .warps_per_sm = (uint32_t)p->warps_per_sm,
        .blocks_per_sm = (uint32_t)p->blocks_per_sm,
        .threads_per_block = (uint32_t)p->threads_per_block,
        .registers_per_sm = (uint32_t)p->registers_per_sm,
        .registers_per_block = (uint32_t)p->registers_per_sm,
        .shared_per_sm = (uint32_t)p->shared_per_sm,
        .shared_per_block = (uint32_t)p->shared_per_block,
        .shared_static = (uint32_t)p->shared_static,
        .shared_reserved = (uint32_t)p->shared_reserved,
        .clock_khz = (uint32_t)p->clock_khz,
        .memory_clock_khz = (uint32_t)p->memory_clock_khz,
        .bus_bits = (uint32_t)p->memory_bus_bits,
        .copy_engines = (uint32_t)p->copy_engines,
        .single_to_double = (uint32_t)(p->lanes_fp64 ? p->lanes_fp32 / p->lanes_fp64 : 0),
        .priority_greatest = -5,
        .pci_bus = 1 + c->command->device,
    };
    snprintf(d.name, sizeof d.name, "%s", p->title);
    snprintf((char *)d.uuid, sizeof d.uuid, "warpwise%u", c->command->device);
    memcpy(c->data, &d, sizeof d);
    c->reply->bytes = sizeof d;
    return HOST_SUCCESS;
}

uint32_t devices_limit(struct devices_call *c)
{
    const struct host_limit *q = &c->command->limit;
    if (q->kind >= HOST_LIMITS || q->set > 1 || q->value > (uint64_t)c->m->profile->memory_bytes)
        return HOST_INVALID_VALUE;
    uint64_t *limit = &devices_device_of(c)->limit[q->kind];
    if (q->set) *limit = q->value;
    c->reply->bytes = *limit;
    return HOST_SUCCESS;
}

uint32_t devices_peer(struct devices_call *c)
{
    const struct host_peer *q = &c->command->peer;
    if (q->peer >= c->m->options.devices) return HOST_INVALID_DEVICE;
    uint32_t *peers = &devices_device_of(c)->peers, bit = 1u << q->peer;
    int itself = q->peer == c->command->device;
    switch (q->action) {
    case HOST_PEER_CAN:
        c->reply->bytes = !itself;
        return HOST_SUCCESS;
    case HOST_PEER_ENABLE:
        if (itself) return HOST_INVALID_DEVICE;
        if (*peers & bit) return HOST_PEER_ALREADY_ENABLED;
        *peers |= bit;
        return HOST_SUCCESS;
    case HOST_PEER_DISABLE:
        if (!(*peers & bit)) return HOST_PEER_NOT_ENABLED;
        *peers &= ~bit;
        return HOST_SUCCESS;
    case HOST_PEER_POOLS:
        devices_device_of(c)->pools |= bit;
        return HOST_SUCCESS;
    case HOST_PEER_NO_POOLS:
        devices_device_of(c)->pools &= ~bit;
        return HOST_SUCCESS;
    default:
        return HOST_INVALID_VALUE;
    }
}
