// A generator's state goes to a local copy and back, whole, though some of it was never set; the twin draws from that.
// launch grid 1 block 8, twin: never_written at line 16
#define ORDER 1 // the twin has 0
struct generator {
    unsigned count, word[5];
    float spare;
    double second;
};
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    generator *all = (generator *)work, one;
    unsigned t = threadIdx.x;
    one.count = t;
    for (unsigned i = 0; i < 5; ++i) one.word[i] = i;
    all[t] = one;
    if (!ORDER && one.second > 0) all[t].count = 0;
    generator mine = all[t];
    mine.count += mine.word[2];
    all[t] = mine;
    out[t] = all[t].count == t + 2;
}
