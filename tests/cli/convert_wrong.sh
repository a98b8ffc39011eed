# What cannot be converted, or not there: a sentence, an exit code, and no file.
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
show convert orders.nettrace -o out.json
show convert orders.nettrace -f speedscope --view gpu
show convert orders.nettrace -f speedscope --group '{'
show convert orders.nettrace -f speedscope --flamegraph
show convert orders.nettrace -f speedscope --thread 1
show convert orders.nettrace -f speedscope --activity //9/9/
show convert orders.nettrace -f chromium --view alloc
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
# a trace that ends early is converted as far as it goes
show convert cut.nettrace -f speedscope
ls
