# batch: 2 submissions, 2 of them new
# 55: a late student's archive holds a file with an old time.
# marks: Alice-11 lab0 100, Mallory-12 lab0 80
of="subs/Mallory_12_assignsubmission_file_"
mkdir -p subs/Alice_11_assignsubmission_file_ "$of"
cp "$1" subs/Alice_11_assignsubmission_file_/ && touch -d 2021-09-30 subs/Alice_11_assignsubmission_file_/*.cu
cp "$1" lab0.cu && touch -d 2020-01-01 lab0.cu && zip -q "$of/work.zip" lab0.cu && touch -d 2021-10-03Z "$of/work.zip"
echo '{"labs": {"lab0": {"due": "2021-10-01T23:59Z"}}, "late": {"percent": 10, "per": "1d", "most": 50}}' >course.json
echo "$PWD/subs"
