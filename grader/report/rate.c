// Computes effective rates; see report.h. If the card has a device profile, the rates are compared with the profile.
// Otherwise the rates are compared only with the memory bandwidth that the driver reports.
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
