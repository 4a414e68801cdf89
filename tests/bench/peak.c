// Measures the memory of a command and all that it starts: peak [-d FOLDER] COMMAND [ARG…] prints, as its last line on
// stderr, the largest sum of their proportional set sizes in KiB; with a folder, behind it what that held at the most,
// and the milliseconds of processor time of all (wait4 forgets those whose parent was killed). Looks every 10 ms, so
// that what lives shorter may be missed; the command's own largest resident set, which the kernel keeps exactly, is a
// lower bound.
#define _GNU_SOURCE
#include <dirent.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long pss_kib(pid_t pid)
{
    char path[64], line[256];
    long long kib = 0;
    snprintf(path, sizeof path, "/proc/%d/smaps_rollup", (int)pid);
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "Pss: %lld", &kib) == 1) break;
    fclose(file);
    return kib;
}

enum { PROCESSES = 1 << 16 }; // by process number; two of the same number within one command are one
static long long ticks[PROCESSES];

static void see_ticks(pid_t pid)
{
    char path[64], line[1024] = "";
    long long user, system;
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "r");
    if (!file) return;
    const char *behind = fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
    fclose(file);
    if (!behind || sscanf(behind, ") %*c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %lld %lld", &user, &system) != 2)
        return;
    long long *slot = &ticks[pid % PROCESSES];
    if (user + system > *slot) *slot = user + system;
}

static long long all_ms(void)
{
    long long sum = 0;
    for (int i = 0; i < PROCESSES; ++i) sum += ticks[i];
    return sum * 1000 / sysconf(_SC_CLK_TCK);
}

static long long tree_kib(pid_t pid);

// Children belong to the thread that started them.
static long long children_kib(pid_t pid, const char *thread)
{
    char path[300];
    int child;
    long long sum = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%s/children", (int)pid, thread);
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    while (fscanf(file, "%d", &child) == 1) sum += tree_kib(child);
    fclose(file);
    return sum;
}

static long long tree_kib(pid_t pid)
{
    char path[64];
    see_ticks(pid);
    long long sum = pss_kib(pid);
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    DIR *threads = opendir(path);
    for (struct dirent *entry; threads && (entry = readdir(threads));)
        if (entry->d_name[0] != '.') sum += children_kib(pid, entry->d_name);
    if (threads) closedir(threads);
    return sum;
}

static long long disk_kib;

static int add_file(const char *path, const struct stat *status, int type, struct FTW *where)
{
    (void)path;
    (void)where;
    if (type == FTW_F) disk_kib += status->st_blocks / 2;
    return 0;
}

static long long folder_kib(const char *folder)
{
    disk_kib = 0;
    if (folder) nftw(folder, add_file, 16, FTW_PHYS);
    return disk_kib;
}

int main(int argc, char **argv)
{
    const char *folder = NULL;
    if (argc > 3 && !strcmp(argv[1], "-d")) {
        folder = argv[2];
        argc -= 2;
        argv += 2;
    }
    if (argc < 2) return 2;
    pid_t pid = fork();
    if (pid == 0) {
        execvp(argv[1], argv + 1);
        _exit(127);
    }
    long long peak = 0, most = 0;
    int status;
    struct rusage usage;
    while (wait4(pid, &status, WNOHANG, &usage) == 0) {
        long long now = tree_kib(pid);
        long long held = folder_kib(folder);
        if (now > peak) peak = now;
        if (held > most) most = held;
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    if (usage.ru_maxrss > peak) peak = usage.ru_maxrss;
    if (folder)
        fprintf(stderr, "%lld %lld %lld\n", peak, most, all_ms());
    else
        fprintf(stderr, "%lld\n", peak);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 2;
}
