# lab6: does not build
# 45: a template with 2^24 instances in host code.
cat - "${1%/*}/lab6_streams.cu" >bomb.cu <<'END'
template <int A, int B> struct t { static const long v = t<A - 1, B>::v + t<A - 1, B + (1 << A)>::v; };
template <int B> struct t<0, B> { static const long v = B; };
long bomb = t<24, 0>::v;
END
echo "$PWD/bomb.cu"
