# batch: 1 graded
# 61: a class list with a quoted name that never ends, of fifteen million doubled quotes.
mkdir -p subs/alice && cp "$1" subs/alice/
{ printf 'login,section\nalice,A\n,"'; head -c 15000000 /dev/zero | tr '\0' '"'; } >roster.csv
echo "$PWD/subs"
