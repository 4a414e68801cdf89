# batch: a clone without a commit
# 61: a pipe as the configuration of a clone: it would be opened for ever.
git() { command git -c user.name=x -c user.email=x@x -c init.defaultBranch=main "$@"; }
clone() { mkdir -p "$1" && cp "$2" "$1/" && (cd "$1" && git init -q && git add . && git commit -qm x); }
mkdir clones && clone clones/alice "$1" && cd clones || exit
mkdir -p mallory/.git/objects mallory/.git/refs/heads && echo 'ref: refs/heads/main' >mallory/.git/HEAD
mkfifo mallory/.git/config
echo "$PWD"
