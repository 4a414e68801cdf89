# batch: cannot read the clone
# 61: pipes as objects of a clone, and as its packed references.
git() { command git -c user.name=x -c user.email=x@x -c init.defaultBranch=main "$@"; }
clone() { mkdir -p "$1" && cp "$2" "$1/" && (cd "$1" && git init -q && git add . && git commit -qm x); }
mkdir clones && clone clones/alice "$1" && cd clones || exit
clone mallory "$1" && mkfifo mallory/.git/packed-refs
for object in mallory/.git/objects/??/*; do rm -f "$object" && mkfifo "$object"; done
echo "$PWD"
