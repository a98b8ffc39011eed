# Corrupt bytes: everything before them is shown, then one sentence with the offset, and failure.
. "$SOURCE/tests/cli/show"
zstd -q -d "$SOURCE/tests/data/orders.nettrace.zst" -o good.nettrace || exit

# overwrite OFFSET BYTES: a copy of the valid trace with these bytes at the offset
overwrite()
{
	cp good.nettrace bad.nettrace
	printf "$2" | dd of=bad.nettrace bs=1 seek="$1" conv=notrunc 2> /dev/null
}

# The offsets of the names in the object headers.
grep -abo EventBlock good.nettrace | cut -d: -f1 > blocks
second=$(sed -n 2p blocks)

echo "a type that does not exist:"
overwrite "$second" Evil
show info bad.nettrace
"$PERFPIPE" info --json bad.nettrace 2> /dev/null | grep -E '"(complete|events)"' | head -n 2

echo "a size beyond reason:"
overwrite $((second + 11)) '\377\377\377\177'
show info bad.nettrace | tail -n 3

echo "a size that is wrong:"
overwrite $((second + 11)) '\200\1\0\0'
show info bad.nettrace | tail -n 3

echo "a header that is larger than its block:"
overwrite $(((second + 11 + 4 + 3) / 4 * 4)) '\377\377'
show info bad.nettrace | tail -n 3

echo "in a trace header:"
overwrite 85 '\0\0\0\0\0\0\0\0'
show info bad.nettrace

echo "gzip:"
packed=$SOURCE/tests/data/orders.nettrace.gz
cp "$packed" bad.nettrace.gz
printf '\377\377\377\377' | dd of=bad.nettrace.gz bs=1 seek=10000 conv=notrunc 2> /dev/null
show info bad.nettrace.gz | grep -v "^  Complete" # depends on where the error is
head -c 20000 "$packed" > cut.nettrace.gz
show info cut.nettrace.gz
head -c 3 "$packed" > stub.nettrace.gz
show info stub.nettrace.gz
