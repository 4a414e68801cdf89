# batch: counts for 'mallory', not for the name inside
# 55: the same in the one folder that is named, on a roster that knows both students.
# marks: a lab0 null, m lab0 13
mkdir mallory
cp "$(dirname "$1")/../student_template/lab0_coalescing.cu" mallory/alice_1_2_lab0.cu
printf '%s\n' name,login,id alice,a,1 mallory,m,9 >roster.csv
echo "$PWD/mallory"
