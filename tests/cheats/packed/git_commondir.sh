# batch: cannot read the clone
# 61: a clone that says that its objects are in another one (commondir).
git() { command git -c user.name=x -c user.email=x@x -c init.defaultBranch=main "$@"; }
clone() { mkdir -p "$1" && cp "$2" "$1/" && (cd "$1" && git init -q && git add . && git commit -qm x); }
mkdir clones && clone clones/alice "$1" && cd clones || exit
mkdir -p mallory/.git && echo 'ref: refs/heads/main' >mallory/.git/HEAD
echo ../../alice/.git | tee mallory/.git/commondir >mallory/.git/gitdir
echo "$PWD"
