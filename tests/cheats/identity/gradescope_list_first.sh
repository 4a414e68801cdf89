# batch: 2 submissions, 2 of them new
# 55: in an export of Gradescope's, a student's list, which comes before the class's.
# marks: alice lab0 100, mallory lab0 13
mkdir -p export/submission_1 export/submission_2
cp "$1" export/submission_2/ && cp "$(dirname "$1")/../student_template/lab0_coalescing.cu" export/submission_1/
printf '%s\n' --- submission_1: '  :submitters:' '  - :name: mallory' submission_2: '  :submitters:' '  - :name: alice' >export/submission_metadata.yml
sed 's/mallory/x/; s/alice/mallory/; s/name: x/name: alice/' export/submission_metadata.yml >export/submission_1/submission_metadata.yml
zip -qr export.zip export && echo "$PWD/export.zip"
