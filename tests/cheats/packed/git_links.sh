# batch: cannot read the clone
# 61: a clone whose objects and references are links to another one.
git() { command git -c user.name=x -c user.email=x@x -c init.defaultBranch=main "$@"; }
clone() { mkdir -p "$1" && cp "$2" "$1/" && (cd "$1" && git init -q && git add . && git commit -qm x); }
mkdir clones && clone clones/alice "$1" && cd clones || exit
mkdir -p mallory/.git && echo 'ref: refs/heads/main' >mallory/.git/HEAD
ln -s ../../alice/.git/objects mallory/.git/objects && ln -s ../../alice/.git/refs mallory/.git/refs
echo "$PWD"
