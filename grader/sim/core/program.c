// Finds the source line and column of a lowered instruction ("op"). The name of a source file determines its kind: .cu
// and .cuh files are the student's, except .cuh files in /usr, such as those of CUB. The file warpwise.h is the
// grader's own header (FILE_KIT), and all other files are system headers. An op from an inlined function of a header
// gets the line and column of the call in the student's code.
#include "sim/core/program.h"

#include <string.h>

#include "ptx/ptx.h"

// Returns FILE_STUDENT, FILE_KIT or FILE_OTHER, the kind of a source file.
static uint8_t file_kind(const struct ptx_module *m, uint32_t file)
{
    const char *path = file < m->nfiles ? m->file[file] : NULL;
    if (!path) return FILE_OTHER;
    size_t length = strlen(path);
    if (length >= 3 && !strcmp(path + length - 3, ".cu")) return FILE_STUDENT;
    if (length >= 4 && !strcmp(path + length - 4, ".cuh") && strncmp(path, "/usr/", 5) != 0) return FILE_STUDENT;
    if (length >= 10 && !strcmp(path + length - 10, "warpwise.h")) return FILE_KIT;
    return FILE_OTHER;
}

// Returns the index of the first file of the module with the path of `file`, because a module may declare one file
// several times.
static uint32_t first_of(const struct ptx_module *m, uint32_t file)
{
    const char *path = file < m->nfiles ? m->file[file] : NULL;
    for (uint32_t i = 0; path && i < file; i++)
        if (m->file[i] && !strcmp(m->file[i], path)) return i;
    return file;
}

struct finding_place program_inst_place(const struct ptx_module *m, uint32_t func, uint32_t inst)
{
    struct finding_place place = {.file = FILE_OTHER};
    uint32_t first = m->func[func].inst[inst].loc, loc = first;
    for (int depth = 0; depth < 100 && loc && loc < m->nlocs; depth++) {
        if (file_kind(m, m->loc[loc].file) == FILE_STUDENT) break;
        loc = m->loc[loc].inlined_at;
    }
    if (!loc || loc >= m->nlocs) loc = first;
    if (!loc || loc >= m->nlocs) return place;
    place.file = file_kind(m, m->loc[loc].file);
    place.line = m->loc[loc].line;
    place.path = first_of(m, m->loc[loc].file);
    place.column = (uint16_t)(m->loc[loc].column > 0xffff ? 0 : m->loc[loc].column);
    return place;
}

struct finding_place program_op_place(const struct sim_program *p, uint32_t op)
{
    if (op >= p->nops) return (struct finding_place){.file = FILE_OTHER};
    return program_inst_place(p->module, p->info[op].func, p->info[op].inst);
}
