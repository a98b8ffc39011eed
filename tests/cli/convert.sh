# Our own recordings in other formats: where the output goes, its contents, and with filters.
. "$SOURCE/tests/cli/show"
cp "$SOURCE/tests/data/orders.nettrace.gz" orders.nettrace.gz
cp "$SOURCE/tests/data/orders-runtime.nettrace.zst" runtime.nettrace.zst

show convert orders.nettrace.gz -f Speedscope
ls
head -c 160 orders.speedscope.json
echo
show convert orders.nettrace.gz -f speedscope
show convert orders.nettrace.gz -f speedscope --force
cp orders.nettrace.gz again.nettrace.gz
show convert orders.nettrace.gz again.nettrace.gz -o both.speedscope.json

show convert runtime.nettrace.zst --view alloc -o alloc.speedscope.json
show convert orders.nettrace.gz --view cpu --group modules --from 1 --to 1.2 -o part.speedscope.json
"$PERFPIPE" convert - -f speedscope -o - < orders.nettrace.gz |
	sed 's/"name":"-"/"name":"orders.nettrace.gz"/' | cmp - orders.speedscope.json

ls

show convert orders.nettrace.gz -f chromium
show convert runtime.nettrace.zst -f chromium
grep -v sampleEvent orders.chromium.json | grep -v '^"' | head -12
for file in orders runtime; do
	echo "$file"
	grep -o '"ph":"[A-Za-z]"' $file.chromium.json | sort | uniq -c
	grep -o '"cat":"[a-z-]*"' $file.chromium.json | sort | uniq -c
done

show convert orders.nettrace.gz -f folded
show convert orders.nettrace.gz again.nettrace.gz --view cpu --group modules -o both.folded
cat both.folded
wc -l < orders.folded
show convert orders.nettrace.gz --view cpu --group modules --flamegraph -o orders.html
show convert orders.nettrace.gz --view cpu --group modules --flamegraph
sed "/<script>/,\$d" orders.svg # the picture and its data

show convert orders.nettrace.gz --view cpu --group modules --from 2 -o tail.perf.txt
cat tail.perf.txt
show convert orders.nettrace.gz -f PerfView
ls -- *.zip

# the name of each profile, and its number of events
profiles()
{
	echo "$1"
	grep -o '"name":"[^"]*Thread ([0-9]*)[^"]*","unit":"[a-z]*"' "$1" | sort | uniq -c
	grep -o '"type":"[OC]"' "$1" | sort | uniq -c
}
profiles orders.speedscope.json
profiles both.speedscope.json
profiles alloc.speedscope.json
cat part.speedscope.json
