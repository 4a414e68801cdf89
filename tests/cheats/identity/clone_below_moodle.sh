# batch: 2 submissions, 2 of them new
# 55: the same in a folder of Moodle's.
# marks: Alice-11 lab0 100, Mallory-12 lab0 13
below="subs/Mallory_12_assignsubmission_file_/Alice_11_assignsubmission_file_"
mkdir -p subs/Alice_11_assignsubmission_file_ "$below"
cp "$1" subs/Alice_11_assignsubmission_file_/ && cp "$(dirname "$1")/../student_template/lab0_coalescing.cu" "$below/"
(cd "$below" && git init -q && git add . && git -c user.name=x -c user.email=x@x commit -qm x)
echo '{"attempts": "last"}' >course.json
echo "$PWD/subs"
