# batch: counts for 'mallory', not for the name inside
# 55: the same on a roster that knows both students.
# marks: a lab0 100, m lab0 13
mkdir -p subs/alice subs/mallory
cp "$1" subs/alice/ && cp "$(dirname "$1")/../student_template/lab0_coalescing.cu" subs/mallory/alice_1_2_lab0.cu
printf '%s\n' name,login,id alice,a,1 mallory,m,9 >roster.csv
echo '{"attempts": "last"}' >course.json
echo "$PWD/subs"
