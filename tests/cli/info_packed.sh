# Compression and source make no difference to a trace.
zstd -q -d "$SOURCE/tests/data/orders.nettrace.zst" -o plain.nettrace || exit
cp "$SOURCE/tests/data/orders.zip" "$SOURCE/tests/data/orders.nettrace.zst" .
gzip -n -c plain.nettrace > orders.nettrace.gz
cp orders.nettrace.gz misnamed.txt # the content counts, not the name
zip -q -0 stored.zip plain.nettrace
# several members, as parallel compressors write them
{ head -c 20000 plain.nettrace | gzip -n; tail -c +20001 plain.nettrace | gzip -n; } > members.gz

# Prints what is expected to differ, and whether the rest is the same.
same()
{
	grep -E '^  "(file|size_bytes|compression)"' output | tr -d '\n'
	echo
	grep -vE '^  "(file|size_bytes|compression)"' output > rest
	cmp wanted rest && echo "  the same"
}

"$PERFPIPE" info --json plain.nettrace | grep -vE '^  "(file|size_bytes|compression)"' > wanted
for file in plain.nettrace orders.nettrace.gz orders.nettrace.zst orders.zip misnamed.txt \
	stored.zip members.gz; do
	"$PERFPIPE" info --json $file > output
	same | sed -e '/stored.zip/s/"size_bytes": [0-9]*/"size_bytes": X/'
done

echo "standard input is a file:"
"$PERFPIPE" info --json - < plain.nettrace > output
same
"$PERFPIPE" info --json - < orders.nettrace.gz > output
same
echo "standard input is a pipe:"
cat plain.nettrace | "$PERFPIPE" info --json - > output
same
cat orders.nettrace.gz | "$PERFPIPE" info --json - > output
same
cat orders.nettrace.zst | "$PERFPIPE" info --json - > output
same
cat orders.zip | "$PERFPIPE" info --json - > output
same
{ head -c 7; sleep 0.1; cat; } < plain.nettrace | "$PERFPIPE" info --json - > output
same
