# batch: it could not be read
# 61: 200 KB of brackets at the top of what is named, for a parser that is quadratic in them.
mkdir -p subs/alice subs/mallory && cp "$1" subs/alice/ && cd subs || exit
{ echo ---; head -c 200000 /dev/zero | tr '\0' '['; } >submission_metadata.yml
echo "$PWD"
