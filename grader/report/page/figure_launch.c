// Draws a kernel's launch as an SVG picture: the grid, one of its blocks, one of that block's warps, and beside each
// the memory that its threads share. A group of threads and its memory have the same colour. Coordinates are integers,
// so that a picture is the same on every machine.
#include <inttypes.h>
#include <stdio.h>

#include "base/message.h"
#include "base/text.h"
#include "device/profile.h"
#include "report/page/figure.h"
#include "report/page/figure_frame.h"

enum {
    NAME = 52,                  // width of the names of the groups, in units of the picture
    GROUP = 448,                // width of a group's cells
    MEMORY = NAME + GROUP + 22, // left edge of the memories
    MEMORY_WIDTH = 226,
    WIDTH = MEMORY + MEMORY_WIDTH + 16,
    NUMBERED = 16, // a level of more cells has a number in every fourth cell
    CELLS = 16,    // maximum number of blocks that are drawn; dots stand for further blocks
    LANES = 32,
    LEVELS = 3,
    CAPTION = 12, // from a level's top to the baseline of its caption
    CELL = 18,    // from a level's top to its cells
    CELL_HEIGHT = 24,
    BOX = 34, // height of a memory
    HEIGHT = 266,
};
static const int top[LEVELS] = {26, 120, 202}; // of the levels grid, block and warp

// Appends a number with a comma before each group of three digits, such as "65,536".
static void number(uint64_t n, struct text *out)
{
    if (n < 1000)
        text_printf(out, "%" PRIu64, n);
    else {
        number(n / 1000, out);
        text_printf(out, ",%03" PRIu64, n % 1000);
    }
}

// Appends a size in units of 1024. Large sizes are rounded up, because the system keeps a part of a card's memory,
// which the profile does not count.
static void size(int64_t bytes, struct text *out)
{
    static const char *const unit[] = {"KB", "MB", "GB"};
    int u = 0;
    int64_t n = (bytes + 1023) / 1024;
    for (; u < 2 && n >= 1024 && (n >= 16 * 1024 || n % 1024 == 0); ++u) n = (n + 1023) / 1024;
    text_printf(out, "%" PRId64 " %s", n, unit[u]);
}

// Returns a latency in cycles. From 100 cycles on it is rounded to tens; the measurements are no more precise.
static int64_t cycles(int64_t hundredths)
{
    int64_t n = (hundredths + 50) / 100;
    return n < 100 ? n : (n + 5) / 10 * 10;
}

// Draws a group of threads as `shown` cells, then dots if there are `more`. The label of cell i is i if `numbered`
// is 1.
static void level(int which, const char *name, int shown, int more, int numbered, const struct text *caption,
                  struct text *out)
{
    static const char *const colour[LEVELS] = {"q0", "q1", "q2"};
    int y = top[which] + CELL, places = shown + more;
    figure_label(out, NAME - 8, y + 16, "end strong", "%s", name);
    figure_label(out, NAME, top[which] + CAPTION, "", "%s", caption->data);
    for (int i = 0; i < shown; ++i) {
        int x = NAME + GROUP * i / places, next = NAME + GROUP * (i + 1) / places;
        figure_box(out, x, y, next - x - 2, CELL_HEIGHT, colour[which]);
        if (numbered && (shown <= NUMBERED || i % 4 == 0))
            figure_label(out, (x + next) / 2 - 1, y + 16, "mid", "%d", i);
    }
    if (more) figure_label(out, NAME + GROUP * shown / places + GROUP / places / 2, y + 16, "mid soft", "…");
}

// Draws the first cell of a level of `places` cells as the next level, enlarged.
static void zoom(int which, int places, struct text *out)
{
    int y = top[which] + CELL + CELL_HEIGHT, below = top[which + 1] - 2;
    text_printf(out, "<path class=\"room\" d=\"M%d %dh%dL%d %dH%dz\"/>\n", NAME, y, GROUP / places - 2,
                NAME + GROUP - 2, below, NAME);
}

static void memory(int y, const char *class, const char *name, struct text *told, struct text *out)
{
    figure_box(out, MEMORY, y, MEMORY_WIDTH, BOX, class);
    figure_label(out, MEMORY + 8, y + 14, "strong", "%s", name);
    figure_label(out, MEMORY + 8, y + 28, "", "%s", told->data);
    text_free(told);
}

// Draws the memories that all blocks of the grid share, in the order of their distance from the threads.
static void memories_of_grid(const struct device_profile *d, struct text *out)
{
    struct text bytes = {0}, all = {0};
    size(d->memory_bytes, &bytes);
    text_say(&all, "%1$s, %2$" PRId64 " cycles away", bytes.data, cycles(d->latency_dram));
    memory(top[0] - 12, "q0", _("device memory"), &all, out);
    text_free(&bytes);
    size(d->l2_bytes, &bytes);
    text_say(&all, "%1$s, %2$" PRId64 " cycles away", bytes.data, cycles(d->latency_l2));
    memory(top[0] - 12 + BOX + 4, "q0", _("L2"), &all, out);
    text_free(&bytes);
}

// Draws the memories of a multiprocessor: the L1, the shared memory of a block, and the registers of a thread.
static void memories_of_multiprocessor(const struct device_profile *d, struct text *out)
{
    struct text bytes = {0}, all = {0};
    if (!d->l1_local_only) {
        size(d->unified_bytes, &bytes);
        text_say(&all, "%1$s with shared memory, %2$" PRId64 " cycles", bytes.data, cycles(d->latency_l1));
        memory(top[1], "q0", _("L1"), &all, out);
        text_free(&bytes);
    }
    size(d->shared_per_block, &bytes);
    text_say(&all, "up to %1$s a block, %2$" PRId64 " cycles", bytes.data, cycles(d->latency_shared));
    memory(top[1] + BOX + 4, "q1", _("shared memory"), &all, out);
    text_free(&bytes);
    number((uint64_t)d->registers_per_sm, &bytes);
    text_say(&all, "%1$s, up to %2$" PRId64 " a thread", bytes.data, d->registers_per_thread);
    memory(top[2] + 2, "q2", _("registers"), &all, out);
    text_free(&bytes);
}

static void groups(uint64_t blocks, uint32_t threads, struct text *out)
{
    struct text many = {0}, caption = {0};
    int shown = blocks > CELLS ? CELLS - 1 : (int)blocks, more = blocks > CELLS;
    int warps = (int)(threads + LANES - 1) / LANES, lanes = threads < LANES ? (int)threads : LANES;
    zoom(0, shown + more, out);
    zoom(1, warps, out);
    number(blocks, &many);
    text_say(&caption, "blocks: %s; they run in any order and do not wait for each other", many.data);
    level(0, _("grid"), shown, more, 0, &caption, out);
    text_free(&many);
    text_free(&caption);
    number(threads, &many);
    text_say(&caption, "threads: %1$s, in warps: %2$d; __syncthreads() waits for all of them", many.data, warps);
    level(1, _("block"), warps, 0, 1, &caption, out);
    text_free(&many);
    text_free(&caption);
    text_say(&caption, "lanes: %d; one instruction at a time for all of them", lanes);
    level(2, _("warp"), lanes, 0, 1, &caption, out);
    text_free(&caption);
}

void figure_launch(const struct figure *f, const struct device_profile *d, const struct profile_kernel *k,
                   struct text *out)
{
    uint64_t blocks = (uint64_t)k->grid[0] * k->grid[1] * k->grid[2];
    uint32_t threads = k->block[0] * k->block[1] * k->block[2];
    struct text told = {0};
    text_say(&told, "'%1$s' on an %2$s; blocks: %3$" PRIu64 ", threads a block: %4$" PRIu32, k->name, d->title, blocks,
             threads);
    figure_open(f, WIDTH, HEIGHT, _("The threads of a launch, and the memories that they see"), &told, out);
    text_free(&told);
    figure_box(out, 2, 2, WIDTH - 4, HEIGHT - 4, "frame");
    figure_label(out, 10, 18, "soft", "%s", d->title);
    figure_label(out, MEMORY + 8, top[1] - 6, "soft", _("one of %" PRId64 " multiprocessors"), d->sms);
    groups(blocks, threads, out);
    figure_box(out, 8, top[1] - 20, WIDTH - 16, HEIGHT - top[1] + 12, "frame");
    memories_of_grid(d, out);
    memories_of_multiprocessor(d, out);
    figure_close(out);
}
