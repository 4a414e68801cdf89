# Writes tests/ptx/<row>[_n].ptx for the register-to-register rows of isa.def from the exact model in families.py.
# usage: python3 tests/ptx/model/emit.py tests/ptx       The output is committed; run it again after changing a form.
import os
import random
import sys

from families import BITS, FORMS, FORMATS, NAN, approximate_forms, from_float, mask

PER_FILE, LANES = 16, 32
REG = {16: ("b16", "%h"), 32: ("b32", "%r"), 64: ("b64", "%d")}
FREG = {"f32": "%f", "f64": "%g"}


def int_specials(w):
    top = 1 << w - 1
    return [0, 1, mask(w), top, top - 1, top + 1, 2, 3, 7, w, w - 1, w + 1, 255, 256, mask(w) - 1, 0x5A5A & mask(w),
            mask(w // 2), 1 << w // 2, mask(w // 2) << w // 2, 100]


def float_specials(t):
    e, m = FORMATS[t]
    top, bias = mask(e) << m, mask(e - 1)
    sign = 1 << e + m
    one = bias << m
    return [0, sign, one, one | sign, one | 1, one | 1 << m - 1, top, top | sign, NAN[t], 1, sign | 1, mask(m), 1 << m,
            (mask(e) - 1) << m | mask(m), sign | (mask(e) - 1) << m | mask(m), (bias - 1) << m, (bias + 1) << m | 1 << m - 2,
            (bias - m - 1) << m, sign | (bias + m) << m | 3, (bias + 3) << m | mask(m)]


def rounding_values(t):
    values = [0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 0.49999997, 3.999999, -3.000001, 2147483647.5, -2147483648.5, 4294967295.0,
              4294967296.0, -1.0, 9.3e18, -9.3e18, 1.9e19, 1e-40, 65504.0, 65520.0, 1e-7, 127.5, 1000000.25, -0.0]
    return [from_float(v, t) for v in values]


def table(tag, position, seed):
    """32 values for a source's tag at an operand's position; the specials meet each other in different pairs."""
    r = random.Random(f"{tag} {position} {seed}")
    if tag == "=0":
        return [0] * LANES
    base, _, domain = tag.partition(":")
    if domain == "pos":
        return [[0, 1, 5, 8, 15, 16, 31, 32, 33, 63, 64, 200, 255, 14, 60, 7][l % 16] for l in range(LANES)]
    if domain == "len":
        return [[1, 0, 8, 32, 3, 64, 31, 255, 16, 5, 250, 4][l % 12] for l in range(LANES)]
    if domain == "shift":
        return [[0, 1, 31, 32, 33, 15, 16, 17, 63, 64, 65, 255, 4, 0xFFFFFFFF, 8, 30][l % 16] for l in range(LANES)]
    if domain == "lane":
        return [l for l in range(LANES)]
    if domain == "nth":
        return [[0, 1, 2, -1, -2, 5, -5, 20][l % 8] & mask(32) for l in range(LANES)]
    if domain == "tie":  # what lies around the middle of two neighbours of 10 fraction bits
        upper = [0x3F800000, 0xBF802000, 0x7F7FE000, 0xFF7FE000, 0x00000000, 0x807FE000, 0x7F800000, 0xFFC00000]
        return [upper[l % 8] | [0x1000, 0x0FFF, 0x1001, 0x1FFF][l // 8] for l in range(LANES)]
    if domain == "narrow":  # what lies around the limits of integers of 2, 4, 8 and 16 bits
        ends = [v for w in (2, 4, 8, 16) for v in (mask(w - 1), mask(w - 1) + 1, -mask(w - 1) - 1, -mask(w - 1) - 2, mask(w),
                                                   mask(w) + 1)]
        ends += [0, -1, 5, -7, 100, -100, -1 << 31, mask(31)]
        r.shuffle(ends)
        return [v & mask(32) for v in ends]
    if domain == "selector":
        return [r.getrandbits(16) for _ in range(LANES)]
    if domain == "b32":
        return [l * 11 % 3 % 2 for l in range(LANES)]
    t = base.replace("!0", "").rstrip("?")
    if t.endswith("x2"):
        half = t[:-2]
        half += "?" if "?" in tag else ""
        low, high = table(half, position, "low"), table(half, position + 5, "high")
        return [h << 16 | l for l, h in zip(low, high)]
    if t in FORMATS:
        s = float_specials(t) + (rounding_values(t) if seed == "cvt" else [])
        s = [v for v in s if not ("?" in tag and v == NAN[t])]
        e, m = FORMATS[t]
        near = lambda: r.getrandbits(1) << e + m | (mask(e - 1) + r.randrange(-3, 4)) << m | r.getrandbits(m)
    else:
        s = int_specials(BITS[t])
        near = lambda: r.getrandbits(BITS[t])
    if position or seed != "cvt":
        r.shuffle(s)
    values = (s + [near() for _ in range(LANES)])[:LANES] if seed == "cvt" else [
        s[(l * (2 * position + 1) + 3 * position) % len(s)] if l < 20 else near() for l in range(LANES)]
    if domain == "31":
        values = [v & mask(31) for v in values]
    if "!0" in tag:
        values = [v if v not in (0, mask(BITS[t])) else 3 for v in values]  # also no INT_MIN / -1
    return values


# Forms that a card gives other results for than the PTX ISA has them, as an H200 showed: sm_90 has no scalar video
# instructions, and ptxas 13.0 puts others in their place.
_NO_SATURATION = "what ptxas 13.0 puts in its place does not saturate first"
_UNSIGNED = "what ptxas 13.0 puts in its place takes the operands, or their result, for unsigned"
_SIGNED = "what ptxas 13.0 puts in its place multiplies words as if both were signed"
DIFFERS = {
    "vmad.u32.u32.u32.sat.shr15": _SIGNED,
    "vmad.u32.u32.u32.shr7": _SIGNED,
    "vmad.s32.s32.u32.sat.shr7": _SIGNED,
    "vadd.u32.u32.u32.sat.add": _NO_SATURATION,
    "vadd.u32.u32.s32.max": _UNSIGNED,
    "vsub.u32.u32.s32.max": _UNSIGNED,
    "vmin.u32.u32.s32.max": _UNSIGNED,
    "vabsdiff.u32.s32.u32.sat": _UNSIGNED,
    "vabsdiff.u32.u32.s32.max": _UNSIGNED,
    "vshl.s32.s32.u32.sat.clamp": _NO_SATURATION,
    "vshl.u32.s32.u32.sat.clamp": _NO_SATURATION,
    "vshl.s32.s32.u32.sat.wrap": _NO_SATURATION,
    "vshl.u32.s32.u32.sat.wrap": _NO_SATURATION,
}


class File:
    def __init__(self, row, name, note):
        self.row, self.name, self.note = row, name, note
        self.inputs = {32: [], 64: []}  # lists of tables
        self.index = {}
        self.body, self.outs = [], {32: [], 64: []}

    def source(self, tag, position, reg, t):
        w = 64 if BITS[t] == 64 else 32
        key = (tag, position, w)
        if key not in self.index:
            self.index[key] = len(self.inputs[w])
            self.inputs[w].append(table(tag, position, self.row))
        offset = self.index[key] * LANES * w // 8
        if BITS[t] == 16:
            return [f"ld.global.b16 {reg}, [%in32+{offset}];"]
        return [f"ld.global.b{w} {reg}, [%in{w}+{offset}];"]

    def values(self, tag, position, t):
        w = 64 if BITS[t] == 64 else 32
        return self.inputs[w][self.index[(tag, position, w)]]

    def store(self, reg, w):
        k = len(self.outs[w])
        return [f"st.global.b{w} [%out{w}+{k * LANES * w // 8}], {reg};"]

    def text(self):
        used = [w for w in (32, 64) if self.inputs[w] or self.outs[w]]
        lines = [f"// {self.row}: {self.note}", "// Written by model/emit.py from exact arithmetic.",
                 "// launch k grid 1 block 32"]
        params = []
        for w in used:
            flat = [v for t in self.inputs[w] for v in t]
            if flat:
                params.append(f"in{w}")
                lines.append(f"// arg in{w} u{w}[{len(flat)}] = " + " ".join(hex(v) if v > 9 else str(v) for v in flat))
            if self.outs[w]:
                params.append(f"out{w}")
                lines.append(f"// arg out{w} u{w}[{len(self.outs[w]) * LANES}]")
        for w in used:
            for k, (what, values) in enumerate(self.outs[w]):
                lines.append(f"// {what}")
                lines.append(f"// expect out{w}[{k * LANES}] = "
                             + " ".join(hex(v) if v > 9 else str(v) for v in values))
                if what in DIFFERS:
                    lines.append(f"// differs out{w}[{k * LANES}..{(k + 1) * LANES - 1}] {DIFFERS[what]}")
        lines += [".version 8.0", ".target sm_90", ".address_size 64", ".visible .entry k("
                  + ", ".join(f".param .u64 p_{p}" for p in params) + ")", "{"]
        lines += ["    .reg .b16 %h<8>;", "    .reg .b32 %r<8>;", "    .reg .b64 %d<8>;", "    .reg .f32 %f<8>;",
                  "    .reg .f64 %g<8>;", "    .reg .pred %p<8>;", "    .reg .u32 %t;", "    .reg .u64 %lane4, %lane8, "
                  + ", ".join("%" + p for p in params) + ";", "    mov.u32 %t, %tid.x;",
                  "    mul.wide.u32 %lane4, %t, 4;", "    mul.wide.u32 %lane8, %t, 8;"]
        for p in params:
            lines += [f"    ld.param.u64 %{p}, [p_{p}];", f"    add.u64 %{p}, %{p}, %lane{8 if p.endswith('64') else 4};"]
        lines += ["    " + b for b in self.body] + ["    ret;", "}", ""]
        return "\n".join(lines)


def regname(t, i):
    if t in FREG:
        return f"{FREG[t]}{i}"
    return f"{REG[BITS[t]][1]}{i}"


NORMALISE = {"add", "sub", "mul", "fma", "mad", "div", "rcp", "sqrt", "min", "max", "cvt"}


def emit_form(f, mnemonic, suffix, sources, result, fn):
    lut = ""
    if "|" in suffix:
        suffix, lut = suffix.split("|")
    regs, types = [], []
    for i, tag in enumerate(sources):
        base = tag.partition(":")[0].rstrip("?")
        t = "u32" if tag == "=0" and result.endswith("32") else "u64" if tag == "=0" else base.replace("!0", "")
        domain = tag.partition(":")[2]
        if t == "pred":
            f.body += f.source(tag, i, "%r6", "b32") + ["setp.ne.u32 %p1, %r6, 0;"]
            regs.append("%p1"), types.append("b32")
            continue
        reg = regname(t, i)
        f.body += f.source(tag, i, reg, t)
        regs.append(reg), types.append(t)
    what = mnemonic + suffix + lut
    ops = ", ".join(regs) + lut
    if result == "pred":
        f.body += [f"{mnemonic}{suffix} %p0, {ops};", "selp.u32 %r7, 1, 0, %p0;"] + f.store("%r7", 32)
        w = 32
    else:
        d = regname(result, 7)
        w = 64 if BITS[result] == 64 else 32
        f.body.append(f"{mnemonic}{suffix} {d}, {ops};")
        # the payload of a NaN is not part of the answer where PTX leaves it open: doubles, and conversions
        if result == "f64" and mnemonic in NORMALISE:
            f.body += ["setp.nan.f64 %p2, %g7, %g7;", f"selp.f64 %g7, 0d{NAN['f64']:016X}, %g7, %p2;"]
        if result == "f32" and mnemonic == "cvt":
            f.body += ["setp.nan.f32 %p2, %f7, %f7;", f"selp.f32 %f7, 0f{NAN['f32']:08X}, %f7, %p2;"]
        if BITS[result] == 16:
            f.body.append("cvt.u32.u16 %r7, %h7;")
            d = "%r7"
        f.body += f.store(d, w)
    columns = [f.values(tag, i, t) for i, (tag, t) in enumerate(zip(sources, types))]
    f.outs[w].append((what, [fn(*x) for x in zip(*columns)]))


def carry_program(f, op):
    """64-bit arithmetic from 32-bit halves: the carry must travel."""
    f.body += f.source("u64", 0, "%d0", "u64") + f.source("u64", 1, "%d1", "u64")
    f.body += ["mov.b64 {%r0, %r1}, %d0;", "mov.b64 {%r2, %r3}, %d1;"]
    a, b = f.values("u64", 0, "u64"), f.values("u64", 1, "u64")
    if op in ("addc", "subc"):
        name = op[:3]
        f.body += [f"{name}.cc.u32 %r4, %r0, %r2;", f"{op}.cc.u32 %r5, %r1, %r3;", f"{op}.u32 %r6, 0, 0;"]
        wide = [x + y if op == "addc" else x - y for x, y in zip(a, b)]
        last = [w >> 64 & mask(32) for w in wide]
    else:
        f.body += ["mul.lo.u32 %r4, %r0, %r2;", "mul.hi.u32 %r5, %r0, %r2;", "mad.lo.cc.u32 %r4, %r1, 0, %r4;",
                   "madc.lo.cc.u32 %r5, %r0, %r3, %r5;", "madc.hi.u32 %r6, %r0, %r3, 0;"]
        wide = [(x & mask(32)) * (y & mask(32)) + ((x & mask(32)) * (y >> 32) << 32) for x, y in zip(a, b)]
        last = [w >> 64 & mask(32) for w in wide]
    f.body += ["mov.b64 %d7, {%r4, %r5};"] + f.store("%d7", 64)
    f.outs[64].append((f"{op}: 64 bits from two halves", [w & mask(64) for w in wide]))
    f.body += f.store("%r6", 32)
    f.outs[32].append(("what is carried beyond", last))


def approximate_program(f, mnemonic, forms, f32):
    """Stores 1 where the result lies within the documented error of the right one (PTX ISA, per instruction)."""
    for suffix, fn, values, ulps, absolute in forms:
        values = [values[l % len(values)] for l in range(LANES)]
        bits = [from_float(v, "f32") for v in values]
        right = [f32(fn)(b) for b in bits]
        for name, data in ((f"{suffix} x", bits), (f"{suffix} right", right)):
            f.index[(name, 0, 32)] = len(f.inputs[32])
            f.inputs[32].append(data)
        f.body += f.source(f"{suffix} x", 0, "%f0", "f32") + f.source(f"{suffix} right", 0, "%f1", "f32")
        f.body += [f"{mnemonic}{suffix} %f2, %f0;"]
        if ulps is not None:
            f.body += ["mov.b32 %r0, %f1;", "mov.b32 %r1, %f2;", "sub.s32 %r2, %r0, %r1;", "abs.s32 %r2, %r2;",
                       f"setp.le.s32 %p0, %r2, {ulps};"]
        else:
            f.body += ["sub.f32 %f3, %f1, %f2;", "abs.f32 %f3, %f3;", f"setp.le.f32 %p0, %f3, 0f{from_float(absolute, 'f32'):08X};"]
        f.body += ["selp.u32 %r7, 1, 0, %p0;"] + f.store("%r7", 32)
        f.outs[32].append((f"{mnemonic}{suffix} within {'%d ulp' % ulps if ulps is not None else '%.3g' % absolute}", [1] * LANES))
    special = {"ex2": [(0x7F800000, 0x7F800000), (0xFF800000, 0), (0, 0x3F800000), (0x7FFFFFFF, 0x7FFFFFFF)],
               "lg2": [(0, 0xFF800000), (0x7F800000, 0x7F800000), (0xBF800000, 0x7FFFFFFF), (0x3F800000, 0)],
               "rcp": [(0, 0x7F800000), (0x80000000, 0xFF800000), (0x7F800000, 0), (0xFF800000, 0x80000000)],
               "rsqrt": [(0, 0x7F800000), (0x80000000, 0xFF800000), (0x7F800000, 0), (0xBF800000, 0x7FFFFFFF)],
               "sqrt": [(0, 0), (0x80000000, 0x80000000), (0x7F800000, 0x7F800000), (0xBF800000, 0x7FFFFFFF)],
               "sin": [(0, 0), (0x80000000, 0x80000000), (0x7F800000, 0x7FFFFFFF), (0xFF800000, 0x7FFFFFFF)],
               "cos": [(0, 0x3F800000), (0x80000000, 0x3F800000), (0x7F800000, 0x7FFFFFFF), (0xFF800000, 0x7FFFFFFF)],
               "tanh": [(0, 0), (0x80000000, 0x80000000), (0x7F800000, 0x3F800000), (0xFF800000, 0xBF800000)]}[mnemonic]
    f.index[("special", 0, 32)] = len(f.inputs[32])
    f.inputs[32].append([special[l % 4][0] for l in range(LANES)])
    f.body += f.source("special", 0, "%f0", "f32") + [f"{mnemonic}.approx.f32 %f2, %f0;", "mov.b32 %r7, %f2;"] + f.store("%r7", 32)
    f.outs[32].append((f"{mnemonic}.approx.f32 of special values", [special[l % 4][1] for l in range(LANES)]))


def main(folder):
    files = []
    for row, forms in sorted(FORMS.items()):
        for n in range(0, len(forms), PER_FILE):
            part = forms[n:n + PER_FILE]
            name = row.replace(".", "_") + (f"_{n // PER_FILE + 1}" if len(forms) > PER_FILE else "")
            f = File(row, name, ", ".join(dict.fromkeys(s.split("|")[0] for s, *_ in part)))
            for suffix, sources, result, fn in part:
                emit_form(f, row, suffix, sources, result, fn)
            files.append(f)
    for op in ("addc", "subc", "madc"):
        f = File(op, op, "carries through 64 and 96 bits")
        carry_program(f, op)
        files.append(f)
    approximate, f32 = approximate_forms()
    for op, forms in approximate.items():
        f = File(op, f"{op}_approx", "approximate forms and special values")
        approximate_program(f, op, forms, f32)
        files.append(f)
    for f in files:
        with open(os.path.join(folder, f.name + ".ptx"), "w") as out:
            out.write(f.text())
    print(len(files), "programs")


main(sys.argv[1])
