// Host code in a kernel lab's source is recognised; comments and strings with the same words are not.
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
// cmocka.h needs the four above
#include <cmocka.h>
#include <string.h>

#include "compile/invocation.h"

static void finds(const char *source, const char *name, unsigned at)
{
    char word[64];
    unsigned line = 0;
    const char *found = compile_scan_host_code(source, strlen(source), word, &line);
    if (!found) fail_msg("nothing found in: %s", source);
    assert_string_equal(found, name);
    assert_int_equal(line, at);
}

static void passes(const char *source)
{
    char word[64];
    unsigned line;
    const char *found = compile_scan_host_code(source, strlen(source), word, &line);
    if (found) fail_msg("'%s' found in: %s", found, source);
}

static void host_code(void **state)
{
    (void)state;
    finds("int main() {}", "main", 1);
    finds("__global__ void k() {}\nint\nmain\n(void) {}", "main", 3);
    finds("void f() { k<<<1, 2>>>(); }", "<<<", 1);
    finds("void f() {\n k <<< g, b >>> (); }", "<<<", 2);
    finds("float *p;\nvoid f() { cudaMalloc(&p, 4); }", "cudaMalloc", 2);
    finds("void f() { cudaDeviceSynchronize (); }", "cudaDeviceSynchronize", 1);
    finds("#define CHECK(e) e\n#define GO k<<<1, 1>>>()\n", "<<<", 2);
    finds("#if 0\n#else\nint main() {}\n#endif", "main", 3);
    finds("#if 1\nint main() {}\n#endif", "main", 2);
    finds("#ifdef TEST\nint main() {}\n#endif", "main", 2);
    finds("char c = '\"'; int main() {}", "main", 1);
    finds("int x = 1'000'000; int main() {}", "main", 1);
    finds("char s[] = \"a\\\"b\"; int main() {}", "main", 1);
    finds("char s[] = \"no end\nint main() {}", "main", 2);
    finds("// comment \\\nint main() {}\nint main() {}", "main", 3);
    finds("auto s = R\"x(int main() {)\" )x\"; int main() {}", "main", 1);
    finds("/* a\n b */ int main() {}", "main", 2);
}

static void device_code(void **state)
{
    (void)state;
    passes("");
    passes("__global__ void k(int *p) { p[0] = p[1] << 2 >> 1; p[1] <<= 3; }");
    passes("// int main() { k<<<1, 2>>>(); }");
    passes("/* int main() { cudaMalloc(0, 0); } */");
    passes("const char *s = \"int main() { k<<<1,2>>>(); }\";");
    passes("const char *s = R\"(main() <<< \" cudaMalloc())\";");
    passes("#if 0\nint main() { k<<<1, 2>>>(); }\n#if 1\nint main() {}\n#else\nint main() {}\n#endif\n#endif");
    passes("#if 0 // it's off\nit's main()\n#endif");
    passes("__device__ int main_loop(int domain) { return domain; }");
    passes("int remain(int); cudaError_t e = cudaSuccess; struct cudaThing { int main; };");
    passes("#include <main(.h>\n#error main()");
    passes("/* no end main()");
    passes("R");
    passes("auto s = R\"(no end main()");
    passes("<<");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(host_code), cmocka_unit_test(device_code)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
