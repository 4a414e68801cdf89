# batch: 1 submissions, 1 of them new
# 55: the same when the archive itself is named.
# marks: alice lab0 80
cp "$1" lab0.cu && touch -d 2020-01-01 lab0.cu && zip -q alice.zip lab0.cu && touch -d 2021-10-03Z alice.zip
echo '{"labs": {"lab0": {"due": "2021-10-01T23:59Z"}}, "late": {"percent": 10, "per": "1d", "most": 50}}' >course.json
echo "$PWD/alice.zip"
