// Draws the maps of memory accesses, the occupancy of a kernel and the history of attempts. Coordinates in the pictures
// are integers, so that a picture is the same on every machine.
//
// Lanes are coloured by their quarter of the warp: 0-7, 8-15, 16-23, 24-31. In the picture of sectors, a word of 4
// bytes that is moved but not requested has the colour for waste.
#include "report/page/figure.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/embed.h"
#include "base/message.h"
#include "base/text.h"
#include "device/profile.h"
#include "report/escape.h"
#include "report/page/figure_frame.h"

EMBED(figure_css, "grader/report/page/figure.css");

enum {
    CELL = 20,  // width and height of a word or bank, in units of the picture
    LEFT = 84,  // width of the row names, in units of the picture
    TOP = 26,   // height of the column names, in units of the picture
    ROWS = 32,  // maximum number of rows of a map; a text states the number of further rows
    WORDS = 32, // number of words in a line of memory
    WIDTH = LEFT + WORDS * CELL + 8,
    FOOT = 24,
};

// ------------------------------------------------------------------------------------------------------------- frames
void figure_open(const struct figure *f, int width, int height, const char *title, const struct text *told,
                 struct text *out)
{
    if (f->file) text_puts(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    text_printf(out,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"figure\" role=\"img\" viewBox=\"0 0 %d %d\" "
                "width=\"%d\" height=\"%d\" aria-labelledby=\"%s-title %s-told\">\n<title id=\"%s-title\">",
                width, height, width, height, f->id, f->id, f->id);
    escape_html(out, title, strlen(title));
    text_printf(out, "</title>\n<desc id=\"%s-told\">", f->id);
    if (told->length) escape_html(out, told->data, told->length);
    text_puts(out, "</desc>\n");
    if (!f->file) return;
    text_printf(out, "<style>\n%s</style>\n<rect class=\"ground\" width=\"%d\" height=\"%d\"/>\n", figure_css, width,
                height);
}

void figure_close(struct text *out)
{
    text_puts(out, "</svg>\n");
}

void figure_label(struct text *out, int x, int y, const char *class, const char *format, ...)
{
    struct text words = {0};
    va_list args;
    va_start(args, format);
    text_vprintf(&words, format, args);
    va_end(args);
    text_printf(out, "<text x=\"%d\" y=\"%d\" class=\"%s\">", x, y, class);
    escape_html(out, words.data, words.length);
    text_puts(out, "</text>\n");
    text_free(&words);
}

void figure_box(struct text *out, int x, int y, int width, int height, const char *class)
{
    text_printf(out, "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" class=\"%s\"/>\n", x, y, width, height, class);
}

// Draws a cell (word or bank) of a sector map or bank map. If one lane accesses the word or bank that the cell stands
// for, the cell's label is the lane's number. If several lanes access the word or bank, the cell's label is the number
// of lanes, such as "4×".
static void lanes_cell(struct text *out, int x, int y, uint32_t lanes, const char *named)
{
    static const char *const quarter[] = {"q0", "q1", "q2", "q3"};
    int first = __builtin_ctz(lanes), count = __builtin_popcount(lanes);
    struct text who = {0};
    explain_lanes(lanes, &who);
    text_puts(out, "<g><title>");
    text_say(out, count > 1 ? N_("lanes %1$s: %2$s") : N_("lane %1$s: %2$s"), who.data, named);
    text_puts(out, "</title>\n");
    text_free(&who);
    figure_box(out, x, y, CELL, CELL, quarter[first / 8]);
    figure_label(out, x + CELL / 2, y + 14, "mid", count > 1 ? "%d×" : "%d", count > 1 ? count : first);
    text_puts(out, "</g>\n");
}

// Writes the name of the array element at an address, escaped, such as "in[512]". For an array without a name, the
// function writes the offset in bytes.
static void name_of(const struct profile *profile, const struct line_access *a, uint64_t address, char out[96])
{
    struct text name = {0};
    const char *array = explain_array(profile, a);
    escape_html(&name, array[0] ? array : "byte", strlen(array[0] ? array : "byte"));
    uint64_t at = address - a->origin;
    snprintf(out, 96, "%.60s[%" PRIu64 "]", name.data, array[0] ? at / 4 : at);
    text_free(&name);
}

// Draws the grid of a sector map or bank map, and the number of every fourth column.
static void grid(struct text *out, const char *what, int rows)
{
    text_puts(out, "<path class=\"empty\" d=\"");
    for (int r = 0; r <= rows; ++r) text_printf(out, "M%d %dh%d", LEFT, TOP + r * CELL, WORDS * CELL);
    for (int c = 0; c <= WORDS; ++c) text_printf(out, "M%d %dv%d", LEFT + c * CELL, TOP, rows * CELL);
    text_puts(out, "\"/>\n");
    figure_label(out, LEFT - 8, TOP - 8, "end soft", "%s", what);
    for (int c = 0; c < WORDS; c += 4) figure_label(out, LEFT + c * CELL + CELL / 2, TOP - 8, "mid soft", "%d", c);
}

static void foot(struct text *out, uint32_t shown, const char *legend)
{
    figure_label(out, LEFT, TOP + (int)shown * CELL + 16, "soft", "%s", legend);
}

// ------------------------------------------------------------------------------------------------------------ sectors
// Returns the lanes that access the 4 bytes at address `word`, as a set of bits.
static uint32_t lanes_at(const struct line_access *a, uint64_t word)
{
    uint32_t lanes = 0;
    for (uint32_t l = 0; l < COALESCE_LANES; ++l)
        if ((a->mask >> l & 1) && a->address[l] < word + 4 && a->address[l] + a->bytes > word) lanes |= 1u << l;
    return lanes;
}

static void sector_row(const struct profile *profile, const struct line_access *a, const struct sector_line *line,
                       int y, struct text *out)
{
    enum { SECTOR = COALESCE_SECTOR / 4 }; // words of a sector
    uint64_t at = line->address - a->origin;
    figure_label(out, LEFT - 8, y + 14, "end soft", explain_array(profile, a)[0] ? "[%" PRIu64 "]" : "+%" PRIu64,
                 explain_array(profile, a)[0] ? at / 4 : at);
    for (int s = 0; s < WORDS / SECTOR; ++s)
        if (line->lanes[s]) figure_box(out, LEFT + s * SECTOR * CELL, y, SECTOR * CELL, CELL, "waste");
    for (int w = 0; w < WORDS; ++w) {
        uint64_t word = line->address + (uint64_t)w * 4;
        uint32_t lanes = lanes_at(a, word);
        char name[96];
        name_of(profile, a, word, name);
        if (lanes) lanes_cell(out, LEFT + w * CELL, y, lanes, name);
    }
    for (int s = 0; s < WORDS / SECTOR; ++s)
        if (line->lanes[s]) figure_box(out, LEFT + s * SECTOR * CELL, y, SECTOR * CELL, CELL, "frame");
}

void figure_sectors(const struct figure *f, const struct profile *profile, const struct line_access *a,
                    struct text *out)
{
    struct explain_sector_map m;
    struct text told = {0}, legend = {0};
    explain_sector_map_make(&m, a);
    uint32_t shown = m.count < ROWS ? m.count : ROWS;
    explain_access(profile, a, &told);
    figure_open(f, WIDTH, TOP + (int)shown * CELL + FOOT, _("Lanes and the sectors of 32 bytes that they touch"), &told,
                out);
    text_free(&told);
    grid(out, _("word"), (int)shown);
    for (uint32_t i = 0; i < shown; ++i) sector_row(profile, a, &m.line[i], TOP + (int)i * CELL, out);
    if (m.count > shown) text_say(&legend, "and %" PRIu32 " more lines like these. ", m.count - shown);
    text_say(&legend, "A number is the lane that names the word. Words in red are moved for nobody.");
    foot(out, shown, legend.data);
    text_free(&legend);
    figure_close(out);
}

// -------------------------------------------------------------------------------------------------------------- banks
void figure_banks(const struct figure *f, const struct profile *profile, const struct line_access *a, struct text *out)
{
    struct explain_bank_map m;
    struct text told = {0};
    explain_bank_map_make(&m, a);
    explain_access(profile, a, &told);
    figure_open(f, WIDTH, TOP + (int)m.steps.count * CELL + FOOT, _("Passes of an access through the 32 banks"), &told,
                out);
    text_free(&told);
    grid(out, _("bank"), (int)m.steps.count);
    for (uint32_t i = 0; i < m.steps.count; ++i) {
        int y = TOP + (int)i * CELL;
        figure_label(out, LEFT - 8, y + 14, "end soft", _("pass %" PRIu32), i + 1);
        for (int b = 0; b < BANKS; ++b) {
            const struct bank_step *s = &m.steps.step[i];
            char name[96];
            name_of(profile, a, s->word[b] * BANK_BYTES, name);
            if (s->lanes[b]) lanes_cell(out, LEFT + b * CELL, y, s->lanes[b], name);
        }
    }
    foot(out, m.steps.count,
         _("A number is the lane that the bank serves in this pass; 4× serves four lanes with one word."));
    figure_close(out);
}

void figure_access(const struct figure *f, const struct profile *profile, const struct line_access *a, struct text *out)
{
    (a->space == SPACE_SHARED ? figure_banks : figure_sectors)(f, profile, a, out);
}

// ---------------------------------------------------------------------------------------------------------- occupancy
enum { BAR_LEFT = 130, BAR_WIDTH = 380, BAR_ROW = 24, WARP_CELL = 12, WARPS_A_ROW = 32 };

static void limit_row(const struct occupancy *o, int which, uint32_t most, int y, struct text *out)
{
    int limit = (enum occupancy_limit)which == o->limit;
    uint32_t blocks = o->by[which] < most ? o->by[which] : most;
    figure_label(out, BAR_LEFT - 8, y + 14, limit ? "end strong" : "end soft", "%s", _(occupancy_limit_name[which]));
    figure_box(out, BAR_LEFT, y + 3, BAR_WIDTH, 14, "room");
    figure_box(out, BAR_LEFT, y + 3, (int)((uint64_t)BAR_WIDTH * blocks / (most ? most : 1)), 14,
               limit ? "limit" : "bar");
    const char *said = limit
                           ? o->by[which] == 1 ? _("%" PRIu32 " block: the limit") : _("%" PRIu32 " blocks: the limit")
                       : o->by[which] == 1 ? _("%" PRIu32 " block")
                                           : _("%" PRIu32 " blocks");
    figure_label(out, BAR_LEFT + BAR_WIDTH + 8, y + 14, limit ? "limit strong" : "", said, o->by[which]);
}

void figure_occupancy(const struct figure *f, const struct device_profile *d, const struct profile_kernel *k,
                      struct text *out)
{
    const struct observation *seen = k->seen;
    struct occupancy o = occupancy_of(d, k->block[0] * k->block[1] * k->block[2], seen->registers, seen->shared_bytes);
    struct text told = {0};
    int warps = (int)d->warps_per_sm, rows = (warps + WARPS_A_ROW - 1) / WARPS_A_ROW, y = 8;
    uint32_t most = o.blocks;
    for (int i = 0; i < OCCUPANCY_LIMITS; ++i)
        if (o.by[i] > most && o.by[i] <= 4 * (o.blocks ? o.blocks : 1)) most = o.by[i];
    text_say(&told, "%1$" PRIu32 " blocks of '%2$s', %3$" PRIu32 " of %4$d warps; what stops one more: %5$s", o.blocks,
             k->name, o.warps, warps, _(occupancy_limit_name[o.limit]));
    figure_open(f, 650, 8 + OCCUPANCY_LIMITS * BAR_ROW + 8 + rows * WARP_CELL + FOOT,
                _("What fits on a multiprocessor"), &told, out);
    text_free(&told);
    for (int i = 0; i < OCCUPANCY_LIMITS; ++i, y += BAR_ROW) limit_row(&o, i, most, y, out);
    figure_label(out, BAR_LEFT - 8, y + 18, "end soft", "%s", _("resident warps"));
    for (int w = 0; w < warps; ++w)
        figure_box(out, BAR_LEFT + w % WARPS_A_ROW * WARP_CELL, y + 8 + w / WARPS_A_ROW * WARP_CELL, WARP_CELL - 2,
                   WARP_CELL - 2, w < (int)o.warps ? "bar" : "room");
    figure_label(out, BAR_LEFT, y + 8 + rows * WARP_CELL + 14, "",
                 _("%1$" PRIu32 " of %2$d warps: occupancy %3$" PRIu32 " %%"), o.warps, warps, o.permille / 10);
    figure_close(out);
}

// ------------------------------------------------------------------------------------------------------------ history
enum { PLOT_LEFT = 36, PLOT_WIDTH = 600, PLOT_HEIGHT = 120, PLOT_TOP = 12 };

static int plot_x(uint32_t i, uint32_t count)
{
    return count > 1 ? PLOT_LEFT + (int)((uint64_t)i * PLOT_WIDTH / (count - 1)) : PLOT_LEFT + PLOT_WIDTH / 2;
}

void figure_history(const struct figure *f, const struct figure_attempt *attempt, uint32_t count, struct text *out)
{
    struct text told = {0};
    if (count) text_say(&told, "%1$" PRIu32 " attempts, the last with %2$d points", count, attempt[count - 1].total);
    figure_open(f, PLOT_LEFT + PLOT_WIDTH + 24, PLOT_TOP + PLOT_HEIGHT + FOOT, _("Points of your attempts"), &told,
                out);
    text_free(&told);
    for (int points = 0; points <= 100; points += 50) {
        int y = PLOT_TOP + (100 - points) * PLOT_HEIGHT / 100;
        text_printf(out, "<path class=\"empty\" d=\"M%d %dh%d\"/>\n", PLOT_LEFT, y, PLOT_WIDTH);
        figure_label(out, PLOT_LEFT - 6, y + 4, "end soft", "%d", points);
    }
    text_puts(out, "<path class=\"line\" d=\"");
    for (uint32_t i = 0; i < count; ++i)
        text_printf(out, "%c%d %d", i ? 'L' : 'M', plot_x(i, count),
                    PLOT_TOP + (100 - attempt[i].total) * PLOT_HEIGHT / 100);
    text_puts(out, "\"/>\n");
    for (uint32_t i = 0; i < count; ++i) {
        text_printf(out, "<circle cx=\"%d\" cy=\"%d\" r=\"4\" class=\"%s\"><title>", plot_x(i, count),
                    PLOT_TOP + (100 - attempt[i].total) * PLOT_HEIGHT / 100, attempt[i].passed ? "good" : "bar");
        text_say(out, "attempt %1$" PRIu32 ": %2$d points", i + 1, attempt[i].total);
        text_puts(out, "</title></circle>\n");
    }
    figure_label(out, PLOT_LEFT, PLOT_TOP + PLOT_HEIGHT + 18, "soft", "%s",
                 _("attempts, the first on the left; green: passed"));
    figure_close(out);
}
