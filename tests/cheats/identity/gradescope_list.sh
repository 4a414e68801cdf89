# batch: 3 submissions, 3 of them new
# 55: a list of Gradescope's in a student's own folder gives the class's work to others.
# marks: alice lab0 100, bob lab0 13, mallory lab0 13
mkdir -p subs/alice subs/bob subs/mallory
cp "$1" subs/alice/ && cp "$(dirname "$1")/../student_template/lab0_coalescing.cu" subs/bob/ && cp subs/bob/*.cu subs/mallory/
printf '%s\n' --- alice: '  :submitters:' '  - :name: mallory' '  :created_at: 2020-10-01 10:00:00 Z' \
    mallory: '  :submitters:' '  - :name: alice' '  :created_at: 2020-10-01 10:00:00 Z' >subs/mallory/submission_metadata.yml
echo "$PWD/subs"
