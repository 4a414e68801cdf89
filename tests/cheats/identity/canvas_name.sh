# batch: counts for 'mallory', not for the name inside
# 55: a file in a student's folder that is called as Canvas would call another student's.
# marks: alice lab0 100, mallory lab0 13
mkdir -p subs/alice subs/mallory
cp "$1" subs/alice/ && cp "$(dirname "$1")/../student_template/lab0_coalescing.cu" subs/mallory/alice_1_2_lab0.cu
echo '{"attempts": "last"}' >course.json
echo "$PWD/subs"
