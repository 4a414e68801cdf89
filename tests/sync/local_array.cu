// Arrays beside each other in a thread's frame, walked up, down and through pointers: what is past one lies in the next.
// launch grid 1 block 32, twin: out_of_bounds at line 11
#define ORDER 1 // the twin has 0
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    unsigned a[4], b[3], m[2][3], t = threadIdx.x, sum = 0;
    struct {
        unsigned x[2], n;
    } s;
    for (unsigned *p = a; p != a + 4; ++p) *p = 1;
    for (unsigned i = 0; i < 4 + (ORDER == 0); ++i) a[i] += i;
    for (unsigned *p = a + 4; p-- > a;) *p += 1;
    for (unsigned *p = b + 3; p != b;) *--p = t;
    for (unsigned i = 0; i < 6; ++i) (&m[0][0])[i] = i;
    for (unsigned i = 0; i < 2; ++i) s.x[i] = i;
    s.n = 2;
    unsigned *either = t % 2 ? a : b;
    for (unsigned i = 0; i < 3; ++i) sum += either[i];
    for (unsigned inner[5], i = 0; i < 5; ++i) {
        inner[i] = i;
        sum += inner[i] * 0 + m[1][t % 3] * 0;
    }
    out[t] = sum == (t % 2 ? 9 : 3 * t) && s.x[1] + s.n == 3 && a[3] == 5;
}
