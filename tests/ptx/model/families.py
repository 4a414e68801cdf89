# The register-to-register instructions: for each isa.def row, the forms to try and what they should give.
# A form is (suffix after the mnemonic, source types, result type, function of the sources' bits).
from fractions import Fraction
import math

from exact import *  # noqa: F401,F403  (exact arithmetic)

BITS = {"u16": 16, "s16": 16, "b16": 16, "u32": 32, "s32": 32, "b32": 32, "u64": 64, "s64": 64, "b64": 64,
        "f16": 16, "bf16": 16, "f16x2": 32, "bf16x2": 32, "f32": 32, "f64": 64}


def mask(w):
    return (1 << w) - 1


def is_signed(t):
    return t[0] == "s"


def val(bits, t):
    return signed(bits, BITS[t]) if is_signed(t) else bits & mask(BITS[t])


def ints(fn):
    """Lifts a function on Python integers to one on bits of the type."""
    def make(t, out=None):
        return lambda *x: fn(*[val(b, t) for b in x]) & mask(BITS[out or t])
    return make


FORMS = {}


def form(row, suffix, sources, result, fn):
    FORMS.setdefault(row, []).append((suffix, sources, result, fn))


INT = ["u16", "s16", "u32", "s32", "u64", "s64"]
INT3264 = ["u32", "s32", "u64", "s64"]


def clamp(v, low, high):
    return max(low, min(high, v))


def integer_forms():
    for t in INT:
        w = BITS[t]
        form("add", "." + t, [t, t], t, ints(lambda a, b: a + b)(t))
        form("sub", "." + t, [t, t], t, ints(lambda a, b: a - b)(t))
        form("mul", ".lo." + t, [t, t], t, ints(lambda a, b: a * b)(t))
        form("mul", ".hi." + t, [t, t], t, ints(lambda a, b, w=w: a * b >> w)(t))
        form("mad", ".lo." + t, [t, t, t], t, ints(lambda a, b, c: a * b + c)(t))
        form("mad", ".hi." + t, [t, t, t], t, ints(lambda a, b, c, w=w: (a * b >> w) + c)(t))
        if w < 64:
            wide = t[0] + str(2 * w)
            form("mul", ".wide." + t, [t, t], wide, lambda a, b, t=t, o=wide: val(a, t) * val(b, t) & mask(BITS[o]))
            form("mad", ".wide." + t, [t, t, wide], wide,
                 lambda a, b, c, t=t, o=wide: val(a, t) * val(b, t) + val(c, o) & mask(BITS[o]))
        form("sad", "." + t, [t, t, t], t, ints(lambda a, b, c: c + abs(a - b))(t))
        form("div", "." + t, [t, t + "!0"], t, ints(lambda a, b: int(abs(a) // abs(b)) * (1 if (a < 0) == (b < 0) else -1))(t))
        form("rem", "." + t, [t, t + "!0"], t, ints(lambda a, b: abs(a) % abs(b) * (-1 if a < 0 else 1))(t))
        form("min", "." + t, [t, t], t, ints(min)(t))
        form("max", "." + t, [t, t], t, ints(max)(t))
        if is_signed(t):
            form("abs", "." + t, [t], t, ints(abs)(t))
            form("neg", "." + t, [t], t, ints(lambda a: -a)(t))
    form("min", ".relu.s32", ["s32", "s32"], "s32", lambda a, b: max(0, min(signed(a, 32), signed(b, 32))))
    form("max", ".relu.s32", ["s32", "s32"], "s32", lambda a, b: max(0, signed(a, 32), signed(b, 32)))
    pairs = lambda t, fn: lambda *x: fn(*[val(v & mask(16), t) for v in x]) & mask(16) | (fn(*[val(v >> 16, t) for v in x]) & mask(16)) << 16
    for t in ("u16", "s16"):
        for op, fn in (("add", lambda a, b: a + b), ("min", min), ("max", max)):
            form(op, f".{t}x2", ["b32", "b32"], "b32", pairs(t, fn))
    form("min", ".relu.s16x2", ["b32", "b32"], "b32", pairs("s16", lambda a, b: max(0, min(a, b))))
    form("max", ".relu.s16x2", ["b32", "b32"], "b32", pairs("s16", lambda a, b: max(0, a, b)))
    s32 = lambda v: clamp(v, -2**31, 2**31 - 1) & mask(32)
    form("add", ".sat.s32", ["s32", "s32"], "s32", lambda a, b: s32(signed(a, 32) + signed(b, 32)))
    form("sub", ".sat.s32", ["s32", "s32"], "s32", lambda a, b: s32(signed(a, 32) - signed(b, 32)))
    form("mad", ".hi.sat.s32", ["s32", "s32", "s32"], "s32",
         lambda a, b, c: s32((signed(a, 32) * signed(b, 32) >> 32) + signed(c, 32)))
    for t in ("u32", "s32"):
        x24 = lambda a, t=t: signed(a & mask(24), 24) if is_signed(t) else a & mask(24)
        form("mul24", ".lo." + t, [t, t], t, lambda a, b, f=x24: f(a) * f(b) & mask(32))
        form("mul24", ".hi." + t, [t, t], t, lambda a, b, f=x24: (f(a) * f(b) >> 16) & mask(32))
        form("mad24", ".lo." + t, [t, t, t], t, lambda a, b, c, f=x24: f(a) * f(b) + c & mask(32))
        form("mad24", ".hi." + t, [t, t, t], t, lambda a, b, c, f=x24: (f(a) * f(b) >> 16) + c & mask(32))
        for t2 in ("u32", "s32"):
            byte = lambda v, i, s: signed(v >> 8 * i & 255, 8) if s else v >> 8 * i & 255
            half = lambda v, i, s: signed(v >> 16 * i & 65535, 16) if s else v >> 16 * i & 65535
            form("dp4a", f".{t}.{t2}", [t, t2, "s32"], "s32", lambda a, b, c, p=is_signed(t), q=is_signed(t2):
                 c + sum(byte(a, i, p) * byte(b, i, q) for i in range(4)) & mask(32))
            for part, base in (("lo", 0), ("hi", 2)):
                form("dp2a", f".{part}.{t}.{t2}", [t, t2, "s32"], "s32", lambda a, b, c, p=is_signed(t), q=is_signed(t2), k=base:
                     c + sum(half(a, i, p) * byte(b, i + k, q) for i in range(2)) & mask(32))
    form("mad24", ".hi.sat.s32", ["s32", "s32", "s32"], "s32", lambda a, b, c:
         s32((signed(a & mask(24), 24) * signed(b & mask(24), 24) >> 16) + signed(c, 32)))
    # division by zero is left to the machine; the card gives all ones for the quotient and for the remainder
    form("div", ".u32", ["u32", "=0"], "u32", lambda a, b: mask(32))
    form("div", ".u64", ["u64", "=0"], "u64", lambda a, b: mask(64))
    form("rem", ".u32", ["u32", "=0"], "u32", lambda a, b: mask(32))


def bit_forms():
    for t in ("b32", "b64"):
        w = BITS[t]
        u = "u" + t[1:]
        form("popc", "." + t, [t], "u32", lambda a: bin(a).count("1"))
        form("clz", "." + t, [t], "u32", lambda a, w=w: w - a.bit_length())
        form("brev", "." + t, [t], t, lambda a, w=w: int(format(a, f"0{w}b")[::-1], 2))
        form("bfi", "." + t, [t, t, "u32:pos", "u32:len"], t, lambda a, b, c, d, w=w: bfi(a, b, c, d, w))
        for s in ("u", "s"):
            q = s + t[1:]
            form("bfind", "." + q, [q], "u32", lambda a, q=q: bfind(val(a, q)))
            form("bfind", ".shiftamt." + q, [q], "u32",
                 lambda a, q=q, w=w: (lambda r: r if r == mask(32) else w - 1 - r)(bfind(val(a, q))))
            form("bfe", "." + q, [q, "u32:pos", "u32:len"], q, lambda a, b, c, w=w, q=q: bfe(a, b, c, w, is_signed(q)))
    for t in ("b16", "b32", "b64"):
        w = BITS[t]
        form("and", "." + t, [t, t], t, lambda a, b: a & b)
        form("or", "." + t, [t, t], t, lambda a, b: a | b)
        form("xor", "." + t, [t, t], t, lambda a, b: a ^ b)
        form("not", "." + t, [t], t, lambda a, w=w: ~a & mask(w))
        form("cnot", "." + t, [t], t, lambda a: int(a == 0))
        form("shl", "." + t, [t, "u32:shift"], t, lambda a, n, w=w: a << n & mask(w) if n < w else 0)
        for s in "bus":
            q = s + t[1:]
            form("shr", "." + q, [q, "u32:shift"], q, lambda a, n, q=q, w=w: val(a, q) >> min(n, w) & mask(w))
    for mode in ("clamp", "wrap"):
        many = (lambda n: min(n, 32)) if mode == "clamp" else (lambda n: n & 31)
        form("bmsk", f".{mode}.b32", ["u32:shift", "u32:len"], "b32",
             lambda a, n, f=many: (mask(f(n)) << f(a)) & mask(32))
        form("szext", f".{mode}.u32", ["u32", "u32:shift"], "u32", lambda a, n, f=many: a & mask(f(n)))
        form("szext", f".{mode}.s32", ["s32", "u32:shift"], "s32",
             lambda a, n, f=many: signed(a & mask(f(n)), f(n)) & mask(32) if f(n) else 0)
    form("fns", ".b32", ["b32", "u32:lane", "s32:nth"], "b32", fns)
    for lut in (0x00, 0x80, 0xE8, 0x96, 0xCA, 0xFE, 0x01):
        form("lop3", ".b32|, %s" % lut, ["b32", "b32", "b32"], "b32", lambda a, b, c, k=lut: lop3(a, b, c, k))
    for mode in ("clamp", "wrap"):
        amount = (lambda n: min(n, 32)) if mode == "clamp" else (lambda n: n & 31)
        form("shf", f".l.{mode}.b32", ["b32", "b32", "u32:shift"], "b32",
             lambda a, b, n, f=amount: ((b << 32 | a) << f(n)) >> 32 & mask(32))
        form("shf", f".r.{mode}.b32", ["b32", "b32", "u32:shift"], "b32",
             lambda a, b, n, f=amount: (b << 32 | a) >> f(n) & mask(32))
    form("prmt", ".b32", ["b32", "b32", "u32:selector"], "b32", lambda a, b, c: prmt(a, b, [c >> 4 * i & 15 for i in range(4)]))
    modes = {"f4e": lambda k: [k, k + 1, k + 2, k + 3], "b4e": lambda k: [k, k - 1 & 7, k - 2 & 7, k - 3 & 7],
             "rc8": lambda k: [k] * 4, "ecl": lambda k: [max(k, i) for i in range(4)],
             "ecr": lambda k: [min(k, i) for i in range(4)], "rc16": lambda k: [2 * (k & 1), 2 * (k & 1) + 1] * 2}
    for name, pick in modes.items():
        form("prmt", f".b32.{name}", ["b32", "b32", "u32:pos"], "b32",
             lambda a, b, c, f=pick: prmt(a, b, [i & 7 for i in f(c & 3)]))


def video_forms():
    orders = {"eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
              "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b}
    ops = {"add": lambda a, b: a + b, "sub": lambda a, b: a - b, "absdiff": lambda a, b: abs(a - b), "min": min, "max": max,
           "avrg": lambda a, b: a + b + 1 >> 1 if a + b >= 0 else a + b >> 1}
    limits = lambda w, s: (-1 << w - 1, mask(w - 1)) if s else (0, mask(w))
    seconds = {"": lambda t, c: t, ".add": lambda t, c: t + c, ".min": min, ".max": max}
    word = lambda v, t: val(v & mask(32), t)
    for op in ("add", "sub", "absdiff", "min", "max"):
        for d, a, b, sat, second in (("u32", "u32", "u32", "", ""), ("s32", "s32", "s32", ".sat", ""), ("s32", "u32", "s32", "", ""),
                                     ("u32", "s32", "u32", ".sat", ""), ("u32", "u32", "u32", ".sat", ".add"),
                                     ("s32", "s32", "s32", ".sat", ".min"), ("u32", "u32", "s32", "", ".max")):
            cut = (lambda t, s=is_signed(d): clamp(t, *limits(32, s))) if sat else (lambda t: t)
            first = lambda x, y, f=ops[op], a=a, b=b, cut=cut: cut(f(val(x, a), val(y, b)))
            form("v" + op, f".{d}.{a}.{b}{sat}{second}", [a, b] + (["u32"] if second else []), d,
                 (lambda x, y, z, f=first, s=seconds[second], d=d: s(word(f(x, y), d), val(z, d)) & mask(32)) if second
                 else lambda x, y, f=first: f(x, y) & mask(32))
    for mode in ("clamp", "wrap"):
        by = (lambda n: min(n, 32)) if mode == "clamp" else (lambda n: n & 31)
        for d, a, sat in (("u32", "u32", ""), ("s32", "s32", ""), ("s32", "s32", ".sat"), ("u32", "s32", ".sat")):
            cut = (lambda t, s=is_signed(d): clamp(t, *limits(32, s))) if sat else (lambda t: t)
            form("vshl", f".{d}.{a}.u32{sat}.{mode}", [a, "u32:shift"], d, lambda x, n, a=a, f=by, c=cut: c(val(x, a) << f(n)) & mask(32))
            form("vshr", f".{d}.{a}.u32{sat}.{mode}", [a, "u32:shift"], d, lambda x, n, a=a, f=by, c=cut: c(val(x, a) >> f(n)) & mask(32))
    # the low 32 bits are the same for all signs; with .sat and a shift also words that are positive either way
    for t, mode, tag in (("u32.u32.u32", "", ""), ("s32.s32.s32", "", ""), ("s32.u32.s32", ".po", ""), ("s32.s32.s32", ".sat", ""),
                         ("s32.s32.s32", ".sat.shr7", ""), ("s32.s32.s32", ".shr15", ""), ("s32.s32.s32", ".po.sat.shr15", ""),
                         ("u32.u32.u32", ".sat", ":31"), ("u32.u32.u32", ".po.sat.shr7", ":31"), ("u32.u32.u32", ".shr15", ":31"),
                         ("s32.s32.u32", ".sat.shr15", ":31"), ("u32.u32.u32", ".sat.shr15", ""), ("u32.u32.u32", ".shr7", ""),
                         ("s32.s32.u32", ".sat.shr7", "")):
        d, a, b = t.split(".")
        whole = "s32" if "s32" in (a, b) else "u32"
        shift = int(mode.partition(".shr")[2] or 0)
        cut = (lambda v, s=is_signed(whole): clamp(v, *limits(32, s))) if ".sat" in mode else (lambda v: v)
        form("vmad", f".{t}{mode}", [a + tag, b + tag, whole + tag], d, lambda x, y, z, a=a, b=b, c=whole, po=".po" in mode, n=shift, f=cut:
             f(val(x, a) * val(y, b) + val(z, c) + po >> n) & mask(32))
    for name, fn in orders.items():
        form("vset", f".u32.u32.{name}", ["u32", "u32"], "u32", lambda x, y, f=fn: int(f(x, y)))
        form("vset", f".s32.u32.{name}.add", ["s32", "u32", "u32"], "u32", lambda x, y, z, f=fn: int(f(signed(x, 32), y)) + z & mask(32))
    for parts in (2, 4):
        w = 32 // parts
        split = lambda v, t, w=w, n=parts: [signed(v >> w * i & mask(w), w) if is_signed(t) else v >> w * i & mask(w) for i in range(n)]
        join = lambda v, w=w: sum((x & mask(w)) << w * i for i, x in enumerate(v))
        for op, fn in ops.items():
            for d, a, b, sat in (("u32", "u32", "u32", ""), ("s32", "s32", "s32", ".sat"), ("u32", "s32", "u32", ".sat"),
                                 ("u32", "u32", "u32", ".sat"), ("s32", "u32", "s32", "")):
                cut = (lambda t, s=is_signed(d), w=w: clamp(t, *limits(w, s))) if sat else (lambda t: t)
                form(f"v{op}{parts}", f".{d}.{a}.{b}{sat}", [a, b, "u32"], d, lambda x, y, z, a=a, b=b, f=fn, c=cut, p=split, j=join:
                     j([c(f(m, n)) for m, n in zip(p(x, a), p(y, b))]))
            for t in ("u32", "s32"):
                form(f"v{op}{parts}", f".{t}.{t}.{t}.add", [t, t, "u32"], t, lambda x, y, z, t=t, f=fn, p=split:
                     z + sum(f(m, n) for m, n in zip(p(x, t), p(y, t))) & mask(32))
        for name, fn in orders.items():
            form(f"vset{parts}", f".u32.u32.{name}", ["u32", "u32", "u32"], "u32", lambda x, y, z, f=fn, p=split, j=join:
                 j([int(f(m, n)) for m, n in zip(p(x, "u32"), p(y, "u32"))]))
            form(f"vset{parts}", f".s32.s32.{name}.add", ["s32", "s32", "u32"], "u32", lambda x, y, z, f=fn, p=split:
                 z + sum(int(f(m, n)) for m, n in zip(p(x, "s32"), p(y, "s32"))) & mask(32))


def bfind(v):
    v = ~v if v < 0 else v
    return v.bit_length() - 1 if v else mask(32)


def bfe(a, pos, length, w, sign):
    pos, length = pos & 255, length & 255
    if length == 0:
        return 0
    top = min(pos + length - 1, w - 1)
    s = a >> top & 1 if sign else 0
    field = (a >> pos if pos < w else 0) & mask(length)
    have = clamp(w - pos, 0, length)
    return (field & mask(have) | (mask(w) << have if s else 0)) & mask(w)


def bfi(a, b, pos, length, w):
    pos, length = pos & 255, length & 255
    if pos >= w:
        return b
    m = mask(length) << pos & mask(w)
    return a << pos & m | b & ~m


def fns(m, base, offset):
    offset = signed(offset, 32)
    if offset == 0:
        return base if m >> base & 1 else mask(32)
    places = range(base, 32) if offset > 0 else range(base, -1, -1)
    for p in places:
        if m >> p & 1:
            offset -= 1 if offset > 0 else -1
            if offset == 0:
                return p
    return mask(32)


def lop3(a, b, c, k):
    r = 0
    for i in range(32):
        r |= (k >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | c >> i & 1) & 1) << i
    return r


def prmt(a, b, selectors):
    source, r = b << 32 | a, 0
    for i, s in enumerate(selectors):
        byte = source >> 8 * (s & 7) & 255
        if s & 8:
            byte = 255 if byte & 128 else 0
        r |= byte << 8 * i
    return r


def each(t, fn):
    """A function on one float format applied to a packed pair where the type is one."""
    if not t.endswith("x2"):
        return fn
    return lambda *x: fn(*[v & mask(16) for v in x]) | fn(*[v >> 16 for v in x]) << 16


def float_forms():
    kinds = [("f32", "", False), ("f32", ".ftz", True), ("f64", "", False)]
    for t, suffix, ftz in kinds:
        for mode in ("rn", "rz", "rm", "rp"):
            name = f".{mode}{suffix}.{t}"
            d = lambda b, t=t, z=ftz: decode(b, t, z)
            e = lambda x, t=t, m=mode, z=ftz: encode(x, t, m, z)
            form("add", name, [t, t], t, lambda a, b, d=d, e=e, m=mode: e(add(d(a), d(b), m)))
            form("sub", name, [t, t], t, lambda a, b, d=d, e=e, m=mode: e(add(d(a), negate(d(b)), m)))
            form("mul", name, [t, t], t, lambda a, b, d=d, e=e: e(mul(d(a), d(b))))
            form("fma", name, [t, t, t], t, lambda a, b, c, d=d, e=e, m=mode: e(add(mul(d(a), d(b)), d(c), m)))
            form("mad", name, [t, t, t], t, lambda a, b, c, d=d, e=e, m=mode: e(add(mul(d(a), d(b)), d(c), m)))
            form("div", name, [t, t], t, lambda a, b, d=d, e=e: e(div(d(a), d(b))))
            form("rcp", name, [t], t, lambda a, d=d, e=e: e(div(number(Fraction(1)), d(a))))
            form("sqrt", name, [t], t, lambda a, t=t, m=mode, z=ftz: sqrt_bits(a, t, m, z))
        for op in ("min", "max"):
            form(op, f"{suffix}.{t}", [t, t], t, lambda a, b, t=t, z=ftz, o=op: minmax(a, b, t, z, o, False))
        form("neg", f"{suffix}.{t}", [t + "?"], t, lambda a, t=t, z=ftz: flush(a, t, z) ^ 1 << BITS[t] - 1)
        form("abs", f"{suffix}.{t}", [t + "?"], t, lambda a, t=t, z=ftz: flush(a, t, z) & mask(BITS[t] - 1))
    for op in ("min", "max"):
        form(op, ".NaN.f32", ["f32", "f32"], "f32", lambda a, b, o=op: minmax(a, b, "f32", False, o, True))
        for nan in (False, True):
            form(op, f"{'.NaN' if nan else ''}.xorsign.abs.f32", ["f32", "f32"], "f32", lambda a, b, o=op, n=nan: xorsign(a, b, "f32", o, n))
    sat = lambda x: encode(x, "f32", "rn", sat=True)
    single = lambda b: decode(b, "f32")
    form("add", ".sat.f32", ["f32", "f32"], "f32", lambda a, b: sat(add(single(a), single(b), "rn")))
    form("mul", ".sat.f32", ["f32", "f32"], "f32", lambda a, b: sat(mul(single(a), single(b))))
    form("fma", ".rn.sat.f32", ["f32", "f32", "f32"], "f32",
         lambda a, b, c: sat(add(mul(single(a), single(b)), single(c), "rn")))
    for t in ("f16", "f16x2", "bf16", "bf16x2"):
        q = t.replace("x2", "")
        d = lambda b, q=q: decode(b, q)
        e = lambda x, q=q: encode(x, q)
        form("add", ".rn." + t, [t, t], t, each(t, lambda a, b, d=d, e=e: e(add(d(a), d(b), "rn"))))
        form("sub", ".rn." + t, [t, t], t, each(t, lambda a, b, d=d, e=e: e(add(d(a), negate(d(b)), "rn"))))
        form("mul", ".rn." + t, [t, t], t, each(t, lambda a, b, d=d, e=e: e(mul(d(a), d(b)))))
        form("fma", ".rn." + t, [t, t, t], t, each(t, lambda a, b, c, d=d, e=e: e(add(mul(d(a), d(b)), d(c), "rn"))))
        for op in ("min", "max"):
            form(op, "." + t, [t, t], t, each(t, lambda a, b, q=q, o=op: minmax(a, b, q, False, o, False)))
            for nan in (False, True):
                form(op, f"{'.NaN' if nan else ''}.xorsign.abs.{t}", [t, t], t, each(t, lambda a, b, q=q, o=op, n=nan: xorsign(a, b, q, o, n)))
        form("neg", "." + t, [t + "?"], t, each(t, lambda a: a ^ 1 << 15))
        form("abs", "." + t, [t + "?"], t, each(t, lambda a: a & mask(15)))
    for t in ("f32", "f64"):
        form("copysign", "." + t, [t, t], t, lambda a, b, w=BITS[t]: a & 1 << w - 1 | b & mask(w - 1))


def negate(x):
    return Float(x.kind, x.sign ^ 1, x.value)


def flush(bits, t, ftz):
    e, m = FORMATS[t]
    return bits & 1 << BITS[t] - 1 if ftz and not bits >> m & mask(e) else bits


def order(x):
    if x.kind == "inf":
        return (-1 if x.sign else 1, Fraction(0), 0)
    return (0, x.signed(), -x.sign)


def minmax(a, b, t, ftz, op, nan):
    a, b = flush(a, t, ftz), flush(b, t, ftz)
    x, y = decode(a, t), decode(b, t)
    if x.kind == "nan" or y.kind == "nan":
        if nan or x.kind == y.kind:
            return NAN[t]
        return b if x.kind == "nan" else a
    return (a if order(x) <= order(y) else b) if op == "min" else (a if order(x) >= order(y) else b)


def xorsign(a, b, t, op, nan):
    sign = 1 << BITS[t] - 1
    r = minmax(a & ~sign, b & ~sign, t, False, op, nan)
    return r if r == NAN[t] else r | (a ^ b) & sign


def approximate_forms():
    """(suffix, function, values, ulps): checked by distance, not by bits."""
    f32 = lambda fn: (lambda a: from_float(fn(to_float(a, "f32")), "f32"))
    small = [0.0, 1.0, -1.0, 0.5, 2.0, 3.14159274, -0.75, 10.0, 1e-3, 7.25, -20.0, 100.5, 1e-10, 0.333333343, 88.0, -88.0]
    positive = [1.0, 2.0, 0.5, 3.0, 1e-3, 1e-20, 1e20, 7.25, 1e-37, 3e38, 0.1, 10.0, 1.0000001, 0.99999994, 1234.5, 4.0]
    return {
        "ex2": [(".approx.f32", lambda x: 2.0 ** x, [v for v in small if abs(v) < 120], 2, None),
                (".approx.ftz.f32", lambda x: 2.0 ** x, [v for v in small if abs(v) < 120], 2, None)],
        "lg2": [(".approx.f32", math.log2, [v for v in positive if 0.5 <= v <= 2], None, 2.0 ** -22),
                (".approx.ftz.f32", math.log2, [v for v in positive if not 0.5 <= v <= 2], 4, None)],
        "sin": [(".approx.f32", math.sin, [v for v in small if abs(v) <= 3.2], None, 2.0 ** -20.5)],
        "cos": [(".approx.f32", math.cos, [v for v in small if abs(v) <= 3.2], None, 2.0 ** -20.5)],
        "rcp": [(".approx.f32", lambda x: 1 / x, positive, 1, None), (".approx.ftz.f32", lambda x: 1 / x, [v for v in positive if v < 1e38], 1, None)],
        "sqrt": [(".approx.f32", math.sqrt, positive, 2, None)],
        "rsqrt": [(".approx.f32", lambda x: 1 / math.sqrt(x), positive, 2, None)],
        "tanh": [(".approx.f32", math.tanh, small, None, 2.0 ** -10.9)],
    }, f32


def compare_forms():
    orders = {"eq": lambda a, b: a == b, "ne": lambda a, b: a != b, "lt": lambda a, b: a < b, "le": lambda a, b: a <= b,
              "gt": lambda a, b: a > b, "ge": lambda a, b: a >= b}
    unsigned = {"lo": "lt", "ls": "le", "hi": "gt", "hs": "ge"}
    for t in INT3264 + ["u16", "s16"]:
        for name, fn in orders.items():
            form("setp", f".{name}.{t}", [t, t], "pred", lambda a, b, t=t, f=fn: int(f(val(a, t), val(b, t))))
    for name, same in unsigned.items():
        form("setp", f".{name}.u32", ["u32", "u32"], "pred", lambda a, b, f=orders[same]: int(f(a, b)))
    for t in ("b16", "b32", "b64"):
        for name in ("eq", "ne"):
            form("setp", f".{name}.{t}", [t, t], "pred", lambda a, b, f=orders[name]: int(f(a, b)))
    def fcmp(t, name, ftz=False):
        plain = name.rstrip("u") if name not in ("num", "nan") else name
        def run(a, b):
            x, y = decode(a, t, ftz), decode(b, t, ftz)
            nan = "nan" in (x.kind, y.kind)
            if name == "num":
                return int(not nan)
            if name == "nan":
                return int(nan)
            if nan:
                return int(name.endswith("u"))
            key = lambda v: order(v)[:2]
            return int(orders[plain](key(x), key(y)))
        return run
    for t in ("f32", "f64", "f16"):
        for name in list(orders) + [n + "u" for n in orders] + ["num", "nan"]:
            form("setp", f".{name}.{t}", [t, t], "pred", fcmp(t, name))
    # pairs: each half of the result is 1.0, or all ones for an integer result
    for t in ("f16", "bf16"):
        one = 0x3C00 if t == "f16" else 0x3F80
        for out, yes in ((t + "x2", one), ("u32", mask(16))):
            for name in ("eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "geu", "nan"):
                form("set", f".{name}.{out}.{t}x2", [t + "x2", t + "x2"], out,
                     lambda a, b, y=yes, f=fcmp(t, name): y * f(a & mask(16), b & mask(16)) | y * f(a >> 16, b >> 16) << 16)
    for name in ("eq", "lt"):
        f = fcmp("f16", name, True)
        form("set", f".{name}.ftz.u32.f16", ["f16", "f16"], "u32", lambda a, b, f=f: mask(32) * f(a, b))
        form("set", f".{name}.ftz.f16x2.f16x2", ["f16x2", "f16x2"], "f16x2",
             lambda a, b, f=f: 0x3C00 * (f(a & mask(16), b & mask(16)) | f(a >> 16, b >> 16) << 16))
    form("setp", ".lt.ftz.f32", ["f32", "f32"], "pred", fcmp("f32", "lt", True))
    for t in INT3264:
        form("set", f".lt.u32.{t}", [t, t], "u32", lambda a, b, t=t: mask(32) if val(a, t) < val(b, t) else 0)
        form("set", f".ge.f32.{t}", [t, t], "f32", lambda a, b, t=t: 0x3F800000 if val(a, t) >= val(b, t) else 0)
    form("set", ".gtu.s32.f32", ["f32", "f32"], "s32", lambda a, b, f=fcmp("f32", "gtu"): mask(32) * f(a, b))
    for t in ("b16", "u16", "s16", "b32", "u32", "s32", "b64", "u64", "s64", "f32", "f64"):
        form("selp", f".{t}", [t, t, "pred:b32"], t, lambda a, b, p: a if p else b)
        form("slct", f".{t}.s32", [t, t, "s32"], t, lambda a, b, c: a if signed(c, 32) >= 0 else b)
    form("slct", ".u32.f32", ["u32", "u32", "f32"], "u32",
         lambda a, b, c: a if (lambda x: x.kind != "nan" and (x.sign == 0 or x.value == 0 and x.kind == "num"))(decode(c, "f32")) else b)
    tests = {"finite": lambda x, b, t: x.kind == "num", "infinite": lambda x, b, t: x.kind == "inf",
             "number": lambda x, b, t: x.kind != "nan", "notanumber": lambda x, b, t: x.kind == "nan",
             # a zero counts as normal
             "normal": lambda x, b, t: x.kind == "num" and (x.value == 0 or (b >> FORMATS[t][1] & mask(FORMATS[t][0])) != 0),
             "subnormal": lambda x, b, t: x.kind == "num" and x.value != 0 and (b >> FORMATS[t][1] & mask(FORMATS[t][0])) == 0}
    for t in ("f32", "f64"):
        for name, fn in tests.items():
            form("testp", f".{name}.{t}", [t], "pred", lambda a, t=t, f=fn: int(f(decode(a, t), a, t)))


def convert_forms():
    for src in INT:
        for dst in INT:
            if src != dst:
                form("cvt", f".{dst}.{src}", [src], dst, lambda a, s=src, d=dst: val(a, s) & mask(BITS[d]))
    for src, dst in (("s32", "s16"), ("s32", "u16"), ("u32", "s32"), ("s64", "s32"), ("u64", "u32"), ("s64", "u32"), ("s32", "u32")):
        low, high = (-(1 << BITS[dst] - 1), (1 << BITS[dst] - 1) - 1) if is_signed(dst) else (0, mask(BITS[dst]))
        form("cvt", f".sat.{dst}.{src}", [src], dst,
             lambda a, s=src, d=dst, l=low, h=high: clamp(val(a, s), l, h) & mask(BITS[d]))
    for src in ("f32", "f64"):
        for dst in ("u32", "s32", "u64", "s64"):
            for mode in ("rni", "rzi", "rmi", "rpi"):
                form("cvt", f".{mode}.{dst}.{src}", [src], dst, lambda a, s=src, d=dst, m=mode: to_int(a, s, d, m))
        for mode in ("rni", "rzi", "rmi", "rpi"):
            form("cvt", f".{mode}.{src}.{src}", [src], src, lambda a, s=src, m=mode: integral(a, s, m))
    for src in ("u32", "s32", "u64", "s64"):
        for dst in ("f32", "f64"):
            for mode in ("rn", "rz", "rm", "rp"):
                form("cvt", f".{mode}.{dst}.{src}", [src], dst,
                     lambda a, s=src, d=dst, m=mode: encode(number(Fraction(val(a, s))), d, m))
    form("cvt", ".f64.f32", ["f32"], "f64", lambda a: encode(decode(a, "f32"), "f64"))
    for mode in ("rn", "rz", "rm", "rp"):
        form("cvt", f".{mode}.f32.f64", ["f64"], "f32", lambda a, m=mode: encode(decode(a, "f64"), "f32", m))
    for mode in ("rn", "rz"):
        form("cvt", f".{mode}.f16.f32", ["f32"], "f16", lambda a, m=mode: encode(decode(a, "f32"), "f16", m))
        form("cvt", f".{mode}.bf16.f32", ["f32"], "bf16", lambda a, m=mode: encode(decode(a, "f32"), "bf16", m))
    form("cvt", ".f32.f16", ["f16"], "f32", lambda a: encode(decode(a, "f16"), "f32"))
    form("cvt", ".f32.bf16", ["bf16"], "f32", lambda a: encode(decode(a, "bf16"), "f32"))
    form("cvt", ".rn.f16.s32", ["s32"], "f16", lambda a: encode(number(Fraction(signed(a, 32))), "f16"))
    form("cvt", ".rzi.s32.f16", ["f16"], "s32", lambda a: to_int(a, "f16", "s32", "rzi"))
    form("cvt", ".rn.f16x2.f32", ["f32", "f32"], "f16x2",
         lambda a, b: encode(decode(a, "f32"), "f16") << 16 | encode(decode(b, "f32"), "f16"))
    form("cvt", ".sat.f32.f32", ["f32"], "f32", lambda a: encode(decode(a, "f32"), "f32", sat=True))
    form("cvt.rna.tf32", ".f32", ["f32"], "b32", tf32)
    form("cvt.rna.tf32", ".f32", ["f32:tie"], "b32", tf32)
    for t in ("u2", "s2", "u4", "s4", "u8", "s8", "u16", "s16"):
        w = int(t[1:])
        low, high = (-1 << w - 1, mask(w - 1)) if is_signed(t) else (0, mask(w))
        cut = lambda v, l=low, h=high, w=w: clamp(signed(v, 32), l, h) & mask(w)
        if w == 16:
            form("cvt.pack.sat", f".{t}.s32", ["s32:narrow", "s32:narrow"], "b32", lambda a, b, f=cut: f(a) << 16 | f(b))
        else:
            form("cvt.pack.sat", f".{t}.s32.b32", ["s32:narrow", "s32:narrow", "b32"], "b32",
                 lambda a, b, c, f=cut, w=w: (c << 2 * w | f(a) << w | f(b)) & mask(32))
    form("cvt", ".ftz.f32.f32", ["f32"], "f32", lambda a: encode(decode(a, "f32", True), "f32"))


def tf32(a):
    """PTX leaves the low 13 bits and the NaNs open; a card clears those bits, in a NaN too."""
    x = decode(a, "f32")
    return a & ~mask(13) if x.kind == "nan" else encode(x, "tf32", "rna") << 13


def integral(a, t, mode):
    x = decode(a, t)
    if x.kind != "num" or x.value == 0:
        return encode(x, t)
    toward = {"rni": "n", "rzi": "z", "rmi": "u" if x.sign else "z", "rpi": "z" if x.sign else "u"}[mode]
    return encode(Float("num", x.sign, Fraction(round_int(x.value, toward))), t)


def to_int(a, src, dst, mode):
    """Out of range clamps; NaN gives 0 for f32 sources of 32-bit integers and the largest negative for 64-bit ones."""
    x = decode(a, src)
    low, high = (-(1 << BITS[dst] - 1), (1 << BITS[dst] - 1) - 1) if is_signed(dst) else (0, mask(BITS[dst]))
    if x.kind == "nan":
        return 0 if BITS[dst] == 32 and src != "f64" else 1 << BITS[dst] - 1
    if x.kind == "inf":
        return (low if x.sign else high) & mask(BITS[dst])
    toward = {"rni": "n", "rzi": "z", "rmi": "u" if x.sign else "z", "rpi": "z" if x.sign else "u"}[mode]
    v = round_int(x.value, toward)
    return clamp(-v if x.sign else v, low, high) & mask(BITS[dst])


for group in (integer_forms, bit_forms, video_forms, float_forms, compare_forms, convert_forms):
    group()
