# A checksum that does not match: every command shows what there is, warns and fails. What follows
# the end of a trace or of its compressed data is named.
. "$SOURCE/tests/cli/show"
zstd -q -d "$SOURCE/tests/data/orders.nettrace.zst" -o good.nettrace || exit

# flip FILE OFFSET: another value for the byte that many bytes before the end
flip()
{
	at=$(($(wc -c < "$1") - $2))
	value=$(tail -c "$2" "$1" | head -c 1 | od -An -tu1)
	printf "\\$(printf %03o $((value ^ 1)))" | dd of="$1" bs=1 seek="$at" conv=notrunc 2> /dev/null
}

gzip -n -c good.nettrace > crc.gz
cp crc.gz length.gz
flip crc.gz 8
flip length.gz 4
zstd -q --check good.nettrace -o crc.zst
flip crc.zst 1
zip -q -X crc.zip good.nettrace
printf '\0\0\0\0' | dd of=crc.zip bs=1 seek=14 conv=notrunc 2> /dev/null

"$PERFPIPE" events good.nettrace > wanted
for file in crc.gz length.gz crc.zst crc.zip; do
	"$PERFPIPE" events $file > events
	echo "exit code $?"
	cmp wanted events && echo "all events"
	"$PERFPIPE" info --json $file 2> /dev/null | grep -E '"(complete|events|trailing_bytes)"' | head -n 3
done 2>&1

show info crc.gz
show report crc.gz gc | tail -n 6
"$PERFPIPE" report --json crc.gz gc 2> /dev/null | grep '"complete"'
show convert crc.gz -f jsonl -o all.jsonl
wc -l < all.jsonl
show convert crc.gz -o copy.nettrace
"$PERFPIPE" info copy.nettrace | grep Complete
show diff good.nettrace crc.gz gc | grep -E "warning|^New|exit"
echo "a condition that is true does not hide it:"
show diff good.nettrace crc.gz gc --fail-if 'gc.count > 0' -q
echo "the first events do not need the checksum:"
show events crc.gz -n 1

echo "after the end:"
cp good.nettrace after.nettrace
cat good.nettrace >> after.nettrace
show info after.nettrace | grep -E "warning|Complete|Trailing|exit"
"$PERFPIPE" info --json after.nettrace 2> /dev/null | grep trailing
{ gzip -n -c good.nettrace; printf 'garbage'; } > after.gz
{ zstd -q -c good.nettrace; printf 'garbage'; } > after.zst
{ gzip -n -c good.nettrace; head -c 1000 /dev/zero; } > padded.gz
{ cat good.nettrace; printf 'garbage'; } | gzip -n > inner.gz
for file in after.gz after.zst padded.gz inner.gz; do
	show info $file | grep -E "^\\$|warning|Complete|Trailing|exit"
done
echo "an endless pipe:"
{ cat good.nettrace; cat /dev/zero; } | "$PERFPIPE" info - 2>&1 | grep -E "warning|Trailing"

echo "no checksum at all:"
gzip -n -c good.nettrace | head -c -8 > cut.gz
show info cut.gz | grep -E "warning|Complete|exit"
