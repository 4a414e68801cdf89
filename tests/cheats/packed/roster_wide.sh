# batch: 1 graded
# 61: a class list whose last line has twelve million cells. Students write names in it.
mkdir -p subs/alice && cp "$1" subs/alice/
{ printf 'login\nalice\n'; head -c 12000000 /dev/zero | tr '\0' ','; echo; } >roster.csv
echo "$PWD/subs"
