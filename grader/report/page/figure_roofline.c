// Draws the roofline of a device with the kernels of a program under it, as an SVG picture.
//
// The roofline model is from Williams, Waterman and Patterson: "Roofline: an insightful visual performance model for
// multicore architectures", CACM 52(4), 2009. A kernel that does F operations and moves B bytes of device memory in the
// time T is the point
//     x = F / B (operations per byte),   y = F / T (operations per second),   and always   y <= min(peak, bandwidth x).
// Both axes are logarithmic, so the memory roof, y = bandwidth x, is a straight line, and each peak is a level one. F
// is the counter `flop` (float and double operations of all threads; a multiply-add counts as two), B is dram_ld_bytes
// + dram_st_bytes, and T is the time of all launches of the kernel. Bandwidth and peaks are those of the device's
// profile. A kernel without float or double operations has no point. A kernel that moves no bytes of device memory,
// because the caches hold them, stands at the right edge.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "device/roofline.h"
#include "report/escape.h"
#include "report/page/figure.h"
#include "report/page/figure_frame.h"

enum { LEFT = 84, TOP = 20, PLOT = 540, HEIGHT = 320, FOOT = 44, RIGHT = 24, DECADES = 12 };
enum { LABELS = 24, LETTERS = 26, LETTER = 7, LINE = 12 }; // of labels: width of a letter, height of a line

// The ranges of the axes, in decades, and the boxes of the labels so far.
struct plot {
    int from_x, to_x, from_y, to_y;
    struct label {
        int left, right, y;
    } label[LABELS];
    int labels;
    struct text *out;
};

static const char *const unit[] = {"kFLOP/s", "MFLOP/s", "GFLOP/s", "TFLOP/s", "PFLOP/s"}; // powers of 1000

static double peak_of(const struct device_profile *d, int doubles)
{
    double peak = roofline_peak(d);
    return doubles ? peak * (double)d->lanes_fp64 / (double)d->lanes_fp32 : peak;
}

int figure_point_make(struct figure_point *p, const struct device_profile *d, const char *name,
                      const struct counters *c, uint64_t time_ps)
{
    double bytes = (double)c->dram_ld_bytes + (double)c->dram_st_bytes, flop = (double)c->flop;
    if (!c->flop || !time_ps) return 0;
    *p = (struct figure_point){.name = name, .gflops = flop * 1000 / (double)time_ps};
    p->doubles = c->fp64_inst > c->fp32_inst && d->lanes_fp64;
    p->intensity = bytes > 0 ? flop / bytes : HUGE_VAL;
    double memory = (double)d->dram_read_gbs * p->intensity, peak = peak_of(d, p->doubles);
    p->roof = memory < peak ? memory : peak;
    return 1;
}

void figure_rate(double gflops, struct text *out)
{
    double value = gflops * 1e6;
    int u = 0;
    while (u < 4 && value >= 999.5) value /= 1000, ++u;
    text_printf(out, value >= 99.95 ? "%.0f %s" : value >= 9.995 ? "%.1f %s" : "%.2f %s", value, unit[u]);
}

static int between(double value, int from, int to, int length)
{
    double share = (log10(value) - from) / (to - from);
    return (int)floor((share < 0 ? 0 : share > 1 ? 1 : share) * length + 0.5);
}

static int x_of(const struct plot *p, double intensity)
{
    return LEFT + (isinf(intensity) ? PLOT : between(intensity, p->from_x, p->to_x, PLOT));
}

static int y_of(const struct plot *p, double gflops)
{
    return TOP + HEIGHT - between(gflops, p->from_y, p->to_y, HEIGHT);
}

// Chooses the ranges of the axes: a decade on each side of the ridge, three decades below the peak, and all points.
static void make_axes(struct plot *p, const struct device_profile *d, const struct figure_point *point, uint32_t count)
{
    double ridge = roofline_ridge(d), peak = roofline_peak(d), low_x = ridge / 10, high_x = ridge * 10;
    double low_y = peak / 1000, high_y = peak;
    for (uint32_t i = 0; i < count; ++i) {
        const struct figure_point *k = &point[i];
        if (k->intensity < low_x) low_x = k->intensity;
        if (k->intensity > high_x && !isinf(k->intensity)) high_x = k->intensity;
        if (k->gflops < low_y) low_y = k->gflops;
        if (k->gflops > high_y) high_y = k->gflops;
    }
    p->to_x = (int)ceil(log10(high_x));
    p->to_y = (int)ceil(log10(high_y));
    p->from_x = (int)floor(log10(low_x));
    p->from_y = (int)floor(log10(low_y));
    if (p->to_x - p->from_x > DECADES) p->from_x = p->to_x - DECADES;
    if (p->to_y - p->from_y > DECADES) p->from_y = p->to_y - DECADES;
}

static void draw_axes(const struct plot *p)
{
    text_puts(p->out, "<path class=\"empty\" d=\"");
    for (int x = p->from_x; x <= p->to_x; ++x) text_printf(p->out, "M%d %dv%d", x_of(p, pow(10, x)), TOP, HEIGHT);
    for (int y = p->from_y; y <= p->to_y; ++y) text_printf(p->out, "M%d %dh%d", LEFT, y_of(p, pow(10, y)), PLOT);
    text_puts(p->out, "\"/>\n");
    for (int x = p->from_x; x <= p->to_x; ++x)
        figure_label(p->out, x_of(p, pow(10, x)), TOP + HEIGHT + 16, "mid soft", "%.*f", x < 0 ? -x : 0, pow(10, x));
    for (int y = p->from_y; y <= p->to_y; ++y) {
        int power = y + 6 < 0 ? 0 : y + 6, u = power / 3 > 4 ? 4 : power / 3;
        figure_label(p->out, LEFT - 8, y_of(p, pow(10, y)) + 4, "end soft", "%.0f %s", pow(10, power - 3 * u), unit[u]);
    }
    figure_label(p->out, LEFT + PLOT / 2, TOP + HEIGHT + 34, "mid soft", "%s",
                 _("float and double operations for each byte of device memory"));
}

// Returns 1 if a label at this place would cover another one, and stores the other's y coordinate.
static int is_covered(const struct plot *p, const struct label *here, int *y)
{
    for (int i = 0; i < p->labels; ++i) {
        const struct label *other = &p->label[i];
        if (here->left >= other->right || here->right <= other->left) continue;
        if (here->y >= other->y + LINE || here->y <= other->y - LINE) continue;
        *y = other->y;
        return 1;
    }
    return 0;
}

static void keep_label(struct plot *p, struct label here)
{
    if (p->labels < LABELS) p->label[p->labels++] = here;
}

static void draw_level(struct plot *p, const struct device_profile *d, int doubles)
{
    double peak = peak_of(d, doubles), ridge = peak / (double)d->dram_read_gbs;
    struct text rate = {0}, name = {0};
    int x = x_of(p, ridge), y = y_of(p, peak), below = doubles ? LINE + 2 : -5;
    text_printf(p->out, "<path class=\"%s\" d=\"M%d %dH%d\"/>\n", doubles ? "line dashed" : "line", x, y, LEFT + PLOT);
    figure_rate(peak, &rate);
    text_say(&name, doubles ? N_("double: %s") : N_("float: %s"), rate.data);
    figure_label(p->out, x + LINE, y + below, "soft", "%s", name.data);
    keep_label(p, (struct label){x + LINE, x + LINE + LETTER * (int)name.length, y + below});
    text_free(&rate);
    text_free(&name);
}

static void draw_roofs(struct plot *p, const struct device_profile *d)
{
    double bandwidth = (double)d->dram_read_gbs, peak = roofline_peak(d), from = pow(10, p->from_x);
    if (bandwidth * from < pow(10, p->from_y)) from = pow(10, p->from_y) / bandwidth;
    double middle = sqrt(from * roofline_ridge(d));
    int x = x_of(p, middle) - 8, y = y_of(p, bandwidth * middle) - 4;
    struct text name = {0};
    text_printf(p->out, "<path class=\"line\" d=\"M%d %dL%d %d\"/>\n", x_of(p, from), y_of(p, bandwidth * from),
                x_of(p, roofline_ridge(d)), y_of(p, peak));
    text_say(&name, "memory: %.0f GB/s", bandwidth);
    figure_label(p->out, x, y, "end soft", "%s", name.data);
    keep_label(p, (struct label){x - LETTER * (int)name.length, x, y});
    text_free(&name);
    draw_level(p, d, 0);
    if (d->lanes_fp64 && d->lanes_fp64 != d->lanes_fp32) draw_level(p, d, 1);
}

// Writes the name of a point beside it, below the labels that stand there already. Leaves the name out if it does not
// fit.
static void draw_name(struct plot *p, const char *name, int x, int y)
{
    struct text shown = {0};
    size_t length = strlen(name), kept = length < LETTERS ? length : LETTERS;
    int other;
    while (kept < length && kept && ((unsigned char)name[kept] & 0xc0) == 0x80) --kept;
    text_add(&shown, name, kept);
    if (kept < length) text_puts(&shown, "…");
    int width = LETTER * (int)(kept + 1), is_left = x + 9 + width > LEFT + PLOT;
    struct label here = {is_left ? x - 9 - width : x + 9, is_left ? x - 9 : x + 9 + width, y + 4};
    while (is_covered(p, &here, &other)) here.y = other + LINE;
    if (here.y < TOP + HEIGHT && p->labels < LABELS) {
        keep_label(p, here);
        figure_label(p->out, is_left ? here.right : here.left, here.y, is_left ? "end" : "", "%s", shown.data);
    }
    text_free(&shown);
}

static void draw_point(struct plot *p, const struct figure_point *k)
{
    struct text rate = {0};
    int x = x_of(p, k->intensity), y = y_of(p, k->gflops);
    figure_rate(k->gflops, &rate);
    text_printf(p->out, "<circle cx=\"%d\" cy=\"%d\" r=\"5\" class=\"point\"><title>", x, y);
    escape_html(p->out, k->name, strlen(k->name));
    text_printf(p->out, ": %s", rate.data);
    text_puts(p->out, "</title></circle>\n");
    text_free(&rate);
    draw_name(p, k->name, x, y);
}

void figure_roofline(const struct figure *f, const struct device_profile *d, const struct figure_point *point,
                     uint32_t count, struct text *out)
{
    struct plot p = {.out = out};
    struct text told = {0}, peak = {0};
    figure_rate(roofline_peak(d), &peak);
    text_say(&told, "kernels: %1$u; roofs of an %2$s: memory %3$.0f GB/s, float %4$s", count, d->title,
             (double)d->dram_read_gbs, peak.data);
    make_axes(&p, d, point, count);
    figure_open(f, LEFT + PLOT + RIGHT, TOP + HEIGHT + FOOT, _("How close the kernels come to the device's limits"),
                &told, out);
    text_free(&told);
    text_free(&peak);
    draw_axes(&p);
    draw_roofs(&p, d);
    for (uint32_t i = 0; i < count; ++i) draw_point(&p, &point[i]);
    figure_close(out);
}
