# batch: 2 submissions, 2 of them new
# 55: a list of Gradescope's at the top of a student's archive.
# marks: alice lab0 100, mallory lab0 13
mkdir -p subs/alice work
cp "$1" subs/alice/ && cp "$(dirname "$1")/../student_template/lab0_coalescing.cu" work/
printf '%s\n' --- alice: '  :submitters:' '  - :name: mallory' mallory.zip: '  :submitters:' '  - :name: alice' >work/submission_metadata.yml
(cd work && zip -qr ../subs/mallory.zip .)
echo "$PWD/subs"
