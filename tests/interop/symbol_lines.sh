# Functions and lines of random addresses, inlined ones included, are those of llvm-symbolizer: of perfpipe, and of a
# C++ program as gcc and clang compile it, in DWARF 4 and 5, split, compressed, with sections that the linker removes.
#
# llvm-symbolizer takes the outermost name from the symbol table if it has one, which is not what is compared here: so
# the table is removed. Exported names cannot be removed; where they are others of the same function (constructors have
# several), the names differ, and how often is counted and bounded. Nothing else may differ.
#
# eu-addr2line is the second referee, of innermost lines: where both know one it must be the same. It knows none of
# units without .debug_aranges, which clang does not write, and has lines for code beside that of a unit.
sample=2000
lines=$(dirname "$PERFPIPE")/tests/symbol_lines

"$PERFPIPE" --version | grep -q '^built with:.* elfutils' || { echo "skipped: built without elfutils"; exit 77; }
[ -x "$lines" ] || { echo "skipped: symbol_lines is not built"; exit 77; }
for tool in llvm-symbolizer-14 eu-addr2line g++ clang++-14 objcopy readelf; do
	command -v "$tool" > found || { echo "skipped: no $tool"; exit 77; }
done

# addresses FILE - random ones of its code, the same in every run
addresses()
{
	readelf -SW "$1" | sed -n 's/.* \.text  *PROGBITS *\([0-9a-f]*\) [0-9a-f]* \([0-9a-f]*\) .*/0x\1 0x\2/p' |
	while read -r start size; do
		awk -v start=$((start)) -v size=$((size)) -v count=$sample \
			'BEGIN { srand(20); for (i = 0; i < count; i++) printf "0x%x\n", start + int(rand() * size) }'
	done
}

# flat FILE - what is at an address in one line: FUNCTION, FILE:LINE:COLUMN, FUNCTION ..., separated by tabs
flat()
{
	awk 'BEGIN { RS = ""; FS = "\n"; OFS = "\t" } { $1 = $1; print }' "$1"
}

# places FILE - the same without the name of the function itself, which is the last but one
places()
{
	awk 'BEGIN { FS = OFS = "\t" } { $(NF - 1) = ""; print }' "$1"
}

# innermost FILE - the file without its folder, and the line
innermost()
{
	cut -f 2 "$1" | sed 's/:[0-9]*$//; s,.*/,,'
}

# check_places NAME - lines and inlined functions are the same
check_places()
{
	places ours > ours.places
	places llvm > llvm.places
	cmp -s ours.places llvm.places && return
	echo "$1: other lines or inlined functions than those of llvm-symbolizer:"
	diff ours.places llvm.places | head -n 20
	exit 1
}

# check_names NAME EXPORTED - so are functions, but for this many with another exported name; code of libraries without
# debug information has nothing to compare
check_names()
{
	renamed=$(paste ours llvm | awk -F '\t' '$2 != "??:0:0" && $(NF / 2 - 1) != $(NF - 1)' | wc -l)
	[ "$renamed" -le "$2" ] && return
	echo "$1: $renamed functions have other names:"
	diff ours llvm | head -n 20
	exit 1
}

# check_second NAME - innermost lines are those of eu-addr2line, where it has one
check_second()
{
	innermost ours > ours.lines
	eu-addr2line -e "$1" < asked | sed 's/ (.*//; s/:[0-9]*$//; s,.*/,,' > eu.lines
	paste -d ' ' ours.lines eu.lines | awk '$1 !~ /^\?\?/ && $2 !~ /^\?\?/ && $1 != $2' > differ
	ours_only=$(paste -d ' ' ours.lines eu.lines | awk '$1 !~ /^\?\?/ && $2 ~ /^\?\?/' | wc -l)
	[ ! -s differ ] || { echo "$1: other lines than those of eu-addr2line:"; head -n 20 differ; exit 1; }
	echo "$1: equal, $inlined with inlined functions, $ours_only that eu-addr2line lacks, $renamed renamed"
}

# check NAME EXPORTED - all of it
check()
{
	objcopy --strip-all --keep-section='.debug_*' "$1" "$1.lines" || exit 1
	addresses "$1.lines" > asked
	"$lines" "$1.lines" < asked > ours.text || { echo "$1: cannot be read"; exit 1; }
	llvm-symbolizer-14 --obj="$1.lines" --inlines --no-demangle < asked > llvm.text || exit 1
	flat ours.text > ours
	flat llvm.text > llvm
	[ "$(wc -l < ours)" = $sample ] || { echo "$1: $(wc -l < ours) of $sample addresses were answered"; exit 1; }
	inlined=$(awk -F '\t' 'NF > 2' ours | wc -l)
	check_places "$1"
	check_names "$1" "$2"
	check_second "$1.lines"
}

# check_compiled EXPORTED COMPILER [OPTION...] - of the C++ program, optimised, so that much is inlined
check_compiled()
{
	exported=$1
	shift
	"$@" -std=c++17 -O2 "$SOURCE/tests/interop/symbol_lines.cc" -o compiled || exit 1
	echo "$*"
	check compiled "$exported"
	[ "$inlined" -ge $((sample / 2)) ] || { echo "only $inlined addresses have inlined functions"; exit 1; }
}

# a build may have no debug information
if readelf -SW "$PERFPIPE" | grep -q '\.debug_info'; then
	cp "$PERFPIPE" perfpipe
	check perfpipe 0
fi
check_compiled 0 g++ -gdwarf-5
check_compiled 0 g++ -gdwarf-4 -gz=zlib
check_compiled 0 clang++-14 -gdwarf-5
check_compiled 0 clang++-14 -gdwarf-4
check_compiled 0 g++ -g -ffunction-sections -Wl,--gc-sections
check_compiled 0 clang++-14 -gdwarf-5 -gsplit-dwarf -ffunction-sections -Wl,--gc-sections
check_compiled 0 g++ -g -flto
check_compiled $((sample / 20)) g++ -g -rdynamic

# A split unit whose file is a pipe, which nobody writes to, has lines only.
g++ -std=c++17 -O2 -g -gsplit-dwarf "$SOURCE/tests/interop/symbol_lines.cc" -o split || exit 1
addresses split > asked
for file in *.dwo; do
	rm "$file" && mkfifo "$file" || exit 1
done
timeout 60 "$lines" split < asked > without || { echo "the pipe of a split unit was opened"; exit 1; }
grep -q '/symbol_lines.cc:[1-9]' without || { echo "a split unit without its file has no lines"; exit 1; }
grep -q '^main' without && { echo "the pipe of a split unit was read"; exit 1; }

# What dwz moved into partial units, or into a file that several share, is found as well.
command -v dwz > found || { echo "no dwz: files that it makes are left out"; exit 0; }
answers()
{
	"$lines" "$@" < asked || exit 1
}

g++ -std=c++17 -O2 -g "$SOURCE/tests/interop/symbol_lines.cc" -o plain || exit 1
addresses plain > asked
answers plain > expected || exit 1
cp plain alone && cp plain first && cp plain second
dwz alone || exit 1
answers alone | cmp - expected || { echo "partial units: other lines"; exit 1; }
dwz -m shared first second || exit 1
answers --alt shared first | cmp - expected || { echo "a shared file: other lines"; exit 1; }
# without it the lines are known, but not the names
answers first | grep '^/' | cut -d : -f 1,2 > without
grep '^/' expected | cut -d : -f 1,2 | cmp - without || { echo "without the shared file: other lines"; exit 1; }
