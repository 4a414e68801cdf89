// Computes the effective rates of memory traffic and arithmetic; see report.h. The limit of memory traffic is the
// memory bandwidth of the simulated device, or the bandwidth that the GPU's driver reports. The limit of arithmetic is
// known only if device_profile_find() knows the device.
#include "device/profile.h"
#include "device/roofline.h"
#include "report/report.h"

struct report_rate report_rate(const struct verdict *v)
{
    const struct verdict_speed *s = &v->speed;
    const struct wire_device *d = s->model ? &v->device : &s->card.card;
    const struct device_profile *profile = device_profile_find(d->name);
    struct report_rate r = {.gbs_limit = (double)d->dram_mbs / 1000,
                            .gflops_limit = profile ? roofline_peak(profile) : 0};
    if (!s->time_ps) return r;
    r.gbs = (double)s->useful_bytes * 1000 / (double)s->time_ps;
    r.gflops = (double)s->student.flop * 1000 / (double)s->time_ps;
    r.arithmetic =
        s->useful_bytes && profile && (double)s->student.flop / (double)s->useful_bytes > roofline_ridge(profile);
    return r;
}
