# Numbers as PTX sees them, in exact arithmetic: the separate model behind the expected values of tests/ptx/*.ptx.
# Integers are Python's; floating point is fractions.Fraction, rounded once, so nothing here shares code or method with
# the simulator. Bits in, bits out.
from fractions import Fraction

FORMATS = {"f16": (5, 10), "bf16": (8, 7), "f32": (8, 23), "f64": (11, 52), "tf32": (8, 10)}
NAN = {"f16": 0x7FFF, "bf16": 0x7FFF, "f32": 0x7FFFFFFF, "f64": 0x7FF8000000000000}


class Float:
    """kind is "nan", "inf" or "num"; a zero keeps its sign."""

    def __init__(self, kind, sign=0, value=Fraction(0)):
        self.kind, self.sign, self.value = kind, sign, value

    def signed(self):
        return -self.value if self.sign else self.value


def width(fmt):
    e, m = FORMATS[fmt]
    return 1 + e + m


def decode(bits, fmt, ftz=False):
    e, m = FORMATS[fmt]
    sign, exp, frac = bits >> (e + m) & 1, bits >> m & (1 << e) - 1, bits & (1 << m) - 1
    bias = (1 << e - 1) - 1
    if exp == (1 << e) - 1:
        return Float("nan") if frac else Float("inf", sign)
    if exp == 0:
        return Float("num", sign, Fraction(0) if ftz else Fraction(frac) * Fraction(2) ** (1 - bias - m))
    return Float("num", sign, Fraction(frac + (1 << m)) * Fraction(2) ** (exp - bias - m))


def round_int(x, mode):
    """A non-negative rational to an integer: n nearest even, z down, u up."""
    low = x.numerator // x.denominator
    rest = x - low
    if mode == "z" or rest == 0:
        return low
    if mode == "u":
        return low + 1
    if mode == "a":  # ties away
        return low + (rest >= Fraction(1, 2))
    return low + (rest > Fraction(1, 2) or (rest == Fraction(1, 2) and low % 2 == 1))


def encode(x, fmt, mode="rn", ftz=False, sat=False, finite=False):
    e, m = FORMATS[fmt]
    bias, top = (1 << e - 1) - 1, (1 << e) - 1
    if x.kind == "nan":
        return 0 if sat else NAN[fmt]
    if sat:
        if x.sign or (x.kind == "num" and x.value == 0):
            return 0
        if x.kind == "inf" or x.value >= 1:
            return bias << m
    sign = x.sign << (e + m)
    if x.kind == "inf":
        return sign | top << m
    if x.value == 0:
        return sign
    toward = {"rn": "n", "rna": "a", "rz": "z", "rm": "u" if x.sign else "z", "rp": "z" if x.sign else "u"}[mode]
    exp = x.value.numerator.bit_length() - x.value.denominator.bit_length()
    if Fraction(2) ** exp > x.value:
        exp -= 1
    # flush before rounding: what is below the smallest normal number is a zero
    exp = max(exp, 1 - bias)
    frac = round_int(x.value / Fraction(2) ** (exp - m), toward)
    if frac == 1 << m + 1:
        frac, exp = frac >> 1, exp + 1
    if frac < 1 << m:
        return sign if ftz else sign | frac
    if exp > bias:
        return sign | ((top << m) if toward in ("n", "u", "a") else (top << m) - 1)
    return sign | exp + bias << m | frac & (1 << m) - 1


def number(fraction, zero_sign=0):
    if fraction == 0:
        return Float("num", zero_sign)
    return Float("num", int(fraction < 0), abs(fraction))


def add(a, b, mode):
    if "nan" in (a.kind, b.kind) or (a.kind == b.kind == "inf" and a.sign != b.sign):
        return Float("nan")
    if a.kind == "inf":
        return a
    if b.kind == "inf":
        return b
    s = a.signed() + b.signed()
    if s == 0:
        zero = a.sign if a.sign == b.sign else int(mode == "rm")
        return Float("num", zero)
    return number(s)


def mul(a, b):
    if "nan" in (a.kind, b.kind):
        return Float("nan")
    sign = a.sign ^ b.sign
    if "inf" in (a.kind, b.kind):
        zero = (a.kind == "num" and a.value == 0) or (b.kind == "num" and b.value == 0)
        return Float("nan") if zero else Float("inf", sign)
    return Float("num", sign, a.value * b.value)


def div(a, b):
    if "nan" in (a.kind, b.kind) or (a.kind == b.kind == "inf"):
        return Float("nan")
    sign = a.sign ^ b.sign
    if a.kind == "inf":
        return Float("inf", sign)
    if b.kind == "inf":
        return Float("num", sign)
    if b.value == 0:
        return Float("nan") if a.value == 0 else Float("inf", sign)
    return Float("num", sign, a.value / b.value)


def sqrt_bits(bits, fmt, mode, ftz):
    """Correctly rounded square root by integer square root with a sticky bit."""
    from math import isqrt
    x = decode(bits, fmt, ftz)
    if x.kind == "nan" or (x.sign and x.kind == "inf") or (x.sign and x.value > 0):
        return NAN[fmt]
    if x.kind == "inf" or x.value == 0:
        return encode(x, fmt)
    scale = 4 ** 1200
    n = x.value * scale
    root = isqrt(n.numerator // n.denominator)
    exact = Fraction(root * root) == n
    value = Fraction(root) if exact else Fraction(2 * root + 1, 2)
    return encode(Float("num", 0, value / 2 ** 1200), fmt, mode, ftz)


def from_float(value, fmt, mode="rn"):
    """A Python float (exactly) to bits."""
    import math
    if math.isnan(value):
        return NAN[fmt]
    if math.isinf(value):
        return encode(Float("inf", int(value < 0)), fmt)
    sign = int(math.copysign(1, value) < 0)
    return encode(Float("num", sign, abs(Fraction(value))), fmt, mode)


def to_float(bits, fmt):
    x = decode(bits, fmt)
    if x.kind == "nan":
        return float("nan")
    if x.kind == "inf":
        return float("-inf") if x.sign else float("inf")
    v = float(x.value)
    return -v if x.sign else v


def signed(bits, w):
    bits &= (1 << w) - 1
    return bits - (1 << w) if bits >> (w - 1) else bits
