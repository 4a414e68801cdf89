# batch: 2 submissions, 2 of them new
# 55: the same among clones, in a folder that is named after a lab.
# marks: alice lab0 100, mallory lab0 13
for who in lab0-alice lab0-mallory/lab0/alice; do
    mkdir -p "subs/$who" && cp "$1" "subs/$who/"
    [ "$who" = lab0-alice ] || cp "$(dirname "$1")/../student_template/lab0_coalescing.cu" "subs/$who/"
    (cd "subs/$who" && git init -q && git add . && git -c user.name=x -c user.email=x@x commit -qm x)
done
echo '{"attempts": "last"}' >course.json
echo "$PWD/subs"
