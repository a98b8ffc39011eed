# go tool pprof reads our files, and finds the figures of the report.
. "$SOURCE/tests/interop/readers"
need go golang-go
export HOME="$PWD" # it creates a directory there
cp "$SOURCE/tests/data/orders.nettrace.gz" .
cp orders.nettrace.gz again.nettrace.gz

# rows FILE [OPTION...] - exclusive and inclusive weight and name of each function
rows()
{
	file=$1
	shift
	go tool pprof -top -unit=ns -nodecount=1000000 -nodefraction=0 -edgefraction=0 "$@" "$file" 2> log |
		sed -nE 's/^ *([0-9]+)(ns)? +[0-9.e+-]+% +[0-9.e+-]+% +([0-9]+)(ns)? +[0-9.e+-]+%  /\1 \3 /p'
}

# raw FILE PATTERN - how many lines of the whole profile match
raw()
{
	go tool pprof -raw "$1" > raw 2> log || { cat log; fail "pprof does not read $1"; }
	grep -cE "$2" raw
}

"$PERFPIPE" report orders.nettrace.gz cpu --json -n 100000 > cpu.json || exit 1
"$PERFPIPE" convert orders.nettrace.gz --view cpu -o cpu.pb.gz || exit 1
rows cpu.pb.gz | "$same_totals" cpu.json || fail "the totals of cpu differ"

"$PERFPIPE" report orders.nettrace.gz cpu --json -n 100000 --thread 25082 --from 0.5 > part.json || exit 1
"$PERFPIPE" convert orders.nettrace.gz --view cpu --thread 25082 --from 0.5 -o part.pb.gz || exit 1
rows part.pb.gz | "$same_totals" part.json || fail "the totals of one thread differ"

[ "$(raw cpu.pb.gz '^samples/count cpu/nanoseconds\[dflt\]$')" = 1 ] || fail "cpu has other types of samples"
[ "$(raw cpu.pb.gz 'thread id:\[25085\] thread name:\[.NET ThreadPool Worker\]')" -gt 0 ] ||
	fail "samples of a thread lack its name"
head -n 2 raw | grep -q '^Comment: orders.nettrace.gz$' || fail "there is no comment"
[ "$(raw cpu.pb.gz '^1: 0x0/0x0/0x0 /srv/orders/orders.dll  \[FN\]$')" = 1 ] || fail "the program is not the first mapping"

# two processes with the same thread ids: each sample once per process
"$PERFPIPE" convert orders.nettrace.gz again.nettrace.gz --view cpu -o both.pb.gz || exit 1
[ "$(rows both.pb.gz | awk '{ sum += $1 } END { printf "%.0f\n", sum }')" = \
	"$(rows cpu.pb.gz | awk '{ sum += 2 * $1 } END { printf "%.0f\n", sum }')" ] || fail "two processes are not twice one"

# other views: their types and the sum of all
# sum_of WHAT TYPES - of the last value of all samples
sum_of()
{
	"$PERFPIPE" convert orders.nettrace.gz --view "$1" -o "$1.pb.gz" || exit 1
	[ "$(raw "$1.pb.gz" "^$2\[dflt\]\$")" = 1 ] || fail "$1 has other types of samples"
	sed -nE 's/^ +([0-9]+ +)?([0-9]+): [0-9 ]*$/\2/p' raw | awk '{ sum += $1 } END { printf "%.0f\n", sum }' > sum
	"$PERFPIPE" report orders.nettrace.gz "$1" --json > "$1.json" || exit 1
}

# equals JSON-LINE WHAT
equals()
{
	wanted=$(sed -nE "s/^  \"$1\": ([0-9]+),?\$/\1/p" "$2.json" | head -n 1)
	[ "$(cat sum)" = "$wanted" ] && echo "$2: $wanted as in the report" ||
		fail "$2: $(cat sum), but the report has $wanted"
}

sum_of alloc 'alloc_samples/count alloc_space/bytes'
equals bytes alloc
sum_of contention 'contentions/count delay/nanoseconds'
equals total_ns contention
sum_of exceptions 'exceptions/count'
equals count exceptions

# native code with lines
"$PERFPIPE" convert "$SOURCE/tests/data/native.nettrace" --symbols "$SOURCE/tests/data/native" --no-cache --lines -o native.pb.gz || exit 1
[ "$(raw native.pb.gz 'libcart.so!tax \[inlined\] /src/cart.c:8')" = 1 ] || fail "an inlined call has no line"
[ "$(raw native.pb.gz 'libcart.so!cart_sum /src/cart.c:2[34]')" = 2 ] || fail "lines of a function are not apart"
rows native.pb.gz | grep -q '^6000000 6000000 libcart.so!tax \[inlined\]' || fail "the inlined call has another weight"
exit $bad
