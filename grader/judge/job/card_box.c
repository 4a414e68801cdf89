// Opens the box of a card's runner for what the driver needs, and no more.
#include "judge/job/card_box.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Returns 1 for the device nodes that the driver's library opens: the cards', the control node's, those of unified
// memory, the folder of MIG capabilities, and WSL's /dev/dxg. Nodes for displays, switches and file systems are not
// among them.
static int is_node(const char *name)
{
    static const char *const exact[] = {"nvidiactl", "nvidia-uvm", "nvidia-uvm-tools", "nvidia-caps", "dxg"};
    for (unsigned i = 0; i < sizeof exact / sizeof *exact; ++i)
        if (!strcmp(name, exact[i])) return 1;
    return !strncmp(name, "nvidia", 6) && name[6] && !name[6 + strspn(name + 6, "0123456789")];
}

// Lists what the driver must be able to write: the nodes, and the names of its own threads below /proc.
static void find_nodes(char node[CARD_NODES][CARD_NODE], const char *list[CARD_NODES + 2])
{
    unsigned count = 0;
    DIR *dev = opendir("/dev");
    for (struct dirent *entry; dev && (entry = readdir(dev)) && count < CARD_NODES;) {
        if (!is_node(entry->d_name)) continue;
        if (snprintf(node[count], CARD_NODE, "/dev/%s", entry->d_name) < CARD_NODE) list[count] = node[count], ++count;
    }
    if (dev) closedir(dev);
    list[count++] = "/proc";
    list[count] = NULL;
}

// Copies the environment variables that tell which cards the process may use (Slurm sets them) and where the driver is.
static void find_environment(char text[][CARD_VARIABLE], const char *list[])
{
    static const char *const name[] = {"CUDA_VISIBLE_DEVICES", "CUDA_DEVICE_ORDER", "LD_LIBRARY_PATH"};
    unsigned count = 0;
    for (size_t i = 0; i < sizeof name / sizeof *name; ++i) {
        const char *value = getenv(name[i]);
        if (value && snprintf(text[count], CARD_VARIABLE, "%s=%s", name[i], value) < CARD_VARIABLE)
            list[count] = text[count], ++count;
    }
    list[count] = NULL;
}

void card_box_fill(struct card_box *b, struct box_spec *spec)
{
    find_nodes(b->node, b->nodes);
    find_environment(b->variable, b->env);
    b->readable[0] = spec->argv[0];
    b->readable[1] = "/sys"; // the system's description of the card
    b->readable[2] = NULL;
    spec->readable = b->readable;
    spec->writable = b->nodes;
    spec->env = b->env;
    spec->local_sockets = 1; // the driver asks whether several processes share the card (MPS)
    spec->memory_files = 1;  // the driver may use memory files; page-locked memory is one
    spec->address_space = 0; // the driver reserves terabytes
}
