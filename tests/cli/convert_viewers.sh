# Formats of viewers: file names, variants, and options that do not go together.
. "$SOURCE/tests/cli/show"
cp "$SOURCE/tests/data/orders.nettrace.gz" orders.nettrace.gz
cp "$SOURCE/tests/data/orders-counters.nettrace.zst" counters.nettrace.zst

for format in pprof otlp firefox perfetto html; do
	show convert orders.nettrace.gz -f $format
	show convert counters.nettrace.zst -f $format
done
show convert orders.nettrace.gz -f otlp --json
show convert orders.nettrace.gz -f pprof --json --force
show convert orders.nettrace.gz -o named.pprof
show convert orders.nettrace.gz -o named.pftrace
ls

# by the first bytes: gzip, protobuf, JSON, a page
for file in orders.pb.gz named.pprof orders.otlp named.pftrace; do
	echo "$file $(od -An -tx1 -N1 $file)"
done
head -c 60 orders.otlp.json
echo
head -c 60 orders.firefox.json
echo
head -n 1 orders.html

# the same trace gives the same bytes
for file in orders.pb.gz orders.otlp orders.otlp.json orders.firefox.json orders.perfetto-trace orders.html; do
	cp $file before
	"$PERFPIPE" convert orders.nettrace.gz -o $file --force
	cmp before $file
done

# a timeline needs no samples; the first view decides which samples there are
cp "$SOURCE/tests/data/orders-runtime.nettrace.zst" runtime.nettrace.zst
show convert orders.nettrace.gz runtime.nettrace.zst -o both.chromium.json
grep -o '"cat":"[a-zA-Z-]*","ph":"[a-zA-Z]","pid":[0-9]*' both.chromium.json | sort | uniq -c
show convert runtime.nettrace.zst orders.nettrace.gz -o other.chromium.json
show convert orders.nettrace.gz runtime.nettrace.zst -o both.folded
show convert runtime.nettrace.zst orders.nettrace.gz -o other.folded
