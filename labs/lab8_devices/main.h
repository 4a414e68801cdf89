// The main program for a submission of lab 8. The compiler sees it before the student's file, as one source. The grader
// starts the program once for each case.
#include <stdlib.h>

#include "../../grader/kit/runtime/warpwise_host.h"
#include "lab8.h"

// With a card, the processor really computes its share, which should take what the virtual clock charges, 2.9 ns for
// each number. That needs vector code, which gcc generates only at -O3. At -O2 a number took 5.6 ns on the host of an
// H200.
#if defined __GNUC__ && !defined __clang__
__attribute__((optimize("O3")))
#endif
static void work_on_all(const unsigned *__restrict__ in, unsigned *__restrict__ out, int n)
{
    for (int i = 0; i < n; ++i) out[i] = work_on(in[i]);
}

// Announces the host's share before computing it. Only then does it count, and the virtual clock charges its time.
void work_on_host(const unsigned *in, unsigned *out, int n)
{
    if (n > 0) WARPWISE(host_works)(out, n * sizeof *out);
    work_on_all(in, out, n);
}

int main()
{
    unsigned dim[4];
    while (WARPWISE(exam)(dim)) {
        unsigned *in = NULL, *out = NULL;
        int n = (int)dim[0];
        prepare(&in, &out, n);
        void *const buffer[] = {in, out};
        if (WARPWISE(begin)(buffer)) return 1;
        compute(in, out, n);
        if (WARPWISE(end)()) return 1;
        finish(in, out);
    }
    return 0;
}
