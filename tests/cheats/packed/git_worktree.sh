# batch: cannot read the clone
# 61: a configuration that names another work tree and includes a file; the references are a link.
git() { command git -c user.name=x -c user.email=x@x -c init.defaultBranch=main "$@"; }
clone() { mkdir -p "$1" && cp "$2" "$1/" && (cd "$1" && git init -q && git add . && git commit -qm x); }
mkdir clones && clone clones/alice "$1" && cd clones || exit
clone mallory "$1" && rm -r mallory/.git/refs && ln -s "$PWD/alice/.git/refs" mallory/.git/refs
printf '[core]\n\tworktree = %s\n[include]\n\tpath = %s\n' "$PWD/alice" "$SECRET" >>mallory/.git/config
echo "$PWD"
