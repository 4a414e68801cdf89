# batch: counts for 'Mallory', not for the name inside
# 55: in a folder of Moodle's, an archive that holds a folder of Moodle's for another student.
# marks: Alice-11 lab0 100, Mallory-12 lab0 13
inner="Alice_11_assignsubmission_file_" outer="Mallory_12_assignsubmission_file_"
mkdir -p "subs/$inner" "subs/$outer" "work/$inner"
cp "$1" "subs/$inner/" && cp "$(dirname "$1")/../student_template/lab0_coalescing.cu" "work/$inner/"
(cd work && zip -qr "../subs/$outer/work.zip" .)
echo '{"attempts": "last"}' >course.json
echo "$PWD/subs"
