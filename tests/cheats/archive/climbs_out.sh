# batch: 3 entries are neither files nor folders, or lead elsewhere: not taken
# 35: names that lead out of the folder, from within and from the root.
mkdir alice && cp "$1" alice/ && cp "$1" lab7.cu
tar -cf out.tar alice
tar -rPf out.tar --transform 's|^|../../|' lab7.cu
tar -rPf out.tar --transform "s|^|$PWD/canary/|" lab7.cu
tar -rPf out.tar --transform 's|^|bob/../../|' lab7.cu
rm -r alice lab7.cu
echo "$PWD/out.tar"
