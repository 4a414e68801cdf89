// Finds the students to whom an imported source belongs.
//
// Theory of operation: an author has one key in the gradebook and in the ledger, whatever became of a path. If the
// roster has the author, it is the student's key there. Otherwise it is what the submission calls the author, with the
// number in the course system, which distinguishes students who have the same name. A "?" before such a key says that
// there is a roster, and that it does not have the author.
#include "batch/handin.h"

#include <stdio.h>
#include <string.h>

#include "base/compose.h"
#include "base/message.h"
#include "base/utf8.h"

enum { KEY = sizeof((struct roster_identity *)0)->name + sizeof((struct roster_identity *)0)->id + 4 };

static void clean(char *field, size_t size)
{
    struct text t = {0};
    utf8_clean_line(&t, field, strlen(field));
    snprintf(field, size, "%s", t.data ? t.data : "");
    compose_text(field);
    text_free(&t);
}

static void clean_identity(struct roster_identity *who)
{
    clean(who->name, sizeof who->name);
    clean(who->id, sizeof who->id);
    clean(who->email, sizeof who->email);
    clean(who->sis, sizeof who->sis);
    clean(who->login, sizeof who->login);
}

static const char *called(const struct roster_identity *who)
{
    return *who->sis ? who->sis : *who->name ? who->name : *who->email ? who->email : who->id;
}

// Writes the key of an author who is not on the roster. The key of an author without any name is "".
static void make_key(const struct import *in, const struct roster_identity *who, char key[KEY])
{
    const char *word = called(who);
    int number = *who->id && word == who->name;
    snprintf(key, KEY, "%s%s%s%s", in->roster && *word ? "?" : "", word, number ? "-" : "", number ? who->id : "");
}

void handin_begin(struct import *in)
{
    hash_map_free(&in->told);
    arena_free(&in->told_keys);
}

// Tells what became of a path. If the ledger has an entry for this path, student and lab already, a number behind the
// path makes it another one.
static void tell(struct import *in, const char *path, const char *key, const struct lab *lab, enum ledger_fate fate,
                 const char *why)
{
    const char *name = lab ? lab->name : "", *shown = path;
    if (!in->saw) return;
    char *first = arena_printf(&in->told_keys, "%s\n%s\n%s", path, key, name), *entry = first;
    int count = hash_map_get(&in->told, first, strlen(first));
    if (count < 0) count = 0;
    for (;; ++count) {
        if (count) shown = arena_printf(&in->told_keys, "%s (%d)", path, count + 1);
        if (count) entry = arena_printf(&in->told_keys, "%s\n%s\n%s", shown, key, name);
        if (hash_map_get(&in->told, entry, strlen(entry)) < 0) break;
    }
    hash_map_put(&in->told, entry, strlen(entry), 1);
    hash_map_put(&in->told, first, strlen(first), count + 1);
    in->saw(in->data, &(struct ledger_entry){shown, key, name, why ? why : "", fate});
}

void handin_tell(struct import *in, const char *path, const struct roster_identity *who, const struct lab *lab,
                 enum ledger_fate fate, const char *why)
{
    const struct roster_student *member[ROSTER_MEMBERS];
    struct roster_identity cleaned = {0};
    char key[KEY];
    if (who) cleaned = *who;
    clean_identity(&cleaned);
    make_key(in, &cleaned, key);
    int known = in->roster && roster_members(in->roster, &cleaned, member) > 0;
    tell(in, path, known ? member[0]->key : key, lab, fate, why);
}

static void give_to(struct import *in, struct import_submission *h, const struct roster_student *student)
{
    struct roster_identity *who = &h->who;
    char key[KEY];
    make_key(in, who, key);
    h->student = student;
    h->key = student ? student->key : key;
    h->name = student && *student->name ? student->name : *who->name ? who->name : called(who);
    if (in->forgotten && in->forgotten(in->data, h)) {
        ++in->past;
        return;
    }
    if (in->roster && !student) {
        ++in->unmatched;
        const struct roster_student *both[2];
        if (roster_contradiction(in->roster, who, both))
            text_say(&in->notes, "the number is that of '%s' and the name that of '%s', so neither gets it: '%s'\n",
                     both[0]->key, both[1]->key, h->file);
        else
            text_say(&in->notes, "not on the roster: '%s' (%s)\n", called(who), h->file);
    }
    ++in->submissions;
    in->take(in->data, h);
    tell(in, h->file, h->key, h->lab, in->roster && !student ? LEDGER_UNMATCHED : LEDGER_TAKEN, NULL);
}

void handin_give(struct import *in, struct import_submission *h)
{
    const struct roster_student *member[ROSTER_MEMBERS] = {NULL};
    clean_identity(&h->who);
    uint32_t count = in->roster ? roster_members(in->roster, &h->who, member) : 0;
    if (count > 1) *h->who.id = '\0'; // the number is that of the group, or of one member
    for (uint32_t i = 0; !i || i < count; ++i) give_to(in, h, member[i]);
}
