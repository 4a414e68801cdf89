# batch: 1 submissions, 1 of them new
# 61: the same in a folder of his own.
mkdir -p subs/alice subs/mallory && cp "$1" subs/alice/ && cd subs || exit
{ echo ---; head -c 200000 /dev/zero | tr '\0' '['; } >mallory/submission_metadata.yml
echo "$PWD"
