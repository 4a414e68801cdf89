// Compares names of files and folders with the roster.
#include "batch/import/person.h"

#include <stdio.h>
#include <string.h>

#include "batch/import/assignment.h"
#include "batch/unpack/compose.h"
#include "batch/unpack/names.h"

int person_is_known(const struct roster *roster, const char *name)
{
    const struct roster_student *member[ROSTER_MEMBERS];
    struct identity who = {0};
    snprintf(who.name, sizeof who.name, "%s", name);
    compose_field(who.name, sizeof who.name);
    return roster && roster_members(roster, &who, member) > 0;
}

// Splits a title and a login, which '_' joins, at the '_' behind which the roster has the login. If it has none, or if
// there are two such places and the title in `d` is no lab's, the split in `d` stays.
static void split_login(const struct roster *roster, struct download_name *d)
{
    char all[sizeof d->title + sizeof d->who.name];
    const char *login = NULL;
    const struct lab *lab;
    int places = 0, certain = assignment_of_part(d->title, &lab) && person_is_known(roster, d->who.name);
    snprintf(all, sizeof all, "%s_%s", d->title, d->who.name);
    for (const char *at = all; (at = strchr(at, '_')) != NULL;)
        if (person_is_known(roster, ++at)) login = at, ++places;
    if (!login || (certain && places > 1)) return;
    if (places > 1) { // nobody's
        snprintf(d->who.name, sizeof d->who.name, "%.255s", all);
        return;
    }
    snprintf(d->title, sizeof d->title, "%.*s", (int)(login - 1 - all), all);
    snprintf(d->who.name, sizeof d->who.name, "%s", login);
}

int person_in_download(const struct roster *roster, const char *part, struct download_name *d)
{
    if (!download_parse(part, d)) return 0;
    if (d->perhaps && !person_is_known(roster, d->who.login)) return 0;
    if (!strcmp(d->origin, "Blackboard")) split_login(roster, d);
    return 1;
}

// Finds the author in a name that contains a lab's name, if exactly one of the two texts around the lab's name is a
// student's. For example, the name of a repository may begin with the class's name, and the name of a file may end with
// a word that the student added.
static int beside_lab(const struct roster *roster, const char *part, struct identity *who)
{
    char before[sizeof who->name], after[sizeof who->name];
    if (!roster || !names_around_lab(part, before, after, sizeof before) || !*before || !*after) return 0;
    int first = person_is_known(roster, before), second = person_is_known(roster, after);
    if (first == second) return 0;
    snprintf(who->name, sizeof who->name, "%s", first ? before : after);
    return 1;
}

void person_in_part(const struct roster *roster, const char *part, struct identity *who)
{
    *who = (struct identity){0};
    if (person_is_known(roster, part))
        snprintf(who->name, sizeof who->name, "%s", part);
    else if (!beside_lab(roster, part, who))
        names_author(part, who->name, sizeof who->name);
    if (!*who->name) snprintf(who->name, sizeof who->name, "%s", part);
    compose_field(who->name, sizeof who->name);
}
