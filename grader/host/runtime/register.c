// Implements the functions by which a program registers its device code, and loads that code.
//
// A program's start-up code calls __cudaRegisterFatBinary, then a function __cudaRegister… for each kernel and
// variable, then __cudaRegisterFatBinaryEnd. The start-up code that nvcc generates and the start-up code that clang
// generates call the same registration functions. Registration sends nothing to the runner process, because a program
// may contain device code that the program never uses. The first use of a kernel or variable loads the fat binary that
// contains it. If several fat binaries hold the same whole program (FATBIN_RELOCATABLE), libcudart loads the whole
// program once.
#define _GNU_SOURCE
#include "host/runtime/register.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/fatbin.h"
#include "base/text.h"
#include "host/runtime/device.h"
#include "host/runtime/fat_binary.h"
#include "host/runtime/symbol.h"

struct cudart_module {
    const void *wrapper;
    struct cudart_module *next;
    struct cudart_fatbin code;
    int loaded; // 1: the fields below are set
    cudaError_t error;
    uint32_t number;
    int relocatable; // 1: names that are local to a source file end in FATBIN_LOCAL and `file`
    uint32_t file;
};
static struct cudart_module *modules;

// Is a hash table with open addressing, which finds kernels or variables by the address of their host function or host
// variable. No entry is ever removed from a hash table of kernels or variables.
struct table {
    void **slot;
    size_t capacity, count;
};
static struct table kernels, variables;

static const void *key_of(const void *entry)
{
    return *(const void *const *)entry; // both structs begin with the host address
}

static size_t place_of(const struct table *t, const void *key)
{
    size_t i = ((uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15)) >> 20 & (t->capacity - 1);
    while (t->slot[i] && key_of(t->slot[i]) != key) i = (i + 1) & (t->capacity - 1);
    return i;
}

static void *look_up(const struct table *t, const void *key)
{
    return t->capacity ? t->slot[place_of(t, key)] : NULL;
}

static void enter(struct table *t, void *entry)
{
    if (2 * t->count >= t->capacity) {
        struct table grown = {.capacity = t->capacity ? 2 * t->capacity : 256};
        grown.slot = alloc_zeroed(grown.capacity, sizeof *grown.slot);
        for (size_t i = 0; i < t->capacity; ++i)
            if (t->slot[i]) grown.slot[place_of(&grown, key_of(t->slot[i]))] = t->slot[i];
        grown.count = t->count;
        free(t->slot);
        *t = grown;
    }
    size_t i = place_of(t, key_of(entry));
    t->count += !t->slot[i];
    t->slot[i] = entry;
}

// ---------------------------------------------------------------- start-up code
API void **__cudaRegisterFatBinary(void *wrapper)
{
    struct cudart_module *module = alloc_zeroed(1, sizeof *module);
    cudart_lock();
    *module = (struct cudart_module){.wrapper = wrapper, .next = modules};
    modules = module;
    cudart_unlock();
    return (void **)module;
}

API void __cudaRegisterFatBinaryEnd(void **module)
{
    (void)module;
}

// Does nothing. The program calls __cudaUnregisterFatBinary() at its end, but destructors that run later may still use
// the device code.
API void __cudaUnregisterFatBinary(void **module)
{
    (void)module;
}

API void __cudaRegisterFunction(void **module, const char *host, char *symbol, const char *name, int limit,
                                void *thread, void *block_index, void *block, void *grid, int *warp)
{
    (void)symbol, (void)limit, (void)thread, (void)block_index, (void)block, (void)grid, (void)warp;
    struct cudart_kernel *kernel = alloc_zeroed(1, sizeof *kernel);
    *kernel =
        (struct cudart_kernel){.host = host, .name = alloc_strdup(name), .module = (struct cudart_module *)module};
    cudart_lock();
    enter(&kernels, kernel);
    cudart_unlock();
}

static void add_variable(void **module, const void *host, const char *name, void **managed)
{
    struct cudart_variable *variable = alloc_zeroed(1, sizeof *variable);
    *variable = (struct cudart_variable){
        .host = host, .name = alloc_strdup(name), .module = (struct cudart_module *)module, .managed = managed};
    cudart_lock();
    enter(&variables, variable);
    cudart_unlock();
}

API void __cudaRegisterVar(void **module, char *host, char *address, const char *name, int external, size_t bytes,
                           int constant, int global)
{
    (void)address, (void)external, (void)bytes, (void)constant, (void)global;
    add_variable(module, host, name, NULL);
}

// Registers a managed variable. The program accesses the managed variable through `*pointer`, which __cudaInitModule
// sets.
API void __cudaRegisterManagedVar(void **module, void **pointer, char *address, const char *name, int external,
                                  size_t bytes, int constant, int global)
{
    (void)address, (void)external, (void)bytes, (void)constant, (void)global;
    add_variable(module, pointer, name, pointer);
}

// Registers the address range [from, to) of the program's managed variables. The start-up code of each source file that
// clang compiled calls warpwise_managed() (prelude.h).
static const char *twins_from, *twins_to;
API void warpwise_managed(const char *from, const char *to)
{
    twins_from = from;
    twins_to = to;
}

int cudart_variable_is_twin(const struct cudart_variable *variable)
{
    const char *host = variable->host;
    return host >= twins_from && host < twins_to;
}

API void __cudaRegisterHostVar(void **module, const char *name, char *host, size_t bytes)
{
    (void)module, (void)name, (void)host, (void)bytes;
}

API void __cudaRegisterUnifiedTable(void **module, void *table)
{
    (void)module, (void)table;
}

// ---------------------------------------------------------------- loading
static const cudaError_t error_of[] = {[FATBIN_READ] = cudaSuccess,
                                       [FATBIN_NO_PTX] = cudaErrorNoKernelImageForDevice,
                                       [FATBIN_TOO_NEW] = cudaErrorNoKernelImageForDevice,
                                       [FATBIN_MALFORMED] = cudaErrorInvalidKernelImage};

static cudaError_t read_code(struct cudart_module *module)
{
    struct text why = {0};
    unsigned capability = cudart_device_facts(cudart_thread.device)->compute_capability;
    enum cudart_fatbin_result result = cudart_fatbin_read(module->wrapper, capability, &module->code, &why);
    if (result != FATBIN_READ) cudart_refuse(error_of[result], "%s", why.data);
    text_free(&why);
    return error_of[result];
}

// Writes the PTX texts of a module (the device code of a fat binary) to the data area of the channel to the runner
// process, each text preceded by its size. Returns the number of bytes written.
static uint64_t put_units(const struct cudart_module *module)
{
    uint64_t at = 0;
    for (unsigned i = 0; i < module->code.units; ++i) {
        uint64_t bytes = module->code.unit[i].length;
        if (at + sizeof bytes + bytes > HOST_DATA) cudart_stop("the program's device code is too large");
        memcpy(cudart_data() + at, &bytes, sizeof bytes);
        if (bytes) memcpy(cudart_data() + at + sizeof bytes, module->code.unit[i].data, bytes);
        at += sizeof bytes + bytes;
    }
    return at;
}

static void load(struct cudart_module *wanted)
{
    struct host_command command = {.op = HOST_OP_load};
    struct host_reply reply = {0};
    cudaError_t error = read_code(wanted);
    for (struct cudart_module *m = modules; m && wanted->code.relocatable && !error; m = m->next)
        if (!m->loaded && m != wanted) error = read_code(m);
    command.load.units = wanted->code.units;
    if (!error) command.load.bytes = put_units(wanted);
    if (!error && command.load.units) error = cudart_send(&command, &reply, NULL);
    int whole = wanted->code.relocatable;
    for (struct cudart_module *m = modules; m; m = m->next) {
        if (m == wanted || (!m->loaded && whole && m->code.relocatable)) {
            m->loaded = 1;
            m->error = error;
            m->number = reply.module;
            m->relocatable = m->code.relocatable;
            m->file = m->code.file;
        }
        cudart_fatbin_free(&m->code);
    }
}

// Maps the managed variables of programs compiled by clang into the host program, before a kernel can read the
// variables. The managed variables keep the values that the program wrote to them before the mapping.
static cudaError_t map_twins(void)
{
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < variables.capacity && !error; ++i) {
        struct cudart_variable *v = variables.slot[i];
        if (!v || v->mapped || !v->module->loaded || v->module->error || !cudart_variable_is_twin(v)) continue;
        v->mapped = 1;
        error = cudart_symbol(v->host, &v->address, &v->bytes);
    }
    return error;
}

uint64_t cudart_variable_reach(uint64_t value)
{
    if (value < (uintptr_t)twins_from || value >= (uintptr_t)twins_to) return value;
    for (size_t i = 0; i < variables.capacity; ++i) {
        const struct cudart_variable *v = variables.slot[i];
        uint64_t host = v ? (uintptr_t)v->host : 0;
        if (v && value >= host && value - host < v->bytes) return v->address + (value - host);
    }
    return value;
}

cudaError_t cudart_module_load(struct cudart_module *module, const char *name, uint32_t *number, char linked[HOST_NAME])
{
    size_t length = strlen(name);
    int fresh = !module->loaded;
    if (fresh) load(module);
    if (fresh && !module->error) module->error = map_twins();
    *number = module->number;
    if (module->error) return module->error;
    int own = module->relocatable && fatbin_is_local(name, length);
    int total = own ? snprintf(linked, HOST_NAME, "%s" FATBIN_LOCAL "%u", name, module->file)
                    : snprintf(linked, HOST_NAME, "%s", name);
    return total < HOST_NAME ? cudaSuccess : cudaErrorSymbolNotFound;
}

// ---------------------------------------------------------------- kernels
static cudaError_t ask(struct cudart_kernel *kernel)
{
    struct host_command command = {.op = HOST_OP_function};
    cudaError_t error =
        cudart_module_load(kernel->module, kernel->name, &command.function.module, command.function.name);
    if (!error) error = cudart_send(&command, &kernel->facts, NULL);
    if (error == cudaErrorSymbolNotFound) error = cudaErrorInvalidDeviceFunction;
    if (error) return error;
    kernel->params = (unsigned)(kernel->facts.bytes / sizeof *kernel->param);
    free(kernel->param);
    kernel->param = alloc_bytes(kernel->facts.bytes + 1);
    memcpy(kernel->param, cudart_data(), kernel->params * sizeof *kernel->param);
    kernel->param_bytes = 0;
    for (unsigned i = 0; i < kernel->params; ++i)
        kernel->param_bytes = kernel->param[i].offset + kernel->param[i].bytes;
    kernel->ready = 1;
    return cudaSuccess;
}

static int is_kernel(const void *at)
{
    for (size_t i = 0; i < kernels.capacity; ++i)
        if (kernels.slot[i] == at) return 1;
    return 0;
}

cudaError_t cudart_kernel_find(const void *function, struct cudart_kernel **out)
{
    struct cudart_kernel *kernel = function ? look_up(&kernels, function) : NULL;
    if (!kernel && function && is_kernel(function)) kernel = (struct cudart_kernel *)(uintptr_t)function;
    *out = kernel;
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    return kernel->ready ? cudaSuccess : ask(kernel);
}

void cudart_register_reset(void)
{
    for (size_t i = 0; i < kernels.capacity; ++i)
        if (kernels.slot[i]) ((struct cudart_kernel *)kernels.slot[i])->ready = 0;
}

// ---------------------------------------------------------------- variables
struct cudart_variable *cudart_variable_find(const void *host)
{
    return look_up(&variables, host);
}

// Maps all managed variables of the module. A program compiled by nvcc calls __cudaInitModule() before it first
// accesses a managed variable of the module.
API char __cudaInitModule(void **handle)
{
    cudart_enter("__cudaInitModule", __builtin_return_address(0));
    struct cudart_module *module = (struct cudart_module *)handle;
    cudaError_t error = cudaSuccess;
    for (size_t i = 0; i < variables.capacity && !error; ++i) {
        struct cudart_variable *v = variables.slot[i];
        if (!v || v->module != module || !v->managed) continue;
        uint64_t address, bytes;
        error = cudart_symbol(v->host, &address, &bytes);
        if (!error) *v->managed = (void *)(uintptr_t)address;
    }
    if (error) cudart_stop("the program's managed variables: %s", cudaGetErrorString(error));
    cudart_leave_quietly(cudaSuccess);
    return 1;
}
