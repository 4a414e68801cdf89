// This is the main program of runner-gpu, the process that uses real GPUs ("cards"). The judge starts runner-gpu in the
// same way as runner-sim (see main_sim.c). Unlike runner-sim, runner-gpu is linked dynamically, because a static
// program cannot open the CUDA driver. Building runner-gpu needs no file of the CUDA toolkit.
//
// Without arguments, runner-gpu is an engine of the judge and serves the wire protocol (wire/wire.h). With the
// arguments --host DEVICES CARD, runner-gpu serves the host protocol (host/border/host.h) for timed iterations.
// With the arguments --host DEVICES CARD, runner-gpu uses DEVICES cards, of which the first is the card with the name
// CARD. With
// --host, descriptor 5 of runner-gpu is the socket to the judge (host/border/iteration.h), descriptor 6 is the I/O
// block, and descriptor 7 is the memory for the outputs.
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
#include "host/cards/cards.h"
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
    if (count < 1 || count > HOST_DEVICES) die("'%s' is not a valid number of devices", devices);
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
    message_marshal();
    // The driver writes the text that kernels print to standard output, in any amount. runner-gpu discards the text
    // that kernels print on a real GPU, because reports show the text that the simulated kernels printed.
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) dup2(nowhere, STDOUT_FILENO);
    setenv("CUDA_MODULE_LOADING", "EAGER", 1); // otherwise the driver would load a kernel's code during the measurement
    if (argc == 4 && !strcmp(argv[1], "--host")) return serve_host(argv[2], argv[3]);
    return wire_serve(MEMORY, DOORBELL, &gpu_engine_ops, describe);
}
