# batch: it could not be read
# 61: eight thousand submissions that share eight thousand people by an alias.
mkdir -p subs/alice subs/mallory && cp "$1" subs/alice/ && cd subs || exit
{
    printf -- '---\na:\n  :submitters: &s\n' && for i in $(seq 8000); do echo '  - x'; done
    for i in $(seq 8000); do printf 'b%d:\n  :submitters: *s\n' "$i"; done
} >submission_metadata.yml
echo "$PWD"
