// Checks a JSON document against its schema, for tests of reports.
#ifndef REPORT_SCHEMA_H
#define REPORT_SCHEMA_H

#include <jansson.h>
#include <string.h>

static inline int schema_is_type(const json_t *value, const char *type)
{
    if (!strcmp(type, "object")) return json_is_object(value);
    if (!strcmp(type, "array")) return json_is_array(value);
    if (!strcmp(type, "string")) return json_is_string(value);
    if (!strcmp(type, "boolean")) return json_is_boolean(value);
    if (!strcmp(type, "null")) return json_is_null(value);
    if (!strcmp(type, "integer")) return json_is_integer(value);
    return !strcmp(type, "number") && json_is_number(value);
}

// As much of JSON Schema as ours uses. 0, or -1 with a message printed.
static inline int schema_check(const json_t *value, const json_t *schema, const char *where)
{
    const json_t *type = json_object_get(schema, "type"), *item;
    size_t i, ok = !type;
    if (json_is_string(type)) ok = (size_t)schema_is_type(value, json_string_value(type));
    json_array_foreach(type, i, item) ok |= (size_t)schema_is_type(value, json_string_value(item));
    const json_t *constant = json_object_get(schema, "const"), *choice = json_object_get(schema, "enum");
    if (constant) ok = (size_t)json_equal(value, constant);
    if (choice) ok = 0;
    json_array_foreach(choice, i, item) ok |= (size_t)json_equal(value, item);
    if (!ok) return print_error("%s is not as the schema says\n", where), -1;
    if (json_is_null(value)) return 0;
    json_array_foreach(
        json_object_get(schema, "required"), i,
        item) if (!json_object_get(value, json_string_value(item))) return print_error("%s has no '%s'\n", where,
                                                                                       json_string_value(item)),
        -1;
    const json_t *more = json_object_get(schema, "additionalProperties"),
                 *known = json_object_get(schema, "properties");
    const char *key;
    json_t *member;
    json_object_foreach((json_t *)value, key, member)
    {
        const json_t *its = json_object_get(known, key);
        if (!its && json_is_false(more)) return print_error("%s has an unknown '%s'\n", where, key), -1;
        if (!its) its = more;
        if (its && schema_check(member, its, key)) return -1;
    }
    const json_t *items = json_object_get(schema, "items");
    if (items) json_array_foreach(value, i, item) if (schema_check(item, items, where)) return -1;
    return 0;
}

#endif
