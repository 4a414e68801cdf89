// Runs the timed iterations of a host test on real GPUs, as host/border/iteration.h describes. After each timed
// iteration, card_io.c checks that the lab's kernel (the kernel that the lab supplies) computed the outputs, and that
// copies moved the outputs to the host.
//
// The program's input and output arrays must be page-locked, so that the runner process can map the arrays too. While
// the program waits, the runner copies inputs into the program's input arrays and outputs out of the program's output
// arrays. The judge's measurement does not include the time in which the runner copies inputs and outputs. After the
// clock has stopped, the runner computes three sets of addresses from the log of operations. The set `fresh` contains
// the addresses of copied inputs, and the set `given` contains the addresses of results of the lab's kernel. The set
// `brought` contains the addresses of finished outputs on the host.
//
//   fresh     addresses to which a copy from an input of this iteration wrote
//   given     addresses to which the lab's kernel wrote, with inputs from `fresh`
//   brought   output addresses that a copy wrote from `given`, or that the host announced as its own share
//
// The measurement is valid only if all addresses of each output are in the set `brought`. The judge, not the runner,
// checks whether the output values are correct.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/alloc.h"
#include "base/die.h"
#include "base/memory.h"
#include "host/border/ranges.h"
#include "host/cards/cards.h"

enum { WORK_MOST = 1 << 16, THREADS = 4, IO = 6, OUTPUTS = 7 };

void card_io_open(struct cards *c)
{
    uint64_t bytes = 0;
    c->io = memory_shared(IO, PROT_READ, &bytes);
    c->outputs = memory_shared(OUTPUTS, PROT_READ | PROT_WRITE, &c->outputs_bytes);
    c->work = alloc_zeroed(WORK_MOST, sizeof *c->work);
    BUG_ON(!c->io || !c->outputs);
    if (!host_io_is_sound(c->io, bytes)) die("the I/O block comes from another build: run 'make'");
    c->layout = *c->io;
}

// ---------------------------------------------------------------- bytes, moved by several threads
struct piece {
    unsigned char *to;
    const unsigned char *from; // NULL: fill with `poison`
    uint64_t bytes;
    uint32_t poison;
};

static void *move_piece(void *data)
{
    const struct piece *p = data;
    if (p->from) {
        memcpy(p->to, p->from, p->bytes);
        return NULL;
    }
    for (uint64_t at = 0; at + HOST_IO_WORD <= p->bytes; at += HOST_IO_WORD)
        memcpy(p->to + at, &p->poison, HOST_IO_WORD);
    return NULL;
}

static void move(void *to, const void *from, uint64_t bytes, uint32_t poison)
{
    pthread_t thread[THREADS];
    struct piece piece[THREADS];
    for (uint64_t i = 0; i < THREADS; ++i) {
        uint64_t first = bytes * i / THREADS / HOST_IO_WORD * HOST_IO_WORD,
                 last = i + 1 == THREADS ? bytes : bytes * (i + 1) / THREADS / HOST_IO_WORD * HOST_IO_WORD;
        piece[i] = (struct piece){.to = (unsigned char *)to + first,
                                  .from = from ? (const unsigned char *)from + first : NULL,
                                  .bytes = last - first,
                                  .poison = poison};
        if (pthread_create(&thread[i], NULL, move_piece, &piece[i])) die("cannot start a thread");
    }
    for (int i = 0; i < THREADS; ++i) pthread_join(thread[i], NULL);
}

// ---------------------------------------------------------------- iterations
static void say(const struct cards *c, struct iteration_message m)
{
    iteration_send(c->judge, &m);
}

// Waits until the judge sends the message `wanted`. While waiting, await() answers the judge's requests for the health
// of the card (its clock frequency, for example). Sets c->over if the judge has ended or has no more iterations.
static void await(struct cards *c, enum iteration_word wanted)
{
    struct iteration_message m;
    while (!c->over) {
        if (iteration_receive(c->judge, &m, 0, 0) || m.word == ITERATION_OVER) {
            c->over = 1;
        } else if (m.word == ITERATION_ASK) {
            struct iteration_message answer = {.word = ITERATION_HEALTH};
            gpu_card_health(&c->card[0], &answer.health);
            say(c, answer);
        } else if (m.word == wanted) {
            c->poison = m.poison;
            return;
        }
    }
}

uint32_t card_test(struct card_call *q)
{
    struct cards *c = q->c;
    struct host_test_facts facts;
    if (c->begun) return HOST_INVALID_VALUE;
    uint32_t result = cards_synchronize(c);
    if (result) return result;
    say(c, (struct iteration_message){.word = ITERATION_IDLE});
    await(c, ITERATION_NEXT);
    host_io_facts(&c->layout, &facts);
    facts.over = (uint32_t)c->over;
    facts.moves = 1;
    memcpy(q->data, &facts, sizeof facts);
    return HOST_SUCCESS;
}

uint32_t card_test_begin(struct card_call *q)
{
    struct cards *c = q->c;
    if (c->begun || c->over) return HOST_INVALID_VALUE;
    memcpy(c->address, q->command->test_begin.address, sizeof c->address);
    uint32_t result = cards_synchronize(c);
    for (uint32_t b = 0; b < c->layout.nbuffers && !result; ++b) {
        const struct host_io_buffer *buffer = &c->layout.buffer[b];
        const struct card_memory *m = card_memory_find(c, c->address[b], buffer->bytes);
        if (!m || m->kind != HOST_MEMORY_PINNED) return cards_void(c, VOID_LOCKED, "");
        void *at = (void *)(uintptr_t)c->address[b];
        move(at, host_io_is_output(&c->layout, b) ? NULL : (const char *)c->io + buffer->at, buffer->bytes, c->poison);
    }
    if (result) return result;
    c->begun = 1;
    c->nwork = 0;
    c->host_words = 0;
    say(c, (struct iteration_message){.word = ITERATION_READY});
    await(c, ITERATION_GO);
    return c->over ? HOST_NOT_SUPPORTED : HOST_SUCCESS;
}

void card_io_note(struct cards *c, enum card_act act, uint64_t to, uint64_t from, uint64_t bytes)
{
    if (!c->begun || !bytes) return;
    if (c->nwork == WORK_MOST)
        cards_void(c, VOID_MANY, "");
    else
        c->work[c->nwork++] = (struct card_work){.act = act, .to = to, .from = from, .bytes = bytes};
}

struct sets {
    struct ranges fresh, given, brought;
};

static void follow(const struct cards *c, struct sets *s, const struct card_work *w)
{
    uint64_t end = w->to + w->bytes, from_end = w->from + w->bytes;
    int fresh = w->act == ACT_COPY && host_io_find(&c->layout, c->address, 0, w->from, w->bytes, NULL) >= 0;
    int given = w->act == ACT_KERNEL && ranges_have(&s->fresh, w->from, from_end);
    int brought = w->act == ACT_HOST || (w->act == ACT_COPY && ranges_have(&s->given, w->from, from_end));
    (fresh ? ranges_add : ranges_remove)(&s->fresh, w->to, end);
    (given ? ranges_add : ranges_remove)(&s->given, w->to, end);
    (brought ? ranges_add : ranges_remove)(&s->brought, w->to, end);
}

// Returns 1 if all output addresses are in the set `brought`, the addresses of finished outputs on the host.
static int is_brought(const struct cards *c)
{
    struct sets s = {0};
    int all = 1;
    for (uint32_t i = 0; i < c->nwork; ++i) follow(c, &s, &c->work[i]);
    for (uint32_t b = 0; b < c->layout.nbuffers; ++b)
        if (host_io_is_output(&c->layout, b))
            all &= ranges_have(&s.brought, c->address[b], c->address[b] + c->layout.buffer[b].bytes);
    ranges_free(&s.fresh);
    ranges_free(&s.given);
    ranges_free(&s.brought);
    return all;
}

uint32_t card_test_end(struct card_call *q)
{
    struct cards *c = q->c;
    if (!c->begun) return HOST_INVALID_VALUE;
    uint32_t result = cards_synchronize(c);
    if (result) return result;
    say(c, (struct iteration_message){.word = ITERATION_DONE});
    c->begun = 0;
    for (uint32_t b = 0; b < c->layout.nbuffers; ++b) {
        const struct host_io_buffer *buffer = &c->layout.buffer[b];
        if (!host_io_is_output(&c->layout, b)) continue;
        BUG_ON(buffer->at > c->outputs_bytes || buffer->bytes > c->outputs_bytes - buffer->at);
        if (!card_memory_find(c, c->address[b], buffer->bytes)) return cards_void(c, VOID_LOCKED, "");
        move(c->outputs + buffer->at, (void *)(uintptr_t)c->address[b], buffer->bytes, 0);
    }
    if (!is_brought(c)) return cards_void(c, VOID_WAY, "");
    say(c, (struct iteration_message){.word = ITERATION_GIVEN, .host_words = c->host_words});
    return HOST_SUCCESS;
}

uint32_t card_test_work(struct card_call *q)
{
    struct cards *c = q->c;
    const struct host_test_work *w = &q->command->test_work;
    if (!c->begun || !c->layout.host_ps) return HOST_INVALID_VALUE;
    if (host_io_find(&c->layout, c->address, 1, w->address, w->bytes, NULL) < 0) return HOST_INVALID_VALUE;
    card_io_note(c, ACT_HOST, w->address, 0, w->bytes);
    c->host_words += w->bytes / HOST_IO_WORD;
    return HOST_SUCCESS;
}
