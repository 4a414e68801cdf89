// Launches kernels. This file refuses the launches that a driver would refuse, runs the kernel, and translates the
// kernel's defects into errors of the host program. The program gets the error of a kernel only from an API call at
// which a real driver would know that the kernel has failed.
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/die.h"
#include "host/devices/devices.h"
#include "ptx/ptx.h"
#include "sim/core/plan.h"
#include "sim/machine/allocator.h"
#include "sim/machine/memory.h"
#include "sim/sim_run.h"

enum { WORKSPACE_BYTES = 8, PRINT_MOST = 64 << 20 };
// The constants BUDGET_* give the budget of a launch: the number of warp instructions after which the simulator stops
// the kernel. The budget of a launch is BUDGET_BASE plus BUDGET_WARP for each warp, at most BUDGET_MOST, which takes
// about half a minute to simulate. With this budget, the simulator stops a launch of a single warp in an endless loop
// within seconds.
#define BUDGET_BASE ((uint64_t)192 << 20)
#define BUDGET_WARP ((uint64_t)4 << 20)
#define BUDGET_MOST ((uint64_t)4 << 30)
// A launch takes the simulator about as long as LAUNCH_INST warp instructions, and looking for what it accessed as long
// as REGION_INST for each memory region.
enum { LAUNCH_INST = 512, REGION_INST = 8 };

// Checks the grid, the block and the shared memory of a launch, and returns the error code of the first limit that is
// exceeded. The simulator checks those limits of a launch that check_shape() does not check.
static uint32_t check_shape(const struct devices_call *c, const struct sim_program *p, uint32_t max_dynamic)
{
    const struct host_launch *q = &c->command->launch;
    static const uint32_t grid_most[3] = {0x7fffffff, 65535, 65535}, block_most[3] = {1024, 1024, 64};
    const struct ptx_func *f = &p->module->func[p->entry];
    uint64_t threads = 1, bound = 1;
    for (int i = 0; i < 3; i++) {
        if (!q->grid[i] || q->grid[i] > grid_most[i] || !q->block[i] || q->block[i] > block_most[i])
            return HOST_INVALID_CONFIGURATION;
        threads *= q->block[i];
        bound *= f->maxntid[i] ? f->maxntid[i] : 1;
    }
    if (threads > (uint64_t)c->m->profile->threads_per_block) return HOST_INVALID_CONFIGURATION;
    if (f->maxntid[0] && threads > bound) return HOST_TOO_MANY_RESOURCES;
    return q->shared > max_dynamic ? HOST_INVALID_VALUE : HOST_SUCCESS;
}

// Returns the address of the barrier by which the device's cooperative grids synchronise, or 0 if memory runs out. The
// barrier of cooperative grids has 8 bytes, which are 0 at first.
static uint64_t workspace(struct devices_call *c)
{
    struct devices_device *d = devices_device_of(c);
    if (d->workspace) return d->workspace;
    int region = sim_memory_map(c->m->memory, WORKSPACE_BYTES, NULL, (int)c->command->device, 1);
    return d->workspace = region < 0 ? 0 : c->m->memory->region[region]->base;
}

static uint32_t check_cooperative(const struct devices_call *c, const struct observation *o)
{
    const struct host_launch *q = &c->command->launch;
    unsigned __int128 blocks = (unsigned __int128)q->grid[0] * q->grid[1] * q->grid[2];
    if (!q->cooperative || blocks <= (unsigned __int128)o->blocks_per_sm * (uint64_t)c->m->profile->sms)
        return HOST_SUCCESS;
    return HOST_COOPERATIVE_TOO_LARGE;
}

// Returns the error that a defect found in the kernel causes for the host program, or HOST_SUCCESS.
static uint32_t fault_of(const struct finding *f)
{
    switch (f->kind) {
    case FINDING_out_of_bounds:
    case FINDING_bad_address:
    case FINDING_read_only:
        return HOST_ILLEGAL_ADDRESS;
    case FINDING_misaligned:
        return HOST_MISALIGNED_ADDRESS;
    case FINDING_assertion:
        return HOST_ASSERT;
    case FINDING_too_long:
    case FINDING_deadlock:
        return HOST_LAUNCH_TIMEOUT;
    case FINDING_trap:
    case FINDING_bad_call:
        return HOST_LAUNCH_FAILURE;
    default:
        return HOST_SUCCESS;
    }
}

static uint32_t fault(const struct observation *o)
{
    uint32_t code = o->status == OBSERVED_UNSUPPORTED ? HOST_NOT_SUPPORTED : HOST_SUCCESS;
    for (uint32_t i = 0; i < o->nfindings && !code; i++) code = fault_of(&o->finding[i]);
    return code || o->status == OBSERVED_OK ? code : HOST_LAUNCH_FAILURE;
}

// Returns the index into host_trace.source of the module's file number `path`. Each module of a program numbers its
// source files from 0, so a module's file number is not unique in a program.
static uint32_t source_of(struct devices *m, const struct ptx_module *module, uint32_t path)
{
    const char *name = path < module->nfiles ? module->file[path] : NULL;
    return devices_trace_source(m, name ? name : "?");
}

static void take_lines(struct devices *m, uint32_t kernel, const struct sim_program *p, const struct observation *o)
{
    uint32_t source = 0;
    const struct line_counters *last = NULL;
    for (uint32_t i = 0; i < o->nlines; i++) {
        const struct line_counters *l = &o->line[i];
        if (l->file != FILE_STUDENT || !l->line) continue;
        if (!last || last->path != l->path) source = source_of(m, p->module, l->path);
        devices_trace_line(m, kernel, source, l);
        last = l;
    }
}

static void take_findings(struct devices_call *c, uint32_t kernel, const struct sim_program *p,
                          const struct observation *o)
{
    for (uint32_t i = 0; i < o->nfindings; i++) {
        struct host_trace_finding f = {.kernel = kernel, .place = c->command->place, .finding = o->finding[i]};
        f.finding.at.path = source_of(c->m, p->module, f.finding.at.path);
        f.finding.other.path = source_of(c->m, p->module, f.finding.other.path);
        int32_t region = f.finding.buffer;
        if (region >= 0 && (uint32_t)region < c->m->nmem && c->m->mem[region].kind != HOST_MEMORY_NONE) {
            f.allocated = 1;
            f.bytes = c->m->mem[region].bytes;
            f.origin = c->m->mem[region].origin;
        }
        devices_defect_add(c->m, &f);
    }
    c->m->trace->findings_dropped += o->findings_dropped;
}

// Returns the time in which the kernel occupies multiprocessors, in ps.
static uint64_t work_of(const struct devices *m, const struct observation *o)
{
    uint64_t launch = (uint64_t)m->profile->launch_ns * 1000;
    return o->time_ps > launch ? o->time_ps - launch : 0;
}

// Returns the share of the multiprocessors that the kernel can use, in permille.
static uint32_t demand_of(const struct devices *m, const struct observation *o)
{
    uint64_t room = (uint64_t)m->profile->sms * (o->blocks_per_sm ? o->blocks_per_sm : 1);
    return o->blocks >= room ? 1000 : (uint32_t)(o->blocks * 1000 / room) + 1;
}

// Records that the launch was stopped, either because the kernel would never have ended, or because it has used up its
// instruction budget.
static void say_stopped(struct devices *m, const struct observation *o)
{
    for (uint32_t i = 0; i < o->nfindings; i++) {
        if (o->finding[i].kind == FINDING_too_long && o->finding[i].text[0])
            devices_incomplete(m, "a kernel was stopped, because a loop in it never ends");
        else if (o->finding[i].kind == FINDING_too_long)
            devices_incomplete(m, "a kernel was stopped after %" PRIu64 " warp instructions", o->finding[i].value);
        if (o->finding[i].kind == FINDING_deadlock)
            devices_incomplete(m, "a kernel was stopped, because its threads wait for each other");
    }
}

// Enters a launch, whose kernel the simulator has already run, as an operation of its stream on the virtual clock. Adds
// the launch's results to the host trace.
static void account(struct devices_call *c, const struct devices_function *f, const struct sim_program *p,
                    const struct engine_launch *request, const uint8_t *params, uint32_t index)
{
    struct devices *m = c->m;
    const struct observation *o = m->observation;
    uint64_t host[2], drain = (uint64_t)m->profile->kernel_ns * 1000, time = work_of(m, o) + drain;
    devices_io_launched(c, f, params, host);
    uint64_t link_ps = devices_link_ps(m->profile, host[0], host[1]);
    int bound = link_ps > time; // the link to the host is what the kernel waits for
    if (bound) time = link_ps;
    struct clock_op op = {.engine = CLOCK_COMPUTE,
                          .demand = demand_of(m, o),
                          .direct = bound && !(host[0] && host[1]), // devices_link_ps() knows of both
                          .link = {[CLOCK_WRITE] = bound && host[0], [CLOCK_READ] = bound && host[1]},
                          .work_ps = time - drain,
                          .drain_ps = drain};
    uint32_t kernel = devices_trace_kernel(m, f->name, request, o, time, bound || o->linked);
    struct host_trace_span span = {.kind = SPAN_KERNEL,
                                   .device = c->command->device,
                                   .stream = c->command->launch.stream,
                                   .kernel = kernel,
                                   .place = c->command->place};
    c->reply->ticket = devices_submit(c, index, &op, &span);
    take_findings(c, kernel, p, o);
    take_lines(m, kernel, p, o);
    devices_defect_kernel(c, index);
    struct devices_device *d = devices_device_of(c);
    uint32_t code = fault(o);
    if (code == HOST_LAUNCH_TIMEOUT) say_stopped(m, o);
    if (!code || d->fault) return;
    d->fault = code;
    d->fault_ticket = c->reply->ticket;
    devices_say(c, "%s", o->message);
}

static uint64_t budget_left(const struct devices *m)
{
    return m->options.budget - m->spent;
}

int devices_spend(struct devices *m, uint64_t inst)
{
    if (!m->options.budget || inst <= budget_left(m)) {
        m->spent += m->options.budget ? inst : 0;
        return 0;
    }
    m->spent = m->options.budget;
    m->trace->exhausted = 1;
    m->trace->error = HOST_LAUNCH_TIMEOUT;
    for (uint32_t d = 0; d < m->options.devices; d++) m->device[d].sticky = HOST_LAUNCH_TIMEOUT;
    return -1;
}

// Charges the warp instructions that the launch executed. The counters of a sampled launch are those of the whole grid.
// A launch that was stopped has used up the budget of all launches, so its finding tells that budget.
static void charge(struct devices *m, struct observation *o)
{
    double share = o->blocks ? (double)o->blocks_run / (double)o->blocks : 1, left = (double)budget_left(m);
    double inst = (double)o->counters.warp_inst * share;
    devices_spend(m, (uint64_t)(inst < left ? inst : left));
    for (uint32_t i = 0; i < o->nfindings && m->options.budget; i++)
        if (o->finding[i].kind == FINDING_too_long) o->finding[i].value = m->options.budget;
}

// Returns the budget of the next launch, in warp instructions.
static uint64_t budget_of(const struct devices *m, const struct host_launch *q)
{
    uint64_t threads = (uint64_t)q->block[0] * q->block[1] * q->block[2];
    unsigned __int128 blocks = (unsigned __int128)q->grid[0] * q->grid[1] * q->grid[2];
    unsigned __int128 all = BUDGET_BASE + blocks * ((threads + 31) / 32) * BUDGET_WARP;
    if (m->options.budget) return budget_left(m) ? budget_left(m) : 1;
    return all < BUDGET_MOST ? (uint64_t)all : BUDGET_MOST;
}

uint32_t devices_launch(struct devices_call *c)
{
    struct devices *m = c->m;
    const struct host_launch *q = &c->command->launch;
    struct devices_function *f = devices_function_of(c, q->function);
    uint8_t params[PLAN_PARAM_BYTES] = {0};
    uint32_t index;
    struct devices_stream *s = devices_stream_of(c, q->stream, &index);
    if (!f) return HOST_INVALID_DEVICE_FUNCTION;
    if (!s || s->device != c->command->device) return HOST_INVALID_RESOURCE;
    const struct sim_program *p = devices_program(c, f, s->device);
    if (!p) return HOST_UNSUPPORTED_PTX;
    uint32_t result = check_shape(c, p, f->max_dynamic);
    if (result) return result;
    if (q->param_bytes > HOST_PARAM_BYTES || q->param_bytes < p->plan->param_bytes) return HOST_INVALID_VALUE;
    memcpy(params, c->data, q->param_bytes);
    struct engine_launch request = {.shared = (uint32_t)q->shared,
                                    .checks = m->options.checks ? CHECK_ALL : CHECK_BOUNDS,
                                    .cold = devices_l2_is_on(m) ? 2 : 0,
                                    .sample_inst = m->options.sample_inst};
    memcpy(request.grid, q->grid, sizeof request.grid);
    memcpy(request.block, q->block, sizeof request.block);
    struct sim_run run = {.device = m->profile,
                          .threads = m->options.threads,
                          .memory = m->memory,
                          .program = p,
                          .request = &request,
                          .params = params,
                          .print_bytes = PRINT_MOST,
                          .lines = devices_l2_of(m, s->device),
                          .print = &m->print};
    if (sim_run_refused(&run, m->observation)) {
        devices_say(c, "%s", m->observation->message);
        return HOST_TOO_MANY_RESOURCES;
    }
    if ((result = check_cooperative(c, m->observation))) return result;
    if (p->plan->allocates && allocator_open(m->memory, (int)s->device, devices_device_of(c)->limit[HOST_LIMIT_HEAP]))
        return HOST_OUT_OF_MEMORY;
    if (q->cooperative && !(run.workspace = workspace(c))) return HOST_OUT_OF_MEMORY;
    if (devices_spend(m, LAUNCH_INST + REGION_INST * (uint64_t)m->memory->nregions)) return HOST_LAUNCH_TIMEOUT;
    request.budget = budget_of(m, q);
    devices_order_join(&s->order, &m->host);
    devices_deliver(m, &s->order);
    sim_memory_set_visible(m->memory, devices_device_of(c)->peers | devices_device_of(c)->pools | 1u << s->device);
    sim_memory_watch(m->memory, m->options.checks || m->io);
    struct devices_launching launching = {p, &request, params, s->device, q->cooperative};
    size_t printed = m->print.length;
    if (devices_cache_recall(m, &launching)) {
        m->trace->recalled++;
    } else {
        devices_l2_begin(m, s->device);
        sim_run(&run, m->observation);
        devices_l2_end(m, s->device);
        devices_cache_store(m, &launching, m->print.length != printed);
    }
    charge(m, m->observation);
    account(c, f, p, &request, params, index);
    sim_memory_set_visible(m->memory, UINT32_MAX);
    return HOST_SUCCESS;
}
