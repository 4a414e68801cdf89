// See roofline.h.
#include "device/roofline.h"

double roofline_peak(const struct device_profile *p)
{
    return (double)p->sms * (double)p->lanes_fp32 * 2 * (double)p->clock_khz / 1e6;
}

double roofline_bound(const struct device_profile *p, double flop)
{
    double memory = (double)p->dram_read_gbs * flop, units = roofline_peak(p);
    return memory < units ? memory : units;
}

double roofline_ridge(const struct device_profile *p)
{
    return roofline_peak(p) / (double)p->dram_read_gbs;
}
