# batch: counts for 'mallory', not for the name inside
# 55: a name that Canvas would give has no time, so that the attempt would be in time for ever.
# marks: alice lab0 50, mallory lab0 50
mkdir -p subs/alice subs/mallory
cp "$1" subs/alice/ && cp "$1" subs/mallory/mallory_1_2_lab0.cu
echo '{"labs": {"lab0": {"due": "2021-10-01"}}, "late": {"percent": 10, "per": "1d", "most": 50}}' >course.json
echo "$PWD/subs"
