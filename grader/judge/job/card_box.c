// Configures the sandbox of a runner process that uses a GPU. The runner process may access only the files, environment
// variables and sockets that the GPU's driver needs.
#include "judge/job/card_box.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Returns 1 if `name` is a device node that the CUDA driver's library opens. The CUDA driver's library opens the nodes
// of the GPUs, the control node, the nodes of unified memory, the folder of MIG capabilities, and WSL's /dev/dxg.
// Returns 0 for the device nodes of displays, switches and file systems.
static int is_node(const char *name)
{
    static const char *const exact[] = {"nvidiactl", "nvidia-uvm", "nvidia-uvm-tools", "nvidia-caps", "dxg"};
    for (unsigned i = 0; i < sizeof exact / sizeof *exact; ++i)
        if (!strcmp(name, exact[i])) return 1;
    return !strncmp(name, "nvidia", 6) && name[6] && !name[6 + strspn(name + 6, "0123456789")];
}

// Lists the device nodes, which the CUDA driver must be able to write.
static void find_nodes(char node[CARD_NODES][CARD_NODE], const char *list[CARD_NODES + 1])
{
    unsigned count = 0;
    DIR *dev = opendir("/dev");
    for (struct dirent *entry; dev && (entry = readdir(dev)) && count < CARD_NODES;) {
        if (!is_node(entry->d_name)) continue;
        if (snprintf(node[count], CARD_NODE, "/dev/%s", entry->d_name) < CARD_NODE) list[count] = node[count], ++count;
    }
    if (dev) closedir(dev);
    list[count] = NULL;
}

// Copies environment variables of the judge process for the runner process. CUDA_VISIBLE_DEVICES and CUDA_DEVICE_ORDER
// tell which GPUs a process may use; Slurm sets these two variables. LD_LIBRARY_PATH tells where the CUDA driver's
// library is.
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
    b->readable[1] = "/sys";  // /sys contains the system's description of the GPU
    b->readable[2] = "/proc"; // /proc contains the settings of the GPU's driver
    b->readable[3] = NULL;
    spec->readable = b->readable;
    spec->writable = b->nodes;
    spec->env = b->env;
    spec->own_proc = 1;      // the driver sets the names of its own threads
    spec->local_sockets = 1; // the driver asks whether several processes share the GPU (MPS)
    spec->memory_files = 1;  // the driver may create memory files (memfd_create), for example for page-locked memory
    spec->address_space = 0; // no limit, because the driver reserves terabytes of addresses
}
