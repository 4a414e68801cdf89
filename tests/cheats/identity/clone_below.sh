# batch: 2 submissions, 2 of them new
# 55: a clone in a student's folder that has the name of another student.
# marks: alice lab0 100, mallory lab0 13
export GIT_COMMITTER_DATE='2030-01-01T00:00:00Z'
mkdir -p subs/alice subs/mallory/alice
cp "$1" subs/alice/ && cp "$(dirname "$1")/../student_template/lab0_coalescing.cu" subs/mallory/alice/
(cd subs/mallory/alice && git init -q && git add . && git -c user.name=x -c user.email=x@x commit -qm x)
echo '{"attempts": "last"}' >course.json
echo "$PWD/subs"
