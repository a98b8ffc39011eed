# Native code is named by files with symbols: here by those of tests/data/native, which no path of the trace leads to.
. "$SOURCE/tests/cli/show"
export XDG_CACHE_HOME="$PWD/cache"
unset DEBUGINFOD_URLS
cp "$SOURCE/tests/data/native.nettrace" "$SOURCE"/tests/data/native/*.so .
mkdir with && mv ./*.so with
if "$PERFPIPE" report native.nettrace symbols --symbols with --json | grep -q 'this build has no elfutils'; then
	echo "skipped: this build has no elfutils"
	exit 77
fi

show report native.nettrace cpu
show report native.nettrace cpu --no-symbols
show report native.nettrace cpu --symbols with
show report native.nettrace cpu --symbols with --tree --lines
show report native.nettrace cpu --symbols with --callers tax
show report native.nettrace cpu --symbols with --by module
show report native.nettrace symbols --symbols with
show report native.nettrace symbols --symbols with --json
show report native.nettrace summary --symbols with
show events native.nettrace --symbols with --stacks --lines --name cpu --from 6ms
show events native.nettrace --symbols with --stacks --lines --json --name cpu -n 1
show convert native.nettrace --symbols with -f folded -o -
show convert native.nettrace --symbols with --lines -f folded -o -
show convert native.nettrace --symbols with --lines -f speedscope -o -
show convert native.nettrace --symbols with --lines -f otlp --json -o otlp.json
show convert native.nettrace --symbols with --lines -f firefox -o firefox.json
ls cache/perfpipe/symbols
rm -r cache
show report native.nettrace cpu --symbols with --no-cache -n 1
[ ! -e cache ] || echo "there is a cache"

# what is wrong is refused
show report native.nettrace cpu --symbols nowhere
show report native.nettrace cpu --symbols native.nettrace
show report native.nettrace cpu --no-symbols --lines
show report native.nettrace cpu --no-symbols --symbols with
show report native.nettrace gc --symbols with
show convert native.nettrace --lines -f jsonl -o -
show events native.nettrace --lines
