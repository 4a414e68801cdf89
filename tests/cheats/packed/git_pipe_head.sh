# batch: cannot read the clone
# 61: a pipe as the HEAD of a clone.
git() { command git -c user.name=x -c user.email=x@x -c init.defaultBranch=main "$@"; }
clone() { mkdir -p "$1" && cp "$2" "$1/" && (cd "$1" && git init -q && git add . && git commit -qm x); }
mkdir clones && clone clones/alice "$1" && cd clones || exit
clone mallory "$1" && rm mallory/.git/HEAD && mkfifo mallory/.git/HEAD
echo "$PWD"
