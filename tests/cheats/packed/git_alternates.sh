# batch: cannot read the clone
# 61: a clone whose objects are those of another one (alternates).
git() { command git -c user.name=x -c user.email=x@x -c init.defaultBranch=main "$@"; }
clone() { mkdir -p "$1" && cp "$2" "$1/" && (cd "$1" && git init -q && git add . && git commit -qm x); }
mkdir clones && clone clones/alice "$1" && cd clones || exit
mkdir -p mallory/.git/objects/info mallory/.git/refs/heads && echo 'ref: refs/heads/main' >mallory/.git/HEAD
git -C alice rev-parse HEAD >mallory/.git/refs/heads/main && echo "$PWD/alice/.git/objects" >mallory/.git/objects/info/alternates
echo "$PWD"
