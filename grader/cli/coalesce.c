// Implements ./grade coalesce, which draws the global memory access of one warp.
//
//   ./grade coalesce --stride 2                      lane i accesses element 2 i
//   ./grade coalesce --addresses 0-63:4,256          addresses in bytes: 0, 4, … 60 and 256
//   ./grade coalesce --device gk110 --cached …       on a Kepler GPU, through its L1
//
// For each memory line of 128 bytes, the picture shows four segments of 32 bytes, and in each segment the lanes that
// access it. On current devices, a segment of 32 bytes is a sector. On the device gk110 (Kepler), the hardware combines
// segments into transactions of 32, 64 or 128 bytes.
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <langinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "base/message.h"
#include "cli/cli.h"
#include "device/coalesce.h"
#include "device/profile.h"
#include "device/segment.h"

enum { SEGMENTS = COALESCE_LINE / SEGMENT_BYTES };

struct warp {
    uint64_t address[COALESCE_LANES];
    uint32_t mask, count;
};

static void add(struct warp *w, uint64_t address)
{
    if (w->count == COALESCE_LANES) die("a warp has %d lanes: there are more addresses", COALESCE_LANES);
    w->mask |= 1u << w->count;
    w->address[w->count++] = address;
}

static uint64_t number(const char **at)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(*at, &end, 0);
    if (end == *at || errno || **at == '-' || value >> 48)
        die("--addresses takes numbers of bytes, as in 0-124:4,256, not '%.40s'", *at);
    *at = end;
    return value;
}

// Parses the argument of the option --addresses, a list of addresses in bytes. The elements of this list of addresses
// are "A", "FIRST-LAST" or "FIRST-LAST:STEP", separated by commas.
static void parse_addresses(struct warp *w, const char *list)
{
    for (const char *at = list;;) {
        uint64_t first = number(&at), last = first, step = 4;
        if (*at == '-') ++at, last = number(&at);
        if (*at == ':') ++at, step = number(&at);
        if (!step || last < first) die("--addresses: '%.40s' counts nowhere", list);
        for (uint64_t a = first; a <= last; a += step) add(w, a);
        if (!*at) return;
        if (*at++ != ',') die("--addresses takes numbers of bytes, as in 0-124:4,256, not '%.40s'", list);
    }
}

// Writes the numbers of the lanes that access the segment at address `segment`, such as "0-7" or "3,5".
static void lanes_of(const struct warp *w, uint64_t segment, uint32_t bytes, char *text, size_t capacity)
{
    size_t length = 0;
    text[0] = '\0';
    for (uint32_t lane = 0; lane < w->count && length < capacity; ++lane) {
        uint32_t first = lane;
        while (lane < w->count && w->address[lane] < segment + SEGMENT_BYTES && w->address[lane] + bytes > segment)
            ++lane;
        if (lane == first) continue;
        length += (size_t)snprintf(text + length, capacity - length, lane - first > 1 ? "%s%u-%u" : "%s%u",
                                   length ? "," : "", first, lane - 1);
    }
}

static void draw(const struct warp *w, uint32_t bytes, const struct segments *moved)
{
    struct footprint f;
    const char *joint = strcmp(nl_langinfo(CODESET), "UTF-8") ? "=" : "═";
    coalesce_footprint(&f, w->address, w->mask, bytes, 2);
    printf(_("  line       bytes 0-31            32-63            64-95            96-127\n"));
    for (uint32_t i = 0; i < f.cells; ++i) {
        uint64_t line = f.cell[i] * COALESCE_LINE;
        char lanes[SEGMENTS][64];
        printf("  0x%-8" PRIx64 " ", line);
        for (uint32_t s = 0; s < SEGMENTS; ++s) {
            lanes_of(w, line + s * SEGMENT_BYTES, bytes, lanes[s], sizeof lanes[s]);
            printf("[%-14.14s] ", lanes[s]);
        }
        printf("\n");
        if (!moved) continue;
        for (uint32_t t = 0; t < moved->count; ++t) {
            const struct transaction *m = &moved->item[t];
            if (m->address < line || m->address >= line + COALESCE_LINE) continue;
            printf("  %*s", (int)(11 + (m->address - line) / SEGMENT_BYTES * 17), "");
            for (uint32_t c = 0; c < m->bytes / SEGMENT_BYTES * 17 - 1; ++c) fputs(joint, stdout);
            printf(_(" %" PRIu32 " bytes\n"), m->bytes);
        }
    }
}

static void sum_up(const struct warp *w, uint32_t bytes, const struct segments *moved, int cached)
{
    struct coalesced c = coalesce(w->address, w->mask, bytes);
    uint32_t total = moved ? moved->bytes : c.sectors * COALESCE_SECTOR;
    printf(_("%" PRIu32 " lanes ask for %" PRIu32 " bytes; "), w->count, c.bytes);
    if (moved)
        printf(_("%" PRIu32 " %s (%" PRIu32 " replays)"), moved->count,
               cached ? _("accesses of 128 bytes through the L1") : _("transactions of 32, 64 or 128 bytes"),
               moved->count ? moved->count - 1 : 0);
    else
        printf(_("1 request, %" PRIu32 " sectors in %" PRIu32 " lines"), c.sectors, c.lines);
    printf(_(", %" PRIu32 " bytes moved"), total);
    if (c.bytes <= total) printf(_(": %" PRIu32 " %% of them used"), total ? 100 * c.bytes / total : 0);
    printf("\n");
}

int cli_coalesce(const struct cli_options *options, int argc, char **argv)
{
    struct warp warp = {.count = 0};
    uint32_t bytes = options->bytes ? (uint32_t)options->bytes : 4;
    const struct device_profile *device = device_profile_find(options->device);
    if (argc) die("'%s' is one word too many, see './grade coalesce --help'", argv[0]);
    if (!device) die("there is no device '%.40s'", options->device);
    if (bytes > 16 || (bytes & (bytes - 1))) die("--bytes takes 1, 2, 4, 8 or 16, not %" PRIu32, bytes);
    if (!options->addresses == !options->stride) die("say either --stride N or --addresses LIST");
    if (options->addresses) parse_addresses(&warp, options->addresses);
    for (uint64_t i = 0; options->stride && i < COALESCE_LANES; ++i)
        add(&warp, options->offset + i * (uint64_t)options->stride * bytes);
    for (uint32_t i = 0; i < warp.count; ++i)
        if (warp.address[i] % bytes) die("address %" PRIu64 " is no multiple of %" PRIu32, warp.address[i], bytes);
    struct segments moved;
    int older = device->l1_local_only != 0;
    if (options->cached && !older) die("--cached is for a device whose L1 loads may pass by, such as gk110");
    if (older) segment_transactions(&moved, warp.address, warp.mask, bytes, options->cached);
    printf("%s\n", device->title);
    draw(&warp, bytes, older ? &moved : NULL);
    sum_up(&warp, bytes, older ? &moved : NULL, options->cached);
    return 0;
}
