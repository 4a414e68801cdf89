// Compares names of files and folders with the roster.
#include "batch/person.h"

#include <stdio.h>

#include "base/compose.h"
#include "batch/names.h"

int person_is_known(const struct roster *roster, const char *name)
{
    const struct roster_student *member[ROSTER_MEMBERS];
    struct roster_identity who = {0};
    snprintf(who.name, sizeof who.name, "%s", name);
    compose_text(who.name);
    return roster && roster_members(roster, &who, member) > 0;
}

// Finds the author in a name that contains a lab's name, if exactly one of the two texts around the lab's name is a
// student's. For example, the name of a repository may begin with the class's name, and the name of a file may end with
// a word that the student added.
static int beside_lab(const struct roster *roster, const char *part, struct roster_identity *who)
{
    char before[sizeof who->name], after[sizeof who->name];
    if (!roster || !names_around_lab(part, before, after, sizeof before) || !*before || !*after) return 0;
    int first = person_is_known(roster, before), second = person_is_known(roster, after);
    if (first == second) return 0;
    snprintf(who->name, sizeof who->name, "%s", first ? before : after);
    return 1;
}

void person_in_part(const struct roster *roster, const char *part, struct roster_identity *who)
{
    *who = (struct roster_identity){0};
    if (person_is_known(roster, part))
        snprintf(who->name, sizeof who->name, "%s", part);
    else if (!beside_lab(roster, part, who))
        names_author(part, who->name, sizeof who->name);
    if (!*who->name) snprintf(who->name, sizeof who->name, "%s", part);
    compose_text(who->name);
}
