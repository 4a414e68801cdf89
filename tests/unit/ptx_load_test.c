// The module after loading: every directive, and the facts that the executor relies on (ptx.h).
#include "ptx/opcode.h"
#include "ptx_fixture.h"

static const char entry[] = HEAD "%s.visible .entry k(.param .u64 first, .param .align 8 .b8 q[24])\n{\n%s}\n";

// Index of the function of that name, or -1.
static int func_index(const struct ptx_module *m, const char *name)
{
    for (uint32_t i = 0; i < m->nfuncs; ++i)
        if (!strcmp(m->func[i].name, name)) return (int)i;
    return -1;
}

static struct ptx_module *load_body(const char *before, const char *body)
{
    static char text[8192];
    snprintf(text, sizeof text, entry, before, body);
    return load(text);
}

static void the_head_is_read(void **state)
{
    (void)state;
    struct ptx_module *m = load(".version 7.5\n.target sm_90a, debug\n.address_size 64\n.file 2 \"a b.cu\", 12, 34\n"
                                ".pragma \"x\";;\n.section .debug_x { .b8 1, \"}\" // }\n }");
    assert_int_equal(m->version, 75);
    assert_int_equal(m->sm, 90);
    assert_int_equal(m->is_debug, 1);
    assert_int_equal(m->nfiles, 3);
    assert_null(m->file[0]);
    assert_string_equal(m->file[2], "a b.cu");
    assert_int_equal(m->nfuncs, 0);
    ptx_free(m);
    ptx_free(NULL);
}

static void variables_have_size_and_alignment(void **state)
{
    (void)state;
    struct ptx_module *m =
        load(HEAD ".global .u8 a;\n.visible .const .align 16 .b8 b[3][5];\n.global .v4 .f32 c, d[2];\n"
                  ".extern .shared .align 16 .b8 e[];\n.extern .global .f64 f;\n.global .f64 f = 1.0;\n"
                  ".weak .global .attribute(.managed) .s16 g;\n.global .u64 h[0];");
    static const struct {
        const char *name;
        int space, type;
        uint64_t bytes;
        uint32_t align;
        int is_extern, is_visible;
    } expected[] = {
        {"a", PTX_GLOBAL, PTX_U8, 1, 1, 0, 0},
        {"b", PTX_CONST, PTX_B8, 15, 16, 0, PTX_VISIBLE_SYMBOL},
        {"c", PTX_GLOBAL, PTX_F32, 16, 16, 0, 0},
        {"d", PTX_GLOBAL, PTX_F32, 32, 16, 0, 0},
        {"e", PTX_SHARED, PTX_B8, 0, 16, 1, 0},
        {"f", PTX_GLOBAL, PTX_F64, 8, 8, 0, 0},
        {"g", PTX_GLOBAL, PTX_S16, 2, 2, 0, PTX_WEAK_SYMBOL},
        {"h", PTX_GLOBAL, PTX_U64, 0, 8, 0, 0},
    };
    assert_int_equal(m->nvars, sizeof expected / sizeof *expected);
    for (uint32_t i = 0; i < m->nvars; ++i) {
        const struct ptx_var *v = &m->var[i];
        assert_string_equal(v->name, expected[i].name);
        assert_int_equal(v->space, expected[i].space);
        assert_int_equal(v->type, expected[i].type);
        assert_int_equal(v->bytes, expected[i].bytes);
        assert_int_equal(v->align, expected[i].align);
        assert_int_equal(v->is_extern, expected[i].is_extern);
        assert_int_equal(v->is_visible, expected[i].is_visible);
        assert_int_equal(v->func, PTX_NO_REG);
        assert_int_equal(ptx_find_var(m, v->name), (int)i);
    }
    assert_int_equal(ptx_find_var(m, "nothing"), -1);
    assert_int_equal(m->var[1].line, 5);
    assert_int_equal(m->var[1].column, 31);
    ptx_free(m);
}

static void initial_values_are_bytes(void **state)
{
    (void)state;
    struct ptx_module *m =
        load(HEAD ".global .b8 a[6] = {1, -1, 0x7F, 010, 0b11};\n.global .f32 b[3] = {1.0, 0f80000000, -2.5};\n"
                  ".global .s16 c[2][3] = {{1}, {2, 3}};\n.const .u32 d = (2 + 3) * 4 - 7 / 2 ^ 1;\n"
                  ".global .u64 e = WARP_SZ;\n.global .b8 open[] = {1, 2, 3};\n.global .f64 g = 0d3FF0000000000000;\n"
                  ".global .u64 m = 0xFFFFFFFFFFFFFFFF;\n.global .s32 n[2] = {-5 / 2, -5U / 0x7FFFFFFFFFFFFFFFU};");
    const struct ptx_var *v = m->var;
    assert_int_equal(v[0].init_bytes, 5);
    assert_memory_equal(v[0].init, "\x01\xff\x7f\x08\x03", 5);
    const float b[] = {1.0f, -0.0f, -2.5f};
    assert_memory_equal(v[1].init, b, sizeof b);
    const int16_t c[] = {1, 0, 0, 2, 3, 0};
    assert_int_equal(v[2].init_bytes, sizeof c);
    assert_memory_equal(v[2].init, c, sizeof c);
    assert_int_equal(*(uint32_t *)(void *)v[3].init, ((2 + 3) * 4 - 7 / 2) ^ 1);
    assert_int_equal(*(uint64_t *)(void *)v[4].init, 32);
    assert_int_equal(v[5].bytes, 3);
    assert_true(*(double *)(void *)v[6].init == 1.0);
    assert_true(*(uint64_t *)(void *)v[7].init == UINT64_MAX);
    const int32_t n[] = {-2, 1};
    assert_memory_equal(v[8].init, n, sizeof n);
    ptx_free(m);
}

static void addresses_become_relocations(void **state)
{
    (void)state;
    struct ptx_module *m =
        load(HEAD ".global .u64 a[4] = {7, f, generic(b)+12, c+-4};\n.global .b8 b[16];\n"
                  ".global .align 1 .b8 c[10] = {9, 0xFF(generic(b+1)), 0xFF00(generic(b+1)), 0xFF0000(generic(b+1)),\n"
                  "0xFF000000(generic(b+1)), 0xFF00000000(generic(b+1)), 0xFF0000000000(generic(b+1)),\n"
                  "0xFF000000000000(generic(b+1)), 0xFF00000000000000(generic(b+1)), 8};\n.func f;");
    const struct ptx_var *a = &m->var[0], *c = &m->var[2];
    assert_int_equal(a->nrelocs, 3);
    assert_int_equal(a->reloc[0].offset, 8);
    assert_int_equal(a->reloc[0].is_func, 1);
    assert_int_equal(a->reloc[0].symbol, func_index(m, "f"));
    assert_int_equal(a->reloc[1].is_generic, 1);
    assert_int_equal(a->reloc[1].symbol, 1);
    assert_int_equal(a->reloc[1].addend, 12);
    assert_int_equal(a->reloc[2].is_generic, 0);
    assert_int_equal(a->reloc[2].symbol, 2);
    assert_int_equal(a->reloc[2].addend, -4);
    assert_int_equal(c->nrelocs, 1);
    assert_int_equal(c->reloc[0].offset, 1);
    assert_int_equal(c->reloc[0].addend, 1);
    assert_int_equal(c->init[9], 8);
    ptx_free(m);
}

static void functions_come_before_kernels(void **state)
{
    (void)state;
    struct ptx_module *m =
        load(HEAD ".entry k(.param .u32 a) { ret; }\n.global .u8 x;\n.func g(.param .u32 b) { ret; }\n"
                  ".entry l() { .shared .u32 s; call g, (7); ret; }");
    static const char *const func[] = {"g", "k", "l"}, *const var[] = {"x", "b", "a", "s"};
    assert_int_equal(m->nfuncs, 3);
    assert_int_equal(m->nvars, 4); // the module's first, then each function's
    for (int i = 0; i < 3; ++i) assert_int_equal(func_index(m, func[i]), i);
    for (int i = 0; i < 4; ++i) assert_string_equal(m->var[i].name, var[i]);
    assert_int_equal(m->var[3].func, 2);
    assert_int_equal(m->func[2].inst[0].operand[1].index, 0);
    assert_int_equal(m->func[1].param[0], 2);
    assert_int_equal(func_index(m, "m"), -1);
    ptx_free(m);
}

static void heads_hold_limits_and_parameters(void **state)
{
    (void)state;
    struct ptx_module *m =
        load(HEAD ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n"
                  ".func (.param .align 4 .b8 r[8]) g(.param .u32 x);\n.visible .entry k(\n"
                  ".param .u64 .ptr .global .align 4 p, .param .f32 q)\n.maxntid 64, 2\n.reqntid 32\n"
                  ".minnctapersm 2\n.maxnreg 40\n.pragma \"nounroll\";\n{ ret; }\n"
                  ".func (.param .align 4 .b8 s[8]) g(.param .u32 y) .noreturn { ret; }\n"
                  ".func (.param .align 4 .b8 t[8]) g(.param .u32 z);\n");
    assert_int_equal(m->nfuncs, 3);
    const struct ptx_func *vprintf_ = &m->func[0], *g = &m->func[1], *k = &m->func[2];
    assert_int_equal(vprintf_->is_extern, 1);
    assert_int_equal(vprintf_->has_body, 0);
    assert_int_equal(vprintf_->nparams, 2);
    assert_int_equal(vprintf_->nresults, 1);
    assert_int_equal(g->has_body, 1);
    assert_int_equal(g->is_noreturn, 1);
    assert_string_equal(m->var[g->param[0]].name, "y"); // the definition's
    assert_string_equal(m->var[g->result[0]].name, "s");
    assert_int_equal(m->var[g->result[0]].bytes, 8);
    assert_int_equal(m->var[g->result[0]].func, 1);
    assert_int_equal(m->nvars, 3 + 2 + 2); // nothing is left of the declarations
    assert_int_equal(k->is_entry, 1);
    assert_int_equal(k->is_visible, 1);
    assert_int_equal(k->maxntid[0], 64);
    assert_int_equal(k->maxntid[1], 2);
    assert_int_equal(k->maxntid[2], 1);
    assert_int_equal(k->reqntid[0], 32);
    assert_int_equal(k->reqntid[2], 1);
    assert_int_equal(k->minnctapersm, 2);
    assert_int_equal(k->maxnreg, 40);
    assert_int_equal(m->var[k->param[1]].type, PTX_F32);
    assert_int_equal(m->var[k->param[1]].space, PTX_PARAM);
    ptx_free(m);
}

// What the module's maker says of machine code stands before everything of the source's; a comment further down is one.
static void the_head_tells_registers_of_machine_code(void **state)
{
    (void)state;
    struct ptx_module *m =
        load("// registers 40 k\n// spills 96 k\n// registers many j\n// registers 7\n"
             "// spills 8 absent\n// registers 12 absent\n" HEAD
             "// registers 9 j\n// spills 4 j\n.visible .entry j()\n{ ret; }\n.visible .entry k()\n{ ret; }\n");
    assert_int_equal(m->func[func_index(m, "k")].registers, 40);
    assert_int_equal(m->func[func_index(m, "j")].registers, 0);
    assert_int_equal(m->func[func_index(m, "k")].spilled, 96);
    assert_int_equal(m->func[func_index(m, "j")].spilled, 0);
    ptx_free(m);
}

static void registers_come_into_being_when_used(void **state)
{
    (void)state;
    struct ptx_module *m = load_body("", ".reg .b32 %r<10000000>, x;\nmov.u32 %r9999999, 1; mov.u32 %r0, %r9999999;\n");
    assert_int_equal(m->func[0].nregs, 2);
    assert_string_equal(m->func[0].reg[0].name, "%r9999999");
    assert_string_equal(m->func[0].reg[1].name, "%r0");
    assert_true(m->arena.total < 100000);
    ptx_free(m);
}

static void scopes_hide_and_end(void **state)
{
    (void)state;
    struct ptx_module *m = load_body("", ".reg .b32 %r<80>, x, unused;\n.reg .pred %p<2>;\n"
                                         "mov.u32 %r77, 1; mov.u32 x, %r77;\n"
                                         "{ .reg .b64 x; .reg .f32 %r<78>; mov.b64 x, 2; mov.f32 %r77, 0f00000000; }\n"
                                         "mov.u32 %r3, x; @%p1 ret; ret;\n");
    const struct ptx_func *f = &m->func[0];
    static const struct {
        const char *name;
        int type;
    } expected[] = {{"%r77", PTX_B32},   {"x", PTX_B32},   {"x$1", PTX_B64},
                    {"%r77$1", PTX_F32}, {"%r3", PTX_B32}, {"%p1", PTX_PRED}};
    assert_int_equal(f->nregs, sizeof expected / sizeof *expected);
    for (uint32_t i = 0; i < f->nregs; ++i) {
        assert_string_equal(f->reg[i].name, expected[i].name);
        assert_int_equal(f->reg[i].type, expected[i].type);
    }
    assert_int_equal(f->inst[4].operand[1].index, 1); // the outer x again
    assert_int_equal(f->inst[5].guard, 5);
    ptx_free(m);
}

static void labels_resolve_in_their_scope(void **state)
{
    (void)state;
    struct ptx_module *m =
        load_body("", ".reg .pred p;\nunused: bra L;\n{ bra L; L: @p bra end; bra L; }\nL: same: bra same;\n"
                      "{ { bra.uni L; } }\nend:\n");
    const struct ptx_func *f = &m->func[0];
    static const uint32_t target[] = {4, 2, 6, 2, 4, 4};
    assert_int_equal(f->ninsts, 7);
    for (uint32_t i = 0; i < 6; ++i) {
        assert_int_equal(f->inst[i].operand[0].kind, PTX_OPERAND_LABEL);
        assert_int_equal(f->inst[i].operand[0].index, target[i]);
    }
    assert_int_equal(f->inst[6].op, PTX_OP_ret); // added: a label stands at the end
    assert_int_equal(f->nlabels, 3);
    assert_int_equal(f->label_inst[1], 4);
    assert_string_equal(f->label_name[0], "L");
    assert_string_equal(f->label_name[1], "L$1");
    ptx_free(m);
}

static void bodies_end_with_a_way_out(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        uint32_t insts;
    } cases[] = {{"", 1},
                 {"ret;", 1},
                 {"exit;", 1},
                 {"trap;", 1},
                 {"L: bra L;", 1},
                 {"bar.sync 0;", 2},
                 {".reg .pred p; @p ret;", 2},
                 {".reg .pred p; @p bra L; ret; L:", 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        struct ptx_module *m = load_body("", cases[i].body);
        assert_int_equal(m->func[0].ninsts, cases[i].insts);
        ptx_free(m);
    }
}

static void operands_stand_at_their_places(void **state)
{
    (void)state;
    struct ptx_module *m =
        load_body(".shared .b8 s[64];\n.func (.param .b32 r) g(.param .b32 a, .param .b64 b);\n",
                  ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<3>; .reg .f32 %f<5>; .param .b32 y;\n"
                  "setp.lt.s32 %p1, %r1, -3;\n"
                  "setp.eq.and.u16 %p1|%p2, 65535, -1, !%p3;\n"
                  "shfl.sync.bfly.b32 %r1, %r2, 1, 31, -1;\n"
                  "@!%p1 ld.global.v4.f32 {%f1, _, %f2, %f3}, [%rd1+-16];\n"
                  "st.shared.u8 [s+3], 300;\n"
                  "call (y), g, (%r1, 5);\n"
                  "bar.red.popc.u32 %r1, 0, %p1;\n"
                  "mov.u32 %r3, %ctaid.y;\n"
                  "mov.b64 %rd2, {%r1, 7};\n"
                  "atom.shared.cas.b32 %r1, [s], 1, %r2;\n"
                  "lop3.b32 %r1, %r2, %r3, %r4, 0x96;\n"
                  "mov.u32 %r5, %envreg31;\n"
                  "fma.rn.ftz.f32 %f1, %f2, 1.5, 0f7FC00000;\n");
    const struct ptx_func *f = &m->func[1];
    const struct ptx_inst *i = f->inst;
    assert_int_equal(i[0].noperands, 4); // p, none, a, b
    assert_int_equal(i[0].operand[1].kind, PTX_OPERAND_NONE);
    assert_true(i[0].operand[3].bits == (uint64_t)-3);
    assert_int_equal(i[1].noperands, 5);
    assert_int_equal(i[1].boolop, PTX_BOOL_AND);
    assert_int_equal(i[1].operand[2].bits, 65535);
    assert_int_equal(i[1].operand[3].bits, 65535); // cut to its type
    assert_int_equal(i[1].operand[4].negate, 1);
    assert_int_equal(i[2].noperands, 6);
    assert_int_equal(i[2].operand[1].kind, PTX_OPERAND_NONE);
    assert_int_equal(i[2].operand[5].bits, 0xffffffff);
    assert_int_equal(i[2].mode, PTX_BFLY);
    assert_int_equal(i[3].guard_negated, 1);
    assert_int_equal(i[3].vec, 4);
    assert_int_equal(i[3].space, PTX_GLOBAL);
    assert_int_equal(i[3].operand[0].count, 4);
    assert_int_equal(f->element[i[3].operand[0].index + 1].kind, PTX_OPERAND_SINK);
    assert_int_equal(i[3].operand[1].base_kind, PTX_OPERAND_REG);
    assert_true(i[3].operand[1].bits == (uint64_t)-16);
    assert_int_equal(i[4].operand[0].base_kind, PTX_OPERAND_SYMBOL);
    assert_int_equal(i[4].operand[0].index, 0);
    assert_int_equal(i[4].operand[0].bits, 3);
    assert_int_equal(i[4].operand[1].bits, 300 & 255);
    assert_int_equal(i[5].noperands, 3);
    assert_int_equal(i[5].operand[0].count, 1);
    assert_int_equal(i[5].operand[1].kind, PTX_OPERAND_FUNC);
    assert_int_equal(i[5].operand[1].index, 0);
    assert_int_equal(f->element[i[5].operand[2].index + 1].bits, 5);
    assert_int_equal(i[6].noperands, 4);
    assert_int_equal(i[6].operand[2].kind, PTX_OPERAND_NONE);
    assert_int_equal(i[6].operand[3].kind, PTX_OPERAND_REG);
    assert_int_equal(i[7].operand[1].index, PTX_SREG_ctaid);
    assert_int_equal(i[7].operand[1].component, 1);
    assert_int_equal(i[8].operand[1].kind, PTX_OPERAND_VECTOR);
    assert_int_equal(i[9].noperands, 4);
    assert_int_equal(i[9].atom, PTX_ATOM_CAS);
    assert_int_equal(i[10].noperands, 6);
    assert_int_equal(i[10].operand[5].bits, 0x96);
    assert_int_equal(i[11].operand[1].component, 31);
    assert_int_equal(i[12].flags, PTX_FTZ);
    assert_int_equal(i[12].operand[2].bits, 0x3fc00000);
    assert_int_equal(i[12].operand[3].bits, 0x7fc00000);
    assert_int_equal(i[0].line, 9);
    assert_int_equal(i[0].column, 1);
    ptx_free(m);
}

static void tables_name_instructions_and_shapes(void **state)
{
    (void)state;
    struct ptx_module *m = load_body(".func g; .func h;\n",
                                     ".reg .b32 r; .reg .b64 d; .param .b32 x; .param .b64 y;\n"
                                     "t: .branchtargets A, B, A;\nA: brx.idx.uni r, t;\nB: mov.u64 d, h;\n"
                                     "p: .callprototype (.param .b32 _) _ (.param .b64 _, .param .align 8 .b8 _[24]);\n"
                                     "c: .calltargets h, g;\ncall (x), d, (y, q), p;\nret;\n");
    const struct ptx_func *f = &m->func[2];
    assert_int_equal(f->ntables, 3);
    assert_int_equal(f->table[0].kind, PTX_BRANCH_TARGETS);
    assert_int_equal(f->table[0].ntargets, 3);
    assert_int_equal(f->table[0].target[1], 1);
    assert_int_equal(f->table[0].target[2], 0);
    assert_int_equal(f->inst[0].operand[1].kind, PTX_OPERAND_TABLE);
    assert_int_equal(f->inst[0].operand[1].index, 0);
    assert_int_equal(f->table[1].kind, PTX_PROTOTYPE);
    assert_int_equal(f->table[1].nresults, 1);
    assert_int_equal(f->table[1].nparams, 2);
    assert_int_equal(f->table[1].shape[2].bytes, 24);
    assert_int_equal(f->table[2].kind, PTX_CALL_TARGETS);
    assert_int_equal(f->table[2].target[0], 1);
    assert_int_equal(f->inst[2].noperands, 4);
    assert_int_equal(f->inst[2].operand[1].kind, PTX_OPERAND_REG);
    assert_int_equal(f->inst[2].operand[3].index, 1);
    ptx_free(m);
}

static void places_follow_inlining(void **state)
{
    (void)state;
    struct ptx_module *m =
        load_body(".file 1 \"a.cu\"\n.file 2 \"b.h\"\n",
                  "bar.sync 0;\n.loc 1 5 3\nbar.sync 0;\n.loc 2 9 1, function_name $n, inlined_at 1 5 3\n"
                  ".loc 2 20 2, function_name $n+4, inlined_at 2 9 1\nbar.sync 0; bar.sync 0;\n"
                  ".loc 1 5 3\nbar.sync 0;\n.loc 1 99 0\n.loc 1 6\nret;\n");
    const struct ptx_inst *i = m->func[0].inst;
    assert_int_equal(m->nlocs, 5); // unknown, 1:5:3, 2:9:1, 2:20:2, 1:6
    assert_int_equal(i[0].loc, 0);
    assert_int_equal(m->loc[i[1].loc].line, 5);
    const struct ptx_loc *inner = &m->loc[i[2].loc];
    assert_int_equal(inner->file, 2);
    assert_int_equal(inner->line, 20);
    assert_int_equal(m->loc[inner->inlined_at].line, 9);
    assert_int_equal(m->loc[inner->inlined_at].inlined_at, i[1].loc);
    assert_int_equal(i[3].loc, i[2].loc);
    assert_int_equal(i[4].loc, i[1].loc);
    assert_int_equal(m->loc[i[5].loc].line, 6);
    ptx_free(m);
}

static void hints_are_taken_and_left_out(void **state)
{
    (void)state;
    struct ptx_module *m = load_body("", ".reg .b32 r; .reg .b64 d, policy;\n"
                                         "ld.global.L1::evict_last.L2::cache_hint.L2::128B.u32 r, [d], policy;\n"
                                         "prefetch.global.L2 [d];\n");
    assert_int_equal(m->func[0].inst[0].noperands, 2);
    assert_int_equal(m->func[0].nregs, 2); // the policy's register is not needed
    ptx_free(m);
}

static void rows_describe_themselves(void **state)
{
    (void)state;
    assert_string_equal(ptx_isa[PTX_OP_bar_warp].mnemonic, "bar.warp.sync");
    assert_string_equal(ptx_type_name(PTX_BF16X2), "bf16x2");
    assert_int_equal(ptx_type_bytes(PTX_F16X2), 4);
    assert_int_equal(ptx_type_bytes(PTX_PRED), 0);
    for (int i = 0; i < PTX_OPS; ++i) assert_true(ptx_isa[i].section[0] == '9' && ptx_isa[i].meaning[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_head_is_read),
        cmocka_unit_test(variables_have_size_and_alignment),
        cmocka_unit_test(initial_values_are_bytes),
        cmocka_unit_test(addresses_become_relocations),
        cmocka_unit_test(functions_come_before_kernels),
        cmocka_unit_test(heads_hold_limits_and_parameters),
        cmocka_unit_test(the_head_tells_registers_of_machine_code),
        cmocka_unit_test(registers_come_into_being_when_used),
        cmocka_unit_test(scopes_hide_and_end),
        cmocka_unit_test(labels_resolve_in_their_scope),
        cmocka_unit_test(bodies_end_with_a_way_out),
        cmocka_unit_test(operands_stand_at_their_places),
        cmocka_unit_test(tables_name_instructions_and_shapes),
        cmocka_unit_test(places_follow_inlining),
        cmocka_unit_test(hints_are_taken_and_left_out),
        cmocka_unit_test(rows_describe_themselves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
