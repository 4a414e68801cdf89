# batch: 4 submissions, 4 of them new
# 55: folders that differ by a blank: two students; around the folder of a lab it means nothing.
# marks: alice lab0 100, alice  lab0 13, bob lab0 100, mallory lab0 13
mkdir -p subs/alice "subs/alice " "subs/lab0 /bob" "subs/lab0 /mallory"
stub=$(dirname "$1")/../student_template/lab0_coalescing.cu
cp "$1" subs/alice/ && cp "$1" "subs/lab0 /bob/" && cp "$stub" "subs/alice /" && cp "$stub" "subs/lab0 /mallory/"
echo '{"attempts": "last"}' >course.json
echo "$PWD/subs"
