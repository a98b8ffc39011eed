# Conversions that fail: a sentence, an exit code, and no file.
. "$SOURCE/tests/cli/show"
cp "$SOURCE/tests/data/orders.nettrace.gz" orders.nettrace
cp "$SOURCE/tests/data/orders.nettrace.zst" unsampled.nettrace
zcat orders.nettrace | head -c 200000 > cut.nettrace
zcat orders.nettrace | { head -c 100000; head -c 64 /dev/zero; } > corrupt.nettrace
mkdir folder
: > old.speedscope.json.partial

show convert
show convert orders.nettrace
show convert orders.nettrace -f spedscope
show convert orders.nettrace -f pdf
show convert orders.nettrace -f svg
show convert orders.nettrace -o out.json
show convert orders.nettrace -o out

show convert orders.nettrace -f speedscope --view gpu
show convert orders.nettrace -f speedscope --group '{'
show convert orders.nettrace -f speedscope --flamegraph
show convert orders.nettrace -f speedscope --thread 1
show convert orders.nettrace -f speedscope --activity //9/9/
show convert orders.nettrace -f chromium --view alloc
show convert orders.nettrace -f speedscope --from 2 --to 1.5
show convert - - -f folded -o -

# options that a format or view does not support
for option in '--view cpu' '--group modules' '--fold x' '--include x' '--exclude x' '--fold-percent 1' '--activity //1/' \
	--raw-names --tiers --flamegraph --json; do
	show convert orders.nettrace -f jsonl $option -o -
done
for option in '--provider Orders' --flamegraph --anonymize --json; do
	show convert orders.nettrace -f html $option -o -
done
show convert orders.nettrace -f folded --view alloc --activity //1/ -o -
show convert orders.nettrace -f nettrace --tiers -o -

# filters that leave nothing, or no samples
for format in html perfetto nettrace jsonl; do
	show convert orders.nettrace -f $format --process 1 -o none.$format
	show convert orders.nettrace -f $format --from 100 -o none.$format
done
show convert orders.nettrace -f csv --provider Ordrs -o none.csv
show convert orders.nettrace -f html --include nosuchmethod -o spans.html
rm spans.html

show convert unsampled.nettrace -f speedscope --view cpu
show convert unsampled.nettrace -f speedscope -o -  | cut -c 1-120
show convert unsampled.nettrace -f speedscope --view alloc
show convert orders.nettrace unsampled.nettrace -f speedscope
show convert - -f speedscope
show convert orders.nettrace -f speedscope -o folder
show convert orders.nettrace -f speedscope -o missing/out
show convert orders.nettrace -o old.speedscope.json
show convert orders.nettrace -f speedscope -o /dev/full
show convert corrupt.nettrace -f speedscope
show convert missing.nettrace -f speedscope
ls
# a truncated trace is converted as far as it goes
show convert cut.nettrace -f speedscope
ls
