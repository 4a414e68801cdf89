# batch: cannot read the clone
# 61: folders in folders, thirty thousand deep.
git() { command git -c user.name=x -c user.email=x@x -c init.defaultBranch=main "$@"; }
clone() { mkdir -p "$1" && cp "$2" "$1/" && (cd "$1" && git init -q && git add . && git commit -qm x); }
mkdir clones && clone clones/alice "$1" && cd clones || exit
git init -q mallory && cd mallory || exit
python3 - >tree <<'PY'
import hashlib, os, zlib
name = b''
for level in range(30000):
    body = b'40000 d\0' + name if name else b''
    body = b'tree %d\0' % len(body) + body
    name = hashlib.sha1(body).digest()
    folder = '.git/objects/' + name.hex()[:2]
    os.makedirs(folder, exist_ok=True)
    open(folder + '/' + name.hex()[2:], 'wb').write(zlib.compress(body, 1))
print(name.hex())
PY
git update-ref HEAD "$(git commit-tree -m x "$(cat tree)")" && cd ..
echo "$PWD"
