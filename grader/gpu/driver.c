// Opens the CUDA driver with dlopen(). The first attempt to open the CUDA driver passes the bare name libcuda.so.1 to
// dlopen(), so that the loader searches its usual folders. On WSL2, the driver's library is in the folder
// /usr/lib/wsl/lib, which may be missing from the loader's cache.
#define _GNU_SOURCE
#include "gpu/driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "base/message.h"

static struct driver driver;
static char problem[256];
static int opened;

static int find(void *library)
{
    static const struct {
        size_t offset;
        const char *symbol, *since;
    } row[] = {
#define DRIVER(name, symbol, parameters, since) {offsetof(struct driver, name), symbol, since},
#include "gpu/driver.def"
#undef DRIVER
    };
    for (size_t i = 0; i < sizeof row / sizeof *row; ++i) {
        void *address = dlsym(library, row[i].symbol);
        if (!address) {
            if (row[i].since[0])
                message_print(problem, sizeof problem, "the driver is too old: it has no %s, which came with %s",
                              row[i].symbol, row[i].since);
            else
                message_print(problem, sizeof problem, "the driver is too old: it has no %s", row[i].symbol);
            return -1;
        }
        memcpy((char *)&driver + row[i].offset, &address, sizeof address);
    }
    return 0;
}

static void open_once(void)
{
    static const char *const place[] = {"libcuda.so.1", "/usr/lib/wsl/lib/libcuda.so.1"};
    void *library = NULL;
    for (size_t i = 0; i < sizeof place / sizeof *place && !library; ++i) library = dlopen(place[i], RTLD_NOW);
    if (!library) {
        message_print(problem, sizeof problem, "there is no NVIDIA driver (libcuda.so.1)");
        return;
    }
    if (find(library)) return;
    int error = driver.init(0), count = 0;
    if (!error) error = driver.device_count(&count);
    if (error)
        driver_error(&driver, error, problem, sizeof problem);
    else if (!count)
        message_print(problem, sizeof problem, "the driver finds no card");
    else
        opened = 1;
}

const struct driver *driver_open(char *why, size_t capacity)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, open_once);
    snprintf(why, capacity, "%s", problem);
    return opened ? &driver : NULL;
}

void driver_error(const struct driver *d, int error, char *text, size_t capacity)
{
    const char *name = NULL, *words = NULL;
    d->error_name(error, &name);
    d->error_text(error, &words);
    snprintf(text, capacity, "%s: %s", name ? name : _("unknown error"), words ? words : "?");
}
