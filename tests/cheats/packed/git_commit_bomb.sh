# batch: cannot read the clone
# 61: a commit of two gibibytes.
git() { command git -c user.name=x -c user.email=x@x -c init.defaultBranch=main "$@"; }
clone() { mkdir -p "$1" && cp "$2" "$1/" && (cd "$1" && git init -q && git add . && git commit -qm x); }
mkdir clones && clone clones/alice "$1" && cd clones || exit
git init -q mallory && cd mallory || exit
python3 - >object <<'PY'
import hashlib, os, zlib
size, kind = 2 << 30, b'commit'
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
mkdir -p .git/refs/heads && cp object .git/refs/heads/main && cd ..
echo "$PWD"
