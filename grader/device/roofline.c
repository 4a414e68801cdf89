// See roofline.h.
#include "device/roofline.h"

double device_gflops(const struct device_profile *p)
{
    return (double)p->sms * (double)p->lanes_fp32 * 2 * (double)p->clock_khz / 1e6;
}

double device_roofline(const struct device_profile *p, double flop)
{
    double memory = (double)p->dram_read_gbs * flop, units = device_gflops(p);
    return memory < units ? memory : units;
}

double device_ridge(const struct device_profile *p)
{
    return device_gflops(p) / (double)p->dram_read_gbs;
}
