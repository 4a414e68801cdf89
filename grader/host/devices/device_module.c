// Holds the device code of a host program. The runner parses and links PTX texts when the program loads the texts, so
// that the program gets errors in its PTX when it loads the PTX. At the first use of a module on a device, the device
// gets its own copy of the module's variables and of its translated code.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/die.h"
#include "base/message.h"
#include "device/occupancy.h"
#include "host/devices/devices.h"
#include "ptx/ptx.h"
#include "sim/machine/memory.h"
#include "sim/sim_run.h"

enum { MODULES_MOST = 1024, FUNCTIONS_MOST = 1 << 16, UNITS_MOST = 256 };

// Parses and links the PTX texts of a module. Returns NULL with a sentence in `message` if the PTX texts are invalid.
static struct ptx_module *parse(const struct devices_module *module, char message[OBSERVATION_MESSAGE])
{
    struct ptx_error error = {0};
    const char *text[UNITS_MOST];
    size_t bytes[UNITS_MOST];
    const char *at = module->text;
    uint32_t units = module->units;
    for (uint32_t u = 0; u < units; at += module->bytes[u++]) {
        text[u] = at;
        bytes[u] = module->bytes[u];
    }
    struct ptx_module *m = ptx_link(text, bytes, units, &error);
    if (!m) message_print(message, OBSERVATION_MESSAGE, "%u:%u: %s", error.line, error.column, error.message);
    return m;
}

// Copies PTX texts out of the data area, the memory that the program shares with the runner. In the data area, a
// uint64_t with its size precedes each PTX text. Returns 0, or -1 if the PTX texts and their sizes do not fit into
// `bytes` bytes.
static int take_texts(struct devices_module *module, const unsigned char *data, uint64_t bytes, uint32_t units)
{
    unsigned char *copy = alloc_copy(data, bytes); // a copy, because the host may change the data at any time
    module->bytes = alloc_zeroed(units, sizeof *module->bytes);
    module->text = alloc_bytes(bytes + 1);
    uint64_t at = 0, to = 0;
    for (uint32_t u = 0; u < units; u++) {
        uint64_t size = 0;
        if (bytes - at < sizeof size) goto bad;
        memcpy(&size, copy + at, sizeof size);
        at += sizeof size;
        if (size > bytes - at) goto bad;
        memcpy(module->text + to, copy + at, size);
        module->bytes[module->units++] = size;
        at += size;
        to += size;
    }
    free(copy);
    return 0;
bad:
    free(copy);
    return -1;
}

static struct sim_image *image_of(struct devices *m, struct devices_module *module, uint32_t device,
                                  char message[OBSERVATION_MESSAGE])
{
    if (module->image[device]) return module->image[device];
    struct ptx_module *ptx = parse(module, message);
    if (!ptx) return NULL;
    sim_memory_set_owner(m->memory, (int)device);
    module->image[device] = sim_image_new(ptx, m->memory, m->handlers, message);
    sim_memory_set_owner(m->memory, -1);
    return module->image[device];
}

uint32_t devices_load(struct devices_call *c)
{
    struct devices *m = c->m;
    const struct host_load *q = &c->command->load;
    char message[OBSERVATION_MESSAGE] = "";
    if (!q->units || q->units > UNITS_MOST || q->bytes > HOST_DATA || m->nmodules == MODULES_MOST)
        return HOST_INVALID_VALUE;
    ALLOC_GROW(m->module, m->modules_capacity, m->nmodules + 1);
    struct devices_module *module = &m->module[m->nmodules];
    memset(module, 0, sizeof *module);
    if (!take_texts(module, c->data, q->bytes, q->units) && image_of(m, module, c->command->device, message)) {
        c->reply->module = m->nmodules++;
        return HOST_SUCCESS;
    }
    devices_refuse(c, "%s", message);
    free(module->text);
    free(module->bytes);
    return HOST_INVALID_PTX;
}

const struct sim_program *devices_program(struct devices_call *c, const struct devices_function *f, uint32_t device)
{
    char message[OBSERVATION_MESSAGE] = "";
    struct sim_image *image = image_of(c->m, &c->m->module[f->module], device, message);
    const struct sim_program *p = image ? sim_image_program(image, f->func, message) : NULL;
    if (p) return p;
    devices_refuse(c, "%s", message);
    return NULL;
}

struct devices_function *devices_function_of(const struct devices_call *c, uint32_t function)
{
    return function < c->m->nfunctions ? &c->m->function[function] : NULL;
}

int devices_module_has(struct devices_call *c, uint32_t module, const char *name)
{
    char message[OBSERVATION_MESSAGE] = "";
    struct sim_image *image = image_of(c->m, &c->m->module[module], c->command->device, message);
    if (!image) die("the given kernels do not load: %s", message);
    return sim_image_kernel(image, name, HOST_NAME) >= 0;
}

static int is_terminated(const char *name)
{
    return memchr(name, 0, HOST_NAME) != NULL;
}

static void describe(struct devices_call *c, const struct sim_program *p, const struct devices_function *f)
{
    const struct ptx_module *m = p->module;
    const struct ptx_func *func = &m->func[p->entry];
    struct host_param *param = (struct host_param *)c->data;
    uint64_t offset = 0, constants = 0, bound = 1;
    for (uint32_t i = 0; i < func->nparams && i < HOST_PARAMS; i++) {
        const struct ptx_var *v = &m->var[func->param[i]];
        uint64_t align = v->align ? v->align : 1;
        offset = (offset + align - 1) / align * align;
        param[i] = (struct host_param){.offset = (uint32_t)offset, .bytes = (uint32_t)v->bytes};
        offset += v->bytes;
        c->reply->bytes = (i + 1) * sizeof *param;
    }
    for (uint32_t v = 0; v < m->nvars; v++)
        if (m->var[v].space == PTX_CONST) constants += m->var[v].bytes;
    for (int i = 0; i < 3; i++) bound *= func->maxntid[i] ? func->maxntid[i] : 1;
    struct occupancy fits = occupancy_of(c->m->profile, 32, p->registers, 0);
    uint32_t most = (uint32_t)c->m->profile->threads_per_block;
    uint64_t by_registers = (uint64_t)fits.by[LIMIT_REGISTERS] * 32;
    if (func->registers && by_registers < most) most = (uint32_t)by_registers; // an estimate refuses no launch
    if (func->maxntid[0] && bound < most) most = (uint32_t)bound;
    struct host_reply *r = c->reply;
    r->registers = p->registers;
    r->shared_bytes = p->shared->charged_bytes;
    r->local_bytes = p->local_bytes;
    r->const_bytes = (uint32_t)constants;
    r->threads_per_block = most;
    r->max_dynamic_shared = f->max_dynamic;
    r->ptx_version = m->sm;
    r->carveout = f->carveout;
}

uint32_t devices_function(struct devices_call *c)
{
    struct devices *m = c->m;
    const struct host_function *q = &c->command->function;
    char message[OBSERVATION_MESSAGE] = "";
    if (q->module >= m->nmodules || !is_terminated(q->name)) return HOST_INVALID_RESOURCE;
    uint32_t module = devices_io_module(c, q->module, q->name);
    struct sim_image *image = image_of(m, &m->module[module], c->command->device, message);
    int func = image ? sim_image_kernel(image, q->name, HOST_NAME) : -1;
    if (func < 0) return HOST_INVALID_DEVICE_FUNCTION;
    uint32_t k = 0;
    while (k < m->nfunctions && (m->function[k].module != module || m->function[k].func != (uint32_t)func)) k++;
    if (k == FUNCTIONS_MOST) {
        devices_refuse(c, "the simulator holds at most %d kernels of a program", FUNCTIONS_MOST);
        return HOST_OUT_OF_MEMORY;
    }
    if (k == m->nfunctions) {
        ALLOC_GROW(m->function, m->functions_capacity, m->nfunctions + 1);
        struct devices_function *f = &m->function[m->nfunctions++];
        *f = (struct devices_function){.module = module, .func = (uint32_t)func, .carveout = -1};
        memcpy(f->name, q->name, sizeof f->name);
    }
    const struct sim_program *p = devices_program(c, &m->function[k], c->command->device);
    if (!p) return HOST_UNSUPPORTED_PTX;
    if (!m->function[k].max_dynamic) {
        uint32_t room = (uint32_t)m->profile->shared_static, used = p->shared->charged_bytes;
        m->function[k].max_dynamic = used < room ? room - used : 0;
    }
    describe(c, p, &m->function[k]);
    c->reply->function = k;
    return HOST_SUCCESS;
}

uint32_t devices_variable(struct devices_call *c)
{
    struct devices *m = c->m;
    const struct host_variable *q = &c->command->variable;
    char message[OBSERVATION_MESSAGE] = "";
    if (q->module >= m->nmodules || !is_terminated(q->name)) return HOST_INVALID_SYMBOL;
    struct sim_image *image = image_of(m, &m->module[q->module], c->command->device, message);
    const struct ptx_module *ptx = image ? sim_image_module(image) : NULL;
    int v = ptx ? ptx_find_var(ptx, q->name) : -1;
    if (v < 0 || (ptx->var[v].space != PTX_GLOBAL && ptx->var[v].space != PTX_CONST)) return HOST_INVALID_SYMBOL;
    uint64_t address = sim_memory_var_address(m->memory, ptx, (uint32_t)v);
    if (q->managed && (ptx->var[v].space == PTX_CONST || devices_share(c, address))) return HOST_OUT_OF_MEMORY;
    c->reply->address = ptx->var[v].space == PTX_CONST ? SIM_CONST_WINDOW + address : address;
    c->reply->bytes = ptx->var[v].bytes;
    return HOST_SUCCESS;
}

uint32_t devices_set_attribute(struct devices_call *c)
{
    const struct host_set_attribute *q = &c->command->set_attribute;
    struct devices_function *f = devices_function_of(c, q->function);
    if (!f) return HOST_INVALID_DEVICE_FUNCTION;
    if (q->attribute == HOST_CARVEOUT) {
        if (q->value < -1 || q->value > 100) return HOST_INVALID_VALUE;
        f->carveout = (int32_t)q->value;
        return HOST_SUCCESS;
    }
    const struct sim_program *p = devices_program(c, f, c->command->device);
    if (q->attribute != HOST_MAX_DYNAMIC_SHARED || !p || q->value < 0 ||
        q->value > c->m->profile->shared_per_block - (int64_t)p->shared->charged_bytes)
        return HOST_INVALID_VALUE;
    f->max_dynamic = (uint32_t)q->value;
    return HOST_SUCCESS;
}

uint32_t devices_occupancy(struct devices_call *c)
{
    const struct host_occupancy *q = &c->command->occupancy;
    const struct devices_function *f = devices_function_of(c, q->function);
    if (!f) return HOST_INVALID_DEVICE_FUNCTION;
    const struct sim_program *p = devices_program(c, f, c->command->device);
    if (!p || !q->block || q->block > (uint32_t)c->m->profile->threads_per_block) return HOST_INVALID_VALUE;
    uint64_t shared = q->shared + p->shared->charged_bytes;
    if (q->shared > (uint64_t)c->m->profile->shared_per_block || shared > (uint64_t)c->m->profile->shared_per_block)
        return HOST_SUCCESS; // the kernel fits 0 times on a multiprocessor
    uint32_t registers = sim_run_registers(c->m->profile, p, q->block);
    c->reply->bytes = occupancy_of(c->m->profile, q->block, registers, (uint32_t)shared).blocks;
    return HOST_SUCCESS;
}
