# batch: a file is newer than its archive, whose time counts
# 55: a time inside an archive that is later costs nothing, and is noted.
# marks: Alice-11 lab0 100
mkdir -p subs/Alice_11_assignsubmission_file_
cp "$1" lab0.cu && touch -d 2022-01-01 lab0.cu && zip -q subs/Alice_11_assignsubmission_file_/work.zip lab0.cu
touch -d 2021-09-30 subs/Alice_11_assignsubmission_file_/work.zip
echo '{"labs": {"lab0": {"due": "2021-10-01T23:59Z"}}, "late": {"percent": 10, "per": "1d", "most": 50}}' >course.json
echo "$PWD/subs"
