# batch: 3 links were not followed
# 35: a symbolic link to what is not his, a hard link, and a link as the folder of a later entry.
mkdir alice bob && cp "$1" alice/
ln -s /etc/passwd bob/lab0.cu && ln alice/*.cu bob/lab3.cu && ln -s /tmp carol
tar -cf links.tar alice bob carol
rm -r bob carol && mkdir carol && ln alice/*.cu carol/lab0_coalescing.cu && rm -r alice carol
echo "$PWD/links.tar"
