# batch: cannot read the clone
# 61: a hundred thousand sources that are one object.
git() { command git -c user.name=x -c user.email=x@x -c init.defaultBranch=main "$@"; }
clone() { mkdir -p "$1" && cp "$2" "$1/" && (cd "$1" && git init -q && git add . && git commit -qm x); }
mkdir clones && clone clones/alice "$1" && cd clones || exit
git init -q mallory && cd mallory || exit
blob=$(git hash-object -w "$1")
tree=$(for i in $(seq 100000); do printf '100644 blob %s\tlab%d_x.cu\n' "$blob" "$i"; done | git mktree)
git update-ref HEAD "$(git commit-tree -m x "$tree")" && cd ..
echo "$PWD"
