# batch: 2 submissions, 2 of them new
# 61: sources of a gibibyte each in a megabyte of objects: their size is known before they are unpacked.
# marks: alice lab0 100, mallory lab0 0
git() { command git -c user.name=x -c user.email=x@x -c init.defaultBranch=main "$@"; }
clone() { mkdir -p "$1" && cp "$2" "$1/" && (cd "$1" && git init -q && git add . && git commit -qm x); }
mkdir clones && clone clones/alice "$1" && cd clones || exit
git init -q mallory && cd mallory || exit
python3 - >object <<'PY'
import hashlib, os, zlib
size, kind = 1 << 30, b'blob'
digest, packer, zeros = hashlib.sha1(b'%s %d\0' % (kind, size)), zlib.compressobj(6), bytes(1 << 20)
out = packer.compress(b'%s %d\0' % (kind, size))
for i in range(size >> 20):
    digest.update(zeros)
    out += packer.compress(zeros)
out += packer.flush()
name = digest.hexdigest()
os.makedirs('.git/objects/' + name[:2], exist_ok=True)
open('.git/objects/%s/%s' % (name[:2], name[2:]), 'wb').write(out)
print(name)
PY
tree=$(for i in 1 2 3; do printf "100644 blob %s\tlab0_%d.cu\n" "$(cat object)" $i; done | git mktree --missing)
git update-ref HEAD "$(git commit-tree -m x "$tree")" && cd ..
echo "$PWD"
