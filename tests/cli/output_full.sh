# A full disk: a sentence, an exit code, and no file, not even an empty one.
[ "$(id -u)" -eq 0 ] || { echo "skipped: needs root"; exit 77; }
[ -n "${INSIDE:-}" ] || {
	unshare -m true 2> /dev/null || { echo "skipped: needs mount namespaces"; exit 77; }
	INSIDE=1 exec unshare -m sh -u "$SOURCE/tests/cli/output_full.sh"
}
. "$SOURCE/tests/cli/show"
cp "$SOURCE/tests/data/orders.nettrace.gz" orders.nettrace.gz
mkdir small bound
mount -t tmpfs -o size=64k none small || exit 77

show events orders.nettrace.gz --format json -o small/events.json
show convert orders.nettrace.gz -f jsonl -o small/events.jsonl
show convert orders.nettrace.gz -f speedscope -o small/app.speedscope.json
ls -A small

# not a byte is left
dd if=/dev/zero of=small/full bs=4k 2> /dev/null
show events orders.nettrace.gz -o small/events.txt
show convert orders.nettrace.gz -f folded -o small/app.folded
echo precious > mine.txt
rm small/full
head -c 60000 /dev/zero > small/full
head -c 3000 /dev/zero > small/mine.json
show events orders.nettrace.gz --format json -o small/mine.json --force
ls -A small
stat -c %s small/mine.json
rm small/*

# the trace by the path of another mount
zcat orders.nettrace.gz > plain.nettrace
mount --bind . bound
show events plain.nettrace -o bound/plain.nettrace --force
show convert bound/plain.nettrace -f nettrace -o plain.nettrace --force
zcat orders.nettrace.gz | cmp - plain.nettrace && echo "it is as it was"

# a file system that cannot be written to
mount -o remount,ro none small
show events orders.nettrace.gz -o small/events.txt
show convert orders.nettrace.gz -f folded -o small/app.folded
umount bound small
