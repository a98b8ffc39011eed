# SPDX-License-Identifier: MIT
# Functions for cases. A case ends where it calls skip or fail, or where a command fails.
# $build, $out and $scratch are set by run.

# skip REASON, fail REASON - end this case
skip()
{
	echo "skipped: $1" >"$scratch/reason"
	exit 77
}

fail()
{
	echo "failed: $1" >"$scratch/reason"
	exit 1
}

# trace NAME - the path of a trace that make_data records
trace()
{
	[ -e "$out/data/$1.nettrace" ] || skip "no $1.nettrace, bench/make_data records it"
	echo "$out/data/$1.nettrace"
}

# mix EVENTS - the path of a trace that make_mix writes, for this run only
mix()
{
	local file=$scratch/mix.$1.nettrace make
	make=$(program make_mix)
	[ -s "$file" ] || "$make" "$1" >"$file" || fail "make_mix does not write"
	echo "$file"
}

# program NAME - the path of one of our programs
program()
{
	[ -x "$build/$1" ] || skip "$1 is not built"
	echo "$build/$1"
}

# has_peer PATH - can this program under build/bench be run?
has_peer()
{
	[ -x "$out/$1" ] && command -v dotnet >/dev/null
}

# measure_ours RUNS PROGRAM [ARG...], measure_peer RUNS PATH [ARG...] - JSON of measure.c;
# nothing if there is no such peer
measure_ours()
{
	local runs=$1 path measure
	path=$(program "$2")
	measure=$(program measure)
	"$measure" "$runs" "$path" "${@:3}"
}

measure_peer()
{
	local runs=$1 measure
	has_peer "$2" || return 0
	measure=$(program measure)
	"$measure" "$runs" "$out/$2" "${@:3}"
}

# two_targets - starts two .NET processes, which are suspended at startup and end with the case
two_targets()
{
	local pid tries
	targets=()
	has_peer peers/TraceEventReader || skip "no .NET process to find, bench/build_peers makes one"
	trap end_targets EXIT
	for _ in 1 2; do
		DOTNET_DefaultDiagnosticPortSuspend=1 "$out/peers/TraceEventReader" >/dev/null 2>&1 &
		targets+=($!)
		disown # or bash would report their end
	done
	for pid in "${targets[@]}"; do
		for ((tries = 0; tries < 100; tries++)); do
			! compgen -G "${TMPDIR:-/tmp}/dotnet-diagnostic-$pid-*-socket" >/dev/null || break
			sleep 0.1
		done
		[ $tries -lt 100 ] || fail "a .NET process does not start"
	done
}

end_targets()
{
	local pid
	for pid in "${targets[@]}"; do
		kill -KILL "$pid"
		rm -f "${TMPDIR:-/tmp}/dotnet-diagnostic-$pid"-*-socket
	done
}

# traceevent FILE [MODE] - JSON of TraceEventReader, measured once per run; nothing if it is not
# installed. Seven passes, as we take the best of seven, and the JIT is not done after three.
traceevent()
{
	local mode=${2:-count} result
	result=$scratch/${1##*/}.$mode.json
	has_peer peers/TraceEventReader || return 0
	[ -s "$result" ] || "$out/peers/TraceEventReader" "$mode" "$1" 7 >"$result"
	cat "$result"
}

# report_peer FILE - JSON of measure.c for dotnet-trace report topN, measured once per run; nothing
# if it is not installed
report_peer()
{
	local result=$scratch/${1##*/}.topn.json
	has_peer tools/dotnet-trace || return 0
	[ -s "$result" ] || measure_peer 3 tools/dotnet-trace report "$1" topN -n 20 >"$result"
	cat "$result"
}

# convert_peer FILE - the same for dotnet-trace convert to speedscope's format
convert_peer()
{
	local result=$scratch/${1##*/}.convert.json
	has_peer tools/dotnet-trace || return 0
	[ -s "$result" ] || measure_peer 3 tools/dotnet-trace convert "$1" --format Speedscope -o "$scratch/theirs" >"$result"
	rm -f "$scratch/theirs.speedscope.json"
	cat "$result"
}

# large [spans] - the path of a trace of 1 GB, twenty million events, which make_mix writes once for all runs
large()
{
	local file=$out/data/mix20m${1:-}.nettrace make
	make=$(program make_mix)
	mkdir -p "$out/data"
	if [ ! -s "$file" ]; then
		"$make" 20000000 1 "${1:-}" >"$file.partial" || fail "make_mix does not write"
		mv "$file.partial" "$file"
	fi
	echo "$file"
}

# many_functions [OPTION...] - the path of a library with 500,000 functions, assembled once for all runs; with -g, with lines
many_functions()
{
	local file=$out/data/functions${1:-}.so
	mkdir -p "$out/data"
	if [ ! -s "$file" ]; then
		command -v cc >/dev/null || skip "there is no compiler"
		awk 'BEGIN {
			print ".section .note.GNU-stack, \"\", @progbits\n.text"
			for (i = 0; i < 500000; i++) {
				name = sprintf("_ZN5bench6module8function%dEiPKcd", i)
				printf ".globl %s\n.type %s, %%function\n%s:\n", name, name, name
				for (j = 0; j < 2 + i % 3; j++)
					print "nop"
				printf ".skip %d\n.size %s, .-%s\n.balign 4\n", 1 + i * 7919 % 23, name, name
			}
		}' >"$scratch/functions.s"
		cc -shared -nostdlib "$@" -o "$file.partial" "$scratch/functions.s" || fail "cc does not assemble"
		rm "$scratch/functions.s"
		mv "$file.partial" "$file"
	fi
	echo "$file"
}

# compare_load [-g] - CPU time of reading the symbol table of that library, and of eu-addr2line's answer for an address in
# it, as whole processes
compare_load()
{
	local file load measure address
	file=$(many_functions "$@")
	load=$(program bench_symbols)
	measure=$(program measure)
	ours=$("$measure" 15 "$load" load "$file" | field cpu_seconds)
	peer=n/a
	unit=s
	peer_name=eu-addr2line
	command -v eu-addr2line >/dev/null || return 0
	address=$(readelf -Ws "$file" | awk '/function250000E/ { address = "0x" $2 } END { print address }')
	peer=$("$measure" 15 "$(command -v eu-addr2line)" -f -e "$file" "$address" | field cpu_seconds)
}

# stack_tuples - the path of 2000 samples of gcc, registers and 32 KiB of stack each, taken once per run
stack_tuples()
{
	local file=$scratch/gcc.tuples take code=0
	take=$(program tests/unwind_tuples)
	command -v gcc >/dev/null || skip "there is no gcc"
	if [ ! -s "$file" ]; then
		awk 'BEGIN {
			for (i = 1; i <= 2000; i++)
				printf "int f%d(int a, int b) { int s = 0; for (int i = 0; i < a; i++) " \
					"{ s += b * i ^ a; if (s %% %d == 3) s -= f%d(i, s); } return s; }\n", i, i, i
		}' >"$scratch/large.c"
		TMPDIR=$scratch "$take" -o "$file" --most 2000 -- \
			sh -c "while gcc -O2 -c '$scratch/large.c' -o '$scratch/large.o'; do :; done" >"$scratch/taken" || code=$?
		[ $code -ne 77 ] || skip "perf events are not permitted"
		[ $code -eq 0 ] || fail "unwind_tuples takes no samples"
	fi
	echo "$file"
}

# large_memory FORMAT [spans] - peak memory in KiB of converting that trace once; the output is discarded
large_memory()
{
	local file
	file=$(large "${2:-}")
	measure_ours 1 perfpipe convert "$file" -f "$1" -o - | field peak_rss_kb
}

# rate_of FORMAT TRACE [OPTION...] - bytes of trace converted per second
rate_of()
{
	local file seconds
	file=$(trace "$2")
	seconds=$(measure_ours 3 perfpipe convert "$file" -f "$1" "${@:3}" --force -o "$scratch/converted" |
		field best_seconds)

	rm -f "$scratch/converted"
	awk -v size="$(stat -Lc %s "$file")" -v seconds="$seconds" 'BEGIN { print size / seconds }'
}

# field KEY - the value of KEY in the JSON line on standard input; n/a if there is none
field()
{
	local line=
	read -r line || :
	if [ -z "$line" ]; then
		echo n/a
	elif [[ $line =~ \"$1\":\ *([0-9.eE+-]+) ]]; then
		echo "${BASH_REMATCH[1]}"
	else
		fail "no $1 in: $line"
	fi
}

# rate - events per second of a reader's JSON line
rate()
{
	local line= events
	read -r line || :
	events=$(field events <<<"$line")
	field best_seconds <<<"$line" |
		awk -v events="$events" '{ print ($1 + 0 > 0 ? int(events / $1) : "n/a") }'
}

# compare_readers TRACE - sets everything but the goal: bench_nettrace against TraceEvent
compare_readers()
{
	local file reader us them our_events peer_events
	file=$(trace "$1")
	reader=$(program bench_nettrace)
	us=$("$reader" "$file")
	them=$(traceevent "$file")

	our_events=$(field events <<<"$us")
	peer_events=$(field events <<<"$them")
	[ "$peer_events" = n/a ] || [ "$our_events" = "$peer_events" ] ||
		fail "$our_events events read, TraceEvent reads $peer_events"

	ours=$(rate <<<"$us")
	peer=$(rate <<<"$them")
	unit=events/s
	peer_name=TraceEvent
}

# compare_library MODE TRACE PEERS_MODE - the same for bench_library
compare_library()
{
	local file reader us them
	file=$(trace "$2")
	reader=$(program bench_library)
	us=$("$reader" "$1" "$file")
	them=$(traceevent "$file" "$3")

	ours=$(rate <<<"$us")
	peer=$(rate <<<"$them")
	unit=events/s
	peer_name=TraceEvent
}

# target PROGRAM [ARG...] - starts a .NET program that waits for a tool; its pid is in $target, and it
# ends with the case
target()
{
	[ -x "$1" ] || skip "${1##*/} is not built; run bench/make_data"
	DOTNET_DefaultDiagnosticPortSuspend=1 "$@" >/dev/null 2>&1 &
	target=$!
	trap "kill $target 2>/dev/null || :" EXIT
	local tries=0
	until compgen -G "/tmp/dotnet-diagnostic-$target-*-socket" >/dev/null; do
		[ $((tries += 1)) -lt 200 ] || fail "the program does not start"
		sleep 0.05
	done
}

# flood TOOL FILE - JSON of measure.c about a tool that records five million events, written as fast as the
# program can, into FILE
flood()
{
	local measure
	measure=$(program measure)
	target "$out/data-program/BenchEvents" 5000000
	"$measure" 1 "$1" collect -p "$target" --providers Bench-Events:ffffffffffffffff:5 -o "$2" </dev/null 2>/dev/null
}

# floods - both tools, once per run: $scratch/flood.ours and .peer have the JSON, .lost the lost events
floods()
{
	local tool file=$scratch/flood.nettrace
	[ ! -e "$scratch/flood.peer" ] || return 0
	has_peer tools/dotnet-trace || skip "no dotnet-trace, bench/build_peers installs it"
	for tool in ours peer; do
		rm -f "$file"
		case $tool in
		ours) (flood "$(program perfpipe)" "$file") >"$scratch/flood.$tool" ;;
		peer) (flood "$out/tools/dotnet-trace" "$file") >"$scratch/flood.$tool" ;;
		esac
		"$(program perfpipe)" info --json "$file" | sed -n 's/^  "events_lost": \([0-9]*\),/\1/p' >"$scratch/flood.$tool.lost"
	done
	rm -f "$file"
}

# first_byte TOOL - seconds until its file has bytes of a running program, best of seven
first_byte()
{
	local first_byte
	first_byte=$(program first_byte)
	for i in 1 2 3 4 5 6 7; do
		"$first_byte" "$scratch/first.nettrace" "$1" collect -p "$target" -o "$scratch/first.nettrace" | field best_seconds
	done | sort -g | head -1
}
