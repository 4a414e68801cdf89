// runner-gpu: the process that holds cards. Started by the judge like runner-sim (see main_sim.c), linked dynamically,
// as the driver can only be opened so; it needs nothing of CUDA to be built.
//
//   runner-gpu                      judges' engine: serves the wire protocol (wire/wire.h)
//   runner-gpu --host DEVICES CARD  the cards of a host program that sits a lab's exam in rounds: serves the host
//                                   protocol (wire/host.h). The line to the judge (wire/iteration.h) is descriptor 5,
//                                   the exam 6, the memory for its outputs 7
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/die.h"
#include "base/message.h"
#include "gpu/gpu.h"
#include "runner/card.h"
#include "wire/wire.h"

enum { MEMORY = 3, DOORBELL = 4, JUDGE = 5 };

static void describe_card(const struct gpu_card *card, struct wire_device *device)
{
    snprintf(device->name, sizeof device->name, "%s", card->name);
    snprintf(device->title, sizeof device->title, "%s", card->title);
    device->sms = card->sms;
    device->shared_per_block = card->shared_per_block;
    device->capability = card->capability;
    device->driver = card->driver;
    device->l2_bytes = card->l2_bytes;
    device->dram_mbs = card->dram_mbs;
}

static int describe(const char *name, struct wire_device *device)
{
    struct gpu_card card;
    if (gpu_card_find(name, &card)) return -1;
    describe_card(&card, device);
    return 0;
}

static int serve_host(const char *devices, const char *card)
{
    static struct cards cards;
    char message[HOST_MESSAGE] = "";
    struct host_handler handler = {.self = &cards, .obey = cards_obey};
    struct iteration_message here = {.word = ITERATION_HERE};
    long count = strtol(devices, NULL, 10);
    if (count < 1 || count > HOST_DEVICES) die("'%s' is no number of devices", devices);
    cards.judge = JUDGE;
    if (cards_open(&cards, card, (uint32_t)count)) return 0;
    handler.tries = cards.tries;
    describe_card(&cards.card[0], &here.device);
    here.cards = cards.there;
    here.memory_bytes = cards.card[0].memory_bytes;
    if (iteration_send(JUDGE, &here)) return 0;
    if (host_serve(MEMORY, DOORBELL, &handler, message) < 0) die("%s", message);
    return 0;
}

int main(int argc, char *argv[])
{
    prctl(PR_SET_DUMPABLE, 0);
    message_hold();
    // What kernels print, the driver writes to standard output, as much as they like. Reports show what the simulator
    // printed, so nobody reads it here.
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) dup2(nowhere, STDOUT_FILENO);
    setenv("CUDA_MODULE_LOADING", "EAGER", 1); // or a kernel's code is brought in while it is measured
    if (argc == 4 && !strcmp(argv[1], "--host")) return serve_host(argv[2], argv[3]);
    return wire_serve(MEMORY, DOORBELL, &gpu_engine_ops, describe);
}
