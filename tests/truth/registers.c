// How near the estimate of registers comes to ptxas: registers FILE…
//
// Compiles each .cu file with each compiler that is installed (a .ptx file is taken as it is), asks ptxas for the
// registers of each kernel on compute capability 9.0, and prints them beside the estimate of the simulator, which does
// not know them: file, kernel, compiler, ptxas, estimate. tests/truth/registers.csv holds such rows. The figures follow
// on standard error. A file that a compiler refuses is skipped.
#define _GNU_SOURCE
#include "registers.h"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "compile/compile.h"

static const char *file, *compiler_name;
static struct text answer; // what ptxas printed
static struct registers_figures figures;

// Returns the registers that ptxas stated for the kernel, or 0.
static uint32_t stated(const char *kernel)
{
    char entry[1200];
    snprintf(entry, sizeof entry, "entry function '%s'", kernel);
    const char *at = answer.data ? strstr(answer.data, entry) : NULL, *used = at ? strstr(at, "Used ") : NULL;
    return used ? (uint32_t)strtoul(used + 5, NULL, 10) : 0;
}

static void print_kernel(const char *kernel, const struct sim_program *p)
{
    uint32_t actual = stated(kernel);
    if (!actual) return;
    registers_add(&figures, p->registers, actual);
    printf("%s,%s,%s,%u,%u\n", file, kernel, compiler_name, actual, p->registers);
}

// Runs ptxas on the file and stores what it prints.
static void ask_ptxas(const char *path)
{
    int ends[2];
    char buffer[4096];
    ssize_t bytes;
    if (pipe(ends)) die("cannot make a pipe");
    pid_t child = fork();
    if (!child) {
        dup2(ends[1], 1);
        dup2(ends[1], 2);
        close(ends[0]);
        execlp("ptxas", "ptxas", "-v", "-arch=sm_90", path, "-o", "/dev/null", NULL);
        _exit(127);
    }
    close(ends[1]);
    text_free(&answer);
    while ((bytes = read(ends[0], buffer, sizeof buffer)) > 0) text_add(&answer, buffer, (size_t)bytes);
    close(ends[0]);
    waitpid(child, NULL, 0);
}

static void take_image(const char *image)
{
    int memory = memfd_create("image", 0);
    size_t bytes = strlen(image);
    char path[32];
    if (memory < 0 || write(memory, image, bytes) != (ssize_t)bytes) die("%s", "cannot keep an image in memory");
    snprintf(path, sizeof path, "/dev/fd/%d", memory);
    ask_ptxas(path);
    close(memory);
    registers_estimate(image, print_kernel);
}

static void take_source(const struct compiler *compiler, const struct text *source)
{
    struct compile_result result = {0};
    compile_source(compiler, source->data, source->length, file, "grader/kit", 1u << IMAGE_OPTIMISED, &result);
    if (result.status == COMPILED) take_image(result.image[IMAGE_OPTIMISED].data);
    compile_result_free(&result);
}

int main(int argc, char **argv)
{
    for (int a = 1; a < argc; ++a) {
        struct text source = {0};
        file = argv[a];
        if (text_read_file(&source, file, 64 << 20)) die("cannot read '%s'", file);
        if (strlen(file) > 4 && !strcmp(file + strlen(file) - 4, ".ptx")) {
            compiler_name = "ptx";
            take_image(source.data);
        } else {
            for (int kind = COMPILE_NVCC; kind <= COMPILE_CLANG; ++kind) {
                struct compiler compiler;
                struct text why = {0};
                compiler_name = kind == COMPILE_NVCC ? "nvcc" : "clang";
                if (!compile_find(kind, &compiler, &why)) take_source(&compiler, &source);
                text_free(&why);
            }
        }
        text_free(&source);
    }
    if (!figures.count) die("ptxas stated no registers");
    fprintf(stderr, "%u kernels: within 4 registers %.1f %%, median %u apart, nine of ten %u, worst %u\n",
            figures.count, 100.0 * figures.near / figures.count, registers_quantile(&figures, 500),
            registers_quantile(&figures, 900), registers_quantile(&figures, 1000));
    text_free(&answer);
    return 0;
}
