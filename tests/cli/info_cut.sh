# The trace of a killed program: what was recorded, a warning, and success.
. "$SOURCE/tests/cli/show"
cd "$SOURCE/tests/data" || exit
show info orders-cut.nettrace

echo "on standard error:"
"$PERFPIPE" info orders-cut.nettrace 2>&1 > /dev/null
echo "in JSON:"
"$PERFPIPE" info --json orders-cut.nettrace 2> /dev/null | grep -E '"(complete|events|stopped_by)"' |
	head -n 3

echo "cut anywhere in the first 2,000 bytes:"
cd - > /dev/null || exit
size=1
while [ $size -le 2000 ]; do
	head -c $size "$SOURCE/tests/data/orders-cut.nettrace" > short.nettrace
	"$PERFPIPE" info short.nettrace 2>&1 > /dev/null | sed "s/byte $size /byte N /"
	size=$((size + 37))
done | sort | uniq -c | sed 's/^ *//'
