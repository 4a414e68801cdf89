// Structures are copied whole though a member was never set; the twin looks at that member.
// launch grid 1 block 32, twin: never_written at line 16
#define ORDER 1 // the twin has 0
struct particle {
    float4 place;
    unsigned number, age;
};
extern "C" __global__ void k(unsigned *out, unsigned *work)
{
    particle *all = (particle *)(work + 32), one;
    unsigned t = threadIdx.x;
    one.place.x = t;
    one.place.y = one.place.z = 2;
    one.number = t;
    all[t] = one;
    out[t] = ORDER ? one.number == t : one.place.w == one.age;
}
