// What a card's driver needs of the system, and no more of it.
#include "judge/job/card_box.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The nodes that the driver's own library opens: the cards', the control node's, those of unified memory, the folder of
// MIG's rights, and what stands for all of them under WSL. Not those for displays, switches and file systems.
static int is_node(const char *name)
{
    static const char *const exact[] = {"nvidiactl", "nvidia-uvm", "nvidia-uvm-tools", "nvidia-caps", "dxg"};
    for (unsigned i = 0; i < sizeof exact / sizeof *exact; ++i)
        if (!strcmp(name, exact[i])) return 1;
    return !strncmp(name, "nvidia", 6) && name[6] && !name[6 + strspn(name + 6, "0123456789")];
}

// What a card's driver must write: the nodes, and the names of its own threads under /proc.
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

// Which cards there are for this process is said by its environment (Slurm says it so), and so may be where the driver
// is.
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

void judge_card_box(struct card_box *b, struct box_spec *spec)
{
    find_nodes(b->node, b->nodes);
    find_environment(b->variable, b->env);
    b->readable[0] = spec->argv[0];
    b->readable[1] = "/sys"; // what the system says of the card
    b->readable[2] = NULL;
    spec->readable = b->readable;
    spec->writable = b->nodes;
    spec->env = b->env;
    spec->local_sockets = 1; // asks whether several processes share the card (MPS)
    spec->memory_files = 1;  // its driver may make files in memory, and page-locked memory is one
    spec->address_space = 0; // the driver reserves terabytes
}
