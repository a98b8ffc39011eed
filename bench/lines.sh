# SPDX-License-Identifier: MIT
# Functions for cases that look up lines and inlined functions: the same 10,000 random addresses for all programs.

# code_addresses FILE - of its code, the same in every run
code_addresses()
{
	readelf -SW "$1" | sed -n 's/.* \.text  *PROGBITS *\([0-9a-f]*\) [0-9a-f]* \([0-9a-f]*\) .*/0x\1 0x\2/p' |
	while read -r start size; do
		awk -v start=$((start)) -v size=$((size)) \
			'BEGIN { srand(20); for (i = 0; i < 10000; i++) printf "0x%x\n", start + int(rand() * size) }'
	done
}

# lines_program - the path of a C++ program with much debug information, compiled once for all runs
lines_program()
{
	local file=$out/data/lines_program part
	if [ ! -x "$file" ]; then
		command -v g++ >/dev/null || skip "no g++"
		mkdir -p "$out/data"
		for part in 0 1 2 3; do
			g++ -std=c++17 -O2 -g -DPART=$part -c "$bench/lines_program.cc" -o "$scratch/part$part.o" ||
				fail "lines_program.cc cannot be compiled"
		done
		g++ "$scratch"/part[0-3].o -o "$file" || fail "lines_program cannot be linked"
	fi
	echo "$file"
}

# compare_lines RUNS FILE PEER [OPTION...] - sets everything but the goal: our program against the peer, whole processes
compare_lines()
{
	local runs=$1 file=$2 measure addresses
	measure=$(program measure)
	command -v "$3" >/dev/null || skip "no $3"
	readelf -SW "$file" | grep -q '\.debug_info' || skip "${file##*/} has no debug information"
	mapfile -t addresses < <(code_addresses "$file")
	[ ${#addresses[@]} = 10000 ] || fail "no addresses in ${file##*/}"
	ours=$(measure_ours 7 tests/symbol_lines "$file" "${addresses[@]}" | field best_seconds)
	peer=$("$measure" "$runs" "${@:3}" "${addresses[@]}" | field best_seconds)
	unit=s
	peer_name=$3
}
