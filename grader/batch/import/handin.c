// Finds the students to whom an imported source belongs.
//
// Theory of operation: an author has one key in the gradebook and in the ledger, whatever became of a path. If the
// roster has the author, it is the student's key there. Otherwise it is what the submission calls the author, with the
// number in the course system, which distinguishes students who have the same name. A "?" before such a key says that
// there is a roster, and that it does not have the author.
#include "batch/import/handin.h"

#include <stdio.h>
#include <string.h>

#include "base/message.h"
#include "base/text.h"
#include "base/utf8.h"
#include "batch/unpack/compose.h"

enum { KEY = sizeof((struct identity *)0)->name + sizeof((struct identity *)0)->id + 4 };

static void clean(char *field, size_t size)
{
    struct text t = {0};
    utf8_clean_line(&t, field, strlen(field));
    snprintf(field, size, "%s", t.data ? t.data : "");
    compose_field(field, size);
    text_free(&t);
}

static void clean_identity(struct identity *who)
{
    clean(who->name, sizeof who->name);
    clean(who->id, sizeof who->id);
    clean(who->email, sizeof who->email);
    clean(who->sis, sizeof who->sis);
    clean(who->login, sizeof who->login);
}

static const char *called(const struct identity *who)
{
    return *who->sis ? who->sis : *who->name ? who->name : *who->email ? who->email : who->id;
}

// Writes the key of an author who is not on the roster. The key of an author without any name is "".
static void make_key(const struct import *in, const struct identity *who, char key[KEY])
{
    const char *word = called(who), *number = word == who->name ? roster_number(who) : "";
    snprintf(key, KEY, "%s%s%s%s", in->roster && *word ? "?" : "", word, *number ? "-" : "", number);
}

void handin_begin(struct import *in)
{
    hash_map_free(&in->told);
    arena_free(&in->told_keys);
}

// Returns the alias that names an author and fits another author of this download, too, or NULL.
static const char *vague_alias(const struct import *in, const struct identity *who)
{
    int vague;
    const char *alias = in->roster ? roster_alias_of(in->roster, who, &vague) : NULL;
    return alias && vague && hash_map_get(&in->vague, alias, strlen(alias)) >= 0 ? alias : NULL;
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

void handin_tell(struct import *in, const char *path, const struct identity *who, const struct lab *lab,
                 enum ledger_fate fate, const char *why)
{
    const struct roster_student *member[ROSTER_MEMBERS];
    struct identity cleaned = {0};
    char key[KEY];
    if (who) cleaned = *who;
    clean_identity(&cleaned);
    make_key(in, &cleaned, key);
    int known = in->roster && !vague_alias(in, &cleaned) && roster_members(in->roster, &cleaned, member) > 0;
    tell(in, path, known ? member[0]->key : key, lab, fate, why);
}

// ------------------------------------------------------------------------------------------------------------- aliases
// Records `key` for the present download. Returns how often handin_announce() recorded `group` with another key.
static int count_announced(struct import *in, const char *key, const char *group)
{
    size_t length = strlen(key), shared = strlen(group);
    int count = hash_map_get(&in->announced, group, shared);
    if (count < 0) count = 0;
    if (hash_map_get(&in->announced, key, length) >= 0) return count;
    hash_map_put(&in->announced, arena_strndup(&in->arena, key, length), length, 0);
    hash_map_put(&in->announced, arena_strndup(&in->arena, group, shared), shared, count + 1);
    return count + 1;
}

void handin_announce(struct import *in, const struct identity *author, const struct lab *lab)
{
    char label[ROSTER_LABEL], key[2 * ROSTER_LABEL + 128], group[ROSTER_LABEL + 64];
    struct identity who = *author;
    int vague;
    clean_identity(&who);
    const char *alias = in->roster ? roster_alias_of(in->roster, &who, &vague) : NULL;
    if (!alias || !vague) return;
    roster_label(&who, label);
    snprintf(group, sizeof group, "%.380s\t%.40s", alias, lab->name);
    snprintf(key, sizeof key, "%s\t%s", group, label);
    if (count_announced(in, key, group) > 1) hash_map_put(&in->vague, alias, strlen(alias), 1);
}

void handin_end(struct import *in)
{
    hash_map_free(&in->announced);
    hash_map_free(&in->vague);
    in->announced = in->vague = (struct hash_map){0};
}

// ------------------------------------------------------------------------------------------------------------- authors
// Adds a note why an author matches no student on the roster, and what to do.
static void note_stranger(struct import *in, const struct import_submission *h, const char *vague)
{
    const struct identity *who = &h->who;
    const struct roster_student *both[2];
    struct text keys = {0};
    char label[ROSTER_LABEL];
    roster_label(who, label);
    uint32_t namesakes = roster_namesakes(in->roster, who->name, &keys);
    if (vague)
        text_say(&in->notes,
                 "the alias '%s' fits several authors of this download, so none gets it: in --alias, call this one "
                 "'%s' (%s)\n",
                 vague, label, h->file);
    else if (roster_contradiction(in->roster, who, both))
        text_say(&in->notes, "the number is that of '%s' and the name that of '%s', so neither gets it: '%s'\n",
                 both[0]->key, both[1]->key, h->file);
    else if (namesakes > 1)
        text_say(&in->notes, "%u students are called '%s': %s; say in --alias which of them '%s' is (%s)\n", namesakes,
                 who->name, keys.data, label, h->file);
    else
        text_say(&in->notes, "not on the roster: '%s' (%s)\n", called(who), h->file);
    text_free(&keys);
}

// Gives a submission to a student, or to nobody on the roster. Returns 0 if its author is forgotten, otherwise 1.
static int give_to(struct import *in, struct import_submission *h, const struct roster_student *student)
{
    struct identity *who = &h->who;
    char key[KEY];
    make_key(in, who, key);
    h->student = student;
    h->key = student ? student->key : key;
    h->name = student && *student->name ? student->name : *who->name ? who->name : called(who);
    if (in->forgotten && in->forgotten(in->data, h)) {
        ++in->past;
        return 0;
    }
    ++in->submissions;
    in->take(in->data, h);
    tell(in, h->file, h->key, h->lab, in->roster && !student ? LEDGER_UNMATCHED : LEDGER_TAKEN, NULL);
    return 1;
}

void handin_give(struct import *in, struct import_submission *h)
{
    const struct roster_student *member[ROSTER_MEMBERS] = {NULL};
    int vague = 0;
    clean_identity(&h->who);
    const struct identity *who = &h->who;
    const char *alias = in->roster ? roster_alias_of(in->roster, who, &vague) : NULL;
    const char *undecided = vague_alias(in, who);
    uint32_t count = in->roster && !undecided ? roster_members(in->roster, who, member) : 0;
    if (alias && count) hash_map_put(&in->used, alias, strlen(alias), 1);
    int numbered = !strcmp(h->origin, "Canvas") || !strcmp(h->origin, "Moodle");
    if (count == 1 && !alias && numbered && *who->name && !roster_is_called(member[0], who->name))
        text_say(&in->notes,
                 "only '%s' gets '%s', by the number: the name '%s' is another; if it is a group's, say its members in "
                 "--alias\n",
                 member[0]->key, h->file, who->name);
    if (count > 1) *h->who.id = '\0'; // the number is that of the group, or of one member
    for (uint32_t i = 0; i < count; ++i) give_to(in, h, member[i]);
    if (count || !give_to(in, h, NULL) || !in->roster) return;
    ++in->unmatched;
    note_stranger(in, h, undecided);
}
