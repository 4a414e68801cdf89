// Reads literals and constant expressions (PTX ISA 4.5). The parser reads constant expressions by precedence climbing
// with a bounded depth. Integers in constant expressions have 64 bits and wrap around. As in C, a constant expression
// is unsigned if an operand has the suffix U or does not fit a signed 64-bit integer.
#include "ptx/parser.h"

#include <stdlib.h>
#include <string.h>

enum { DEEPEST = 32, DIGITS = 64 };

static int digit_of(char c)
{
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return 16;
}

// Reads a literal such as 0f3F800000, whose hexadecimal digits are the bits of a float or double.
static struct constant hex_float(struct parser *p, struct token t)
{
    int single = t.text[1] == 'f' || t.text[1] == 'F';
    uint32_t digits = single ? 8 : 16;
    uint64_t bits = 0;
    for (uint32_t i = 2; i < t.length; ++i) {
        int digit = digit_of(t.text[i]);
        if (digit == 16) digits = 0;
        bits = bits << 4 | (uint64_t)(digit & 15);
    }
    if (t.length != 2 + digits)
        parser_fail_at(p, t, "a %s constant needs %d hexadecimal digits", single ? "0f" : "0d", single ? 8 : 16);
    return (struct constant){.bits = bits, .kind = single ? CONSTANT_F32 : CONSTANT_F64};
}

static struct constant decimal_float(struct parser *p, struct token t)
{
    char text[DIGITS], *end;
    if (t.length >= sizeof text) parser_fail_at(p, t, "a number is longer than %d characters", DIGITS - 1);
    memcpy(text, t.text, t.length);
    text[t.length] = 0;
    double value = strtod(text, &end);
    if (*end) parser_fail_at(p, t, "'%s' is not a number", text);
    struct constant c = {.kind = CONSTANT_F64};
    memcpy(&c.bits, &value, sizeof value);
    return c;
}

static struct constant integer(struct parser *p, struct token t)
{
    uint32_t i = 0, length = t.length;
    unsigned base = 10;
    struct constant c = {.kind = CONSTANT_INT};
    if (length > 1 && t.text[0] == '0') {
        base = t.text[1] == 'x' || t.text[1] == 'X' ? 16 : t.text[1] == 'b' || t.text[1] == 'B' ? 2 : 8;
        i = base == 8 ? 1 : 2;
    }
    if (length > 1 && t.text[length - 1] == 'U') {
        c.is_unsigned = 1;
        --length;
    }
    if (i == length && !(base == 8 && length == 1)) parser_fail_at(p, t, "a number has no digits");
    for (; i < length; ++i) {
        unsigned digit = (unsigned)digit_of(t.text[i]);
        if (digit >= base) parser_fail_at(p, t, "'%.*s' is not a number", (int)(t.length < 40 ? t.length : 40), t.text);
        if (__builtin_mul_overflow(c.bits, base, &c.bits) || __builtin_add_overflow(c.bits, digit, &c.bits))
            parser_fail_at(p, t, "'%.*s' does not fit 64 bits", (int)(t.length < 40 ? t.length : 40), t.text);
    }
    if (c.bits >> 63) c.is_unsigned = 1;
    return c;
}

static struct constant literal(struct parser *p)
{
    struct token t = p->tok;
    parser_next(p);
    if (t.length > 1 && t.text[0] == '0' && strchr("fFdD", t.text[1])) return hex_float(p, t);
    int is_hex = t.length > 1 && t.text[0] == '0' && (t.text[1] == 'x' || t.text[1] == 'X');
    for (uint32_t i = 0; i < t.length && !is_hex; ++i)
        if (t.text[i] == '.' || t.text[i] == 'e' || t.text[i] == 'E') return decimal_float(p, t);
    return integer(p, t);
}

static int is_word(const struct parser *p, const char *word)
{
    return p->tok.kind == TOKEN_WORD && p->tok.length == strlen(word) && !memcmp(p->tok.text, word, p->tok.length);
}

int constant_starts(const struct parser *p)
{
    return p->tok.kind == TOKEN_NUMBER || p->tok.kind == '-' || p->tok.kind == '+' || p->tok.kind == '~' ||
           p->tok.kind == '(' || is_word(p, "WARP_SZ");
}

static struct constant expression(struct parser *p, int least, int depth);

static struct constant negated(struct parser *p, struct constant c)
{
    if (c.kind == CONSTANT_INT)
        c.bits = 0 - c.bits;
    else
        c.bits ^= c.kind == CONSTANT_F32 ? 1ull << 31 : 1ull << 63;
    (void)p;
    return c;
}

static struct constant primary(struct parser *p, int depth)
{
    struct token t = p->tok;
    if (depth > DEEPEST) parser_fail_at(p, t, "a constant expression is nested deeper than %d", DEEPEST);
    if (t.kind == TOKEN_NUMBER) return literal(p);
    if (is_word(p, "WARP_SZ")) {
        parser_next(p);
        return (struct constant){.bits = 32, .kind = CONSTANT_INT};
    }
    if (parser_take(p, '-')) return negated(p, primary(p, depth + 1));
    if (parser_take(p, '+')) return primary(p, depth + 1);
    if (parser_take(p, '~')) {
        struct constant c = primary(p, depth + 1);
        if (c.kind != CONSTANT_INT) parser_fail_at(p, t, "'~' needs an integer");
        c.bits = ~c.bits;
        return c;
    }
    if (parser_take(p, '(')) {
        struct constant c = expression(p, 1, depth + 1);
        parser_expect(p, ')', "after a constant expression");
        return c;
    }
    parser_fail_at(p, t, "expected a constant");
}

static int precedence(int kind)
{
    switch (kind) {
    case '*':
    case '/':
        return 4;
    case '+':
    case '-':
        return 3;
    case '&':
        return 2;
    case '^':
        return 1;
    default:
        return 0;
    }
}

static struct constant divided(struct parser *p, struct token op, struct constant a, struct constant b)
{
    if (!b.bits) parser_fail_at(p, op, "a constant is divided by zero");
    int64_t x = (int64_t)a.bits, y = (int64_t)b.bits;
    if (a.is_unsigned || b.is_unsigned)
        a.bits /= b.bits;
    else
        a.bits = y == -1 ? 0 - a.bits : (uint64_t)(x / y); // C leaves INT64_MIN / -1 undefined, so -1 is a special case
    return a;
}

static struct constant combined(struct parser *p, struct token op, struct constant a, struct constant b)
{
    if (a.kind != CONSTANT_INT || b.kind != CONSTANT_INT) parser_fail_at(p, op, "constant expressions are of integers");
    switch (op.kind) {
    case '*':
        a.bits *= b.bits;
        break;
    case '+':
        a.bits += b.bits;
        break;
    case '-':
        a.bits -= b.bits;
        break;
    case '&':
        a.bits &= b.bits;
        break;
    case '^':
        a.bits ^= b.bits;
        break;
    default:
        a = divided(p, op, a, b);
        break;
    }
    a.is_unsigned |= b.is_unsigned;
    return a;
}

static struct constant expression(struct parser *p, int least, int depth)
{
    struct constant left = primary(p, depth);
    for (;;) {
        struct token op = p->tok;
        int level = precedence(op.kind);
        if (!level || level < least) return left;
        parser_next(p);
        left = combined(p, op, left, expression(p, level + 1, depth + 1));
    }
}

struct constant constant_read(struct parser *p)
{
    return expression(p, 1, 0);
}

static uint64_t integer_bits(uint64_t bits, enum ptx_type type)
{
    switch (type) {
    case PTX_S8:
        return (uint64_t)(int8_t)bits;
    case PTX_S16:
        return (uint64_t)(int16_t)bits;
    case PTX_S32:
        return (uint64_t)(int32_t)bits;
    case PTX_PRED:
        return bits != 0;
    default:
        break;
    }
    uint32_t bytes = ptx_type_bytes(type);
    return bytes < 8 ? bits & ((1ull << 8 * bytes) - 1) : bits;
}

uint64_t constant_convert(struct parser *p, const struct constant *c, enum ptx_type type, uint32_t line,
                          uint32_t column)
{
    int wants_float = type == PTX_F32 || type == PTX_F64;
    uint32_t bytes = ptx_type_bytes(type);
    int is_bits = type >= PTX_B8 && type <= PTX_B128;
    if (c->kind == CONSTANT_INT) {
        if (wants_float)
            parser_fail(p, line, column, "an integer constant stands where .%s needs a float", ptx_type_name(type));
        return integer_bits(c->bits, type);
    }
    if (c->kind == CONSTANT_F32 && (type == PTX_F32 || (is_bits && bytes == 4))) return c->bits;
    if (c->kind == CONSTANT_F64 && (type == PTX_F64 || (is_bits && bytes == 8))) return c->bits;
    double wide;
    float narrow;
    if (c->kind == CONSTANT_F64 && type == PTX_F32) { // decimal literals are doubles and must be rounded to float
        memcpy(&wide, &c->bits, sizeof wide);
        narrow = (float)wide;
        uint32_t bits;
        memcpy(&bits, &narrow, sizeof bits);
        return bits;
    }
    if (c->kind == CONSTANT_F32 && type == PTX_F64) {
        uint32_t bits = (uint32_t)c->bits;
        memcpy(&narrow, &bits, sizeof narrow);
        wide = narrow;
        uint64_t out;
        memcpy(&out, &wide, sizeof out);
        return out;
    }
    parser_fail(p, line, column, "a float constant stands where .%s is needed", ptx_type_name(type));
}
