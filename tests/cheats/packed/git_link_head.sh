# batch: cannot read the clone
# 61: a clone whose HEAD is a link, and each of whose objects is one.
git() { command git -c user.name=x -c user.email=x@x -c init.defaultBranch=main "$@"; }
clone() { mkdir -p "$1" && cp "$2" "$1/" && (cd "$1" && git init -q && git add . && git commit -qm x); }
mkdir clones && clone clones/alice "$1" && cd clones || exit
mkdir -p mallory/.git/refs && ln -s ../../alice/.git/refs/heads/main mallory/.git/HEAD && cp -r alice/.git/refs mallory/.git/
(cd alice/.git && find objects -type d -exec mkdir -p ../../mallory/.git/{} \;
    find objects -type f -exec ln -s "$PWD/{}" ../../mallory/.git/{} \;)
echo "$PWD"
