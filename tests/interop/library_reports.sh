# The examples for reports print what the program reports of the same recordings: print_report every view in every
# format to the byte; others their figures, checked against the JSON of the report.
. "$SOURCE/tests/interop/readers"
need python3 python3-minimal
need c++ g++
build=$(dirname "$PERFPIPE")
examples=$build/examples
library=$build/src/libperfpipe-trace.so
cp "$SOURCE"/tests/data/*.nettrace* .

# A library with a sanitizer needs that first, which programs without one do not load.
sanitizer=$(ldd "$library" | sed -n 's/.*lib[at]san[^ ]* => \([^ ]*\).*/\1/p')
loaded()
{
	LD_PRELOAD=$sanitizer ASAN_OPTIONS=detect_leaks=0 "$@"
}

python=$(python3 -c 'import sys; print(sys.executable)') # the program, if that is a script

views=$("$PERFPIPE" help report | sed -n '/^Views:/,/^$/s/^  \([A-Za-z]*\) .*/\1/p')
[ "$(echo "$views" | wc -l)" -gt 15 ] || { echo "views: $views"; exit 1; }

# same VIEW FORMAT FILE...: what both print on standard output
same()
{
	view=$1 format=$2
	shift 2
	"$PERFPIPE" report "$@" "$view" --format "$format" > program 2> program.log
	"$examples/print_report" "$view" "$format" "$@" > library 2> library.log
	[ -s program ] || [ "$format" = csv ] || { echo "nothing to compare: $view $format $*"; cat program.log; exit 1; }
	cmp program library || { echo "differs: $view $format $*"; cat library.log; exit 1; }
	count=$((count + 1))
}

count=0
for view in $views; do
	for format in text json csv markdown html; do
		same "$view" "$format" orders.nettrace.gz
	done
	same "$view" json orders-cut.nettrace
	same "$view" text two-processes.nettrace.zst
	same "$view" json awaits.nettrace.zst
	same "$view" markdown orders.nettrace.zst trouble-locks.nettrace.zst
	same "$view" json orders.nettrace.zst nowhere orders-cut.nettrace
done
echo "$count outputs are the same"

# check PROGRAM: compares the lines in `library` with `program`, the JSON of a report
check()
{
	python3 - "$@" << 'END' || { echo "in the output of $1:"; cat library; exit 1; }
import json, sys

report = json.load(open('program'))
ms = lambda ns: f'{ns / 1e6:10.1f} ms'
expected = {
	'gc_pauses': lambda: [f"GC {gc['number']}: generation {gc['generation']}, {gc['pause_ns'] / 1e6:.1f} ms, {gc['reason']}"
			      for gc in report['gcs'] if gc['pause_ns'] > 10000000],
	'callers': lambda: [report['method']] + [f"{ms(row['inclusive_ns'])}  {row['name']}" for row in report['callers']],
	'top_methods': lambda: [f"{ms(row['exclusive_ns'])}  {row['name']}" for row in report['methods'][:10]],
	'exceptions': lambda: [f"{row['count']:6}  {row['type']}" for row in report['types']],
}[sys.argv[1]]()
assert expected and open('library').read().splitlines() == expected, expected
END
	echo "$1 agrees"
}

"$PERFPIPE" report trouble-garbage.nettrace.zst gc --json > program
"$examples/gc_pauses" trouble-garbage.nettrace.zst > library || exit 1
check gc_pauses

"$PERFPIPE" report orders.nettrace.gz cpu --callers PrintInvoice --json > program
"$examples/callers" PrintInvoice orders.nettrace.gz > library || exit 1
check callers

"$PERFPIPE" report orders.nettrace.gz cpu --json > program
loaded "$python" "$SOURCE/examples/top_methods.py" orders.nettrace.gz "$library" > library || exit 1
check top_methods

c++ -std=c++17 -Wall -Wextra -Wpedantic -Werror "-I$SOURCE/include" "$SOURCE/examples/exceptions.cpp" -o exceptions \
	"$library" "$build/src/libperfpipe.so" "-Wl,-rpath,$build/src" -Wl,--allow-shlib-undefined || exit 1
"$PERFPIPE" report orders.nettrace.gz exceptions --json > program
loaded ./exceptions orders.nettrace.gz > library || exit 1
check exceptions

# What goes wrong is said, and is a failure.
fails()
{
	sentence=$1
	shift
	! "$@" > out 2> err || { echo "$* succeeded"; exit 1; }
	grep -qF "$sentence" err || { echo "$*:"; cat err; exit 1; }
}
fails "there is no file nowhere" "$examples/gc_pauses" nowhere
fails "no stack has a method 'Nobody'" "$examples/callers" Nobody orders.nettrace.gz
fails "unknown view 'cpus'; did you mean cpu?" "$examples/print_report" cpus text orders.nettrace.gz
fails "unknown format 'pdf'" "$examples/print_report" cpu pdf orders.nettrace.gz
fails "there is no file nowhere" loaded ./exceptions nowhere
fails "there is no file nowhere" loaded "$python" "$SOURCE/examples/top_methods.py" nowhere "$library"
