# symbolize agrees with addr2line, eu-addr2line and llvm-symbolizer; it names the addresses of real backtraces, of a
# sanitizer's report, of a live process and of the kernel; and it refuses what is wrong.
. "$SOURCE/tests/interop/ending"
. "$SOURCE/tests/interop/awaiting"
"$PERFPIPE" --version | grep -qw elfutils || { echo "skipped: this build reads no ELF files"; exit 77; }
for tool in cc addr2line eu-addr2line nm python3; do
	command -v $tool > /dev/null || { echo "skipped: there is no $tool here"; exit 77; }
done
unset DEBUGINFOD_URLS
library=$SOURCE/tests/data/libnative.so
started=
bad=0
tidy() { end_processes $started; }
trap tidy EXIT

fail() { echo "failed: $*"; bad=1; }

pp() { timeout 100 "$PERFPIPE" symbolize "$@"; }

# every N TEXT_FILE - each N-th line
every() { awk -v n="$1" '(NR - 1) % n == 0' "$2"; }

# --- the same names and lines as others print -----------------------------------------------------------------------------

cat > program.c << 'END'
#include <execinfo.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

static inline __attribute__((always_inline)) int grow(volatile int *number)
{
	*number += 1;
	return *number * 2;
}

static __attribute__((noinline)) void print_stack(volatile int *number)
{
	void *stack[16];
	int count = backtrace(stack, 16);

	backtrace_symbols_fd(stack, count, 1);
	*number = count;
}

static __attribute__((noinline)) int middle(volatile int *number)
{
	print_stack(number);
	return grow(number) + 1;
}

int main(int argc, char **argv)
{
	volatile int number = argc;

	(void)argv;
	printf("%d %p\n", (int)getpid(), (void *)middle);
	fflush(stdout);
	number += middle(&number);
	if (argc > 1)
		pause();
	return number == 0;
}
END
cc -g -O2 -fno-optimize-sibling-calls program.c -o program || exit 1
cc -g -O2 -fno-pie -no-pie -fno-optimize-sibling-calls program.c -o fixed || exit 1

# addresses FILE - of all functions of the program's own, some inside them
addresses()
{
	nm --defined-only -S "$1" | awk 'NF == 4 && tolower($3) == "t" { print $1, $2 }' | while read -r start size; do
		for step in 0 3 8 15; do
			[ $step -lt $((0x$size)) ] && printf '0x%x\n' $((0x$start + step))
		done
	done
}

for file in "$library" program fixed "$PERFPIPE"; do
	addresses "$file" | sort -u > all
	every $(($(wc -l < all) / 300 + 1)) all > some
	# functions as nm has them
	pp -e "$file" --no-demangle < some 2> notes | sed 's/^\(0x[0-9a-f]*\) \([^+]*\).*/\1 \2/' > ours
	eu-addr2line -e "$file" -S -a < some 2> /dev/null | awk '/^0x/ { a = $1; next } !/^[?\/]/ && a { sub(/[+].*/, "", $1); print a, $1; a = "" }' |
		sed 's/^0x0*/0x/' > theirs
	[ -s theirs ] && diff theirs ours > differ || fail "$file: other functions than eu-addr2line's: $(head -5 differ)"
	[ ! -s notes ] || fail "$file: $(cat notes)"
	echo "$(wc -l < some) functions of ${file##*/} are those of eu-addr2line"
done

llvm=$(command -v llvm-symbolizer || command -v llvm-symbolizer-14)
if [ -n "$llvm" ]; then
	for file in "$library" program fixed; do
		addresses "$file" | sort -u > some
		pp -e "$file" -i -s --json < some | python3 -c '
import json, sys
for a in json.load(sys.stdin)["addresses"]:
	for i, f in enumerate(a["frames"]):
		if f["line"]:
			print(a["address"], i, f["function"].split("(")[0].split("::")[-1], f["file"].split("/")[-1], f["line"], f["column"] or 0)' > ours
		"$llvm" -e "$file" --inlines --output-style=JSON < some | python3 -c '
import json, sys
for line in sys.stdin:
	if not line.strip(): continue
	a = json.loads(line)
	for i, f in enumerate(a["Symbol"]):
		if f["Line"]:
			print(a["Address"], i, f["FunctionName"].split("(")[0].split("::")[-1], f["FileName"].split("/")[-1], f["Line"], f["Column"])' > theirs
		[ -s theirs ] && diff theirs ours > differ || fail "$file: other lines than llvm-symbolizer's: $(head -5 differ)"
		echo "$(wc -l < ours) frames of ${file##*/} are those of llvm-symbolizer"
	done
fi

# as addr2line and others print it, but for a blank and the address
pp -e "$library" -fiaC 1039 > ours
if [ -n "$llvm" ]; then
	"$llvm" -e "$library" -fipC --output-style=GNU 0x1039 | sed '1s/^/0x1039 /; s/^ (/  (/' | diff - ours || fail "not as llvm-symbolizer prints it"
fi
addr2line -e "$library" -fipC 1055 | sed 's/^/0x1055 /' > theirs
pp -e "$library" -i 1055 | diff theirs - || fail "not as addr2line prints it"

# a function of C++ that no other file sees has its whole name, with and without lines
if command -v c++ > /dev/null; then
	printf '%s\n' 'namespace shop { namespace { __attribute__((noinline)) int price(int n) { return n * 3; } } }' \
		'int main(int argc, char **) { return shop::price(argc); }' > shop.cc
	c++ -g -O1 shop.cc -o shop || exit 1
	address=$(nm shop | sed -n 's/ t .*price.*//p')
	for lines in '' --lines; do
		case $(pp -e shop $lines "$address") in
		*'shop::(anonymous namespace)::price(int)'*) ;;
		*) fail "a static function of C++ $lines: $(pp -e shop $lines "$address")" ;;
		esac
	done
fi

# of several names of a function the public one is shown, with and without lines; and no clone is a function of its own
cat > names.c << 'END'
int inside(int number) __asm__("__inside_answer");
__attribute__((noinline)) int inside(int number) { return number * 3; }
extern int answer(int number) __attribute__((alias("__inside_answer")));
static __attribute__((noinline)) int part(int number, int unused) { (void)unused; __asm__ volatile("nop"); return number + 1; }
int main(int argc, char **argv) { (void)argv; return answer(argc) + part(argc, 5) + part(argc + 1, 7); }
END
cc -g -O2 names.c -o names || exit 1
address=$(nm names | sed -n 's/ T answer$//p')
for lines in '' --lines; do
	case $(pp -e names $lines "$address") in
	*' answer' | *' answer at '*'names.c:2') ;;
	*) fail "a function with several names $lines: $(pp -e names $lines "$address")" ;;
	esac
done
address=$(nm names | sed -n 's/ t part\..*$//p')
if [ -n "$address" ]; then
	pp -e names --lines "$address" | grep -q ' part at .*names.c:4$' || fail "a clone: $(pp -e names --lines "$address")"
fi

# --- texts -----------------------------------------------------------------------------------------------------------------

./program > trace || exit 1
pp --lines < trace > named || fail "a backtrace"
grep -q '^\./program(+0x[0-9a-f]* <print_stack at .*/program.c:1[0-9]>)\[0x[0-9a-f]*\]$' named || fail "a backtrace: $(cat named)"
grep -q '(+0x[0-9a-f]* <middle at .*/program.c:[0-9]*>)' named || fail "a backtrace: $(cat named)"
sed 's/ <[^>]*>//g' named | cmp - trace || fail "a text does not stay as it was"
pp -e program < trace 2> notes | grep -q '<middle+0x' || fail "a backtrace with --module"
./fixed > trace || exit 1
pp -s --lines < trace | grep -q '^\./fixed\[0x4[0-9a-f]* <middle at program.c:[0-9]*>\]$' ||
	fail "a backtrace of a program with fixed addresses: $(pp -s --lines < trace)"

cat > wrong.c << 'END'
#include <stdlib.h>
static __attribute__((noinline)) int read_freed(int *numbers)
{
	free(numbers);
	return numbers[1];
}
int main(void)
{
	return read_freed(calloc(4, sizeof(int)));
}
END
if cc -g -O1 -fsanitize=address wrong.c -o wrong 2> /dev/null; then
	ASAN_OPTIONS=symbolize=0:exitcode=0:detect_leaks=0 ./wrong > report 2>&1
	pp --lines -s < report > named || fail "a sanitizer's report"
	grep -q '#0 0x[0-9a-f]* *(.*/wrong+0x[0-9a-f]* <read_freed at wrong.c:[56]>)' named || fail "a sanitizer's report: $(grep '#' named | head -5)"
	pp -s --lines --json < report | python3 -c '
import json, sys
found = json.load(sys.stdin)
assert any(f["function"] == "read_freed" for a in found["addresses"] for f in a["frames"]), found
assert found["asked"] >= found["named"] > 0' || fail "a sanitizer's report as JSON"
else
	echo "there is no AddressSanitizer here"
fi

# --- a live process --------------------------------------------------------------------------------------------------------

mkfifo hold
./program stay > live &
started="$started $!"
pid=$!
await "its stack" grep -q '__libc_start_main\|libc.so' live
address=$(sed -n '1s/.* //p' live)
pp -p $pid "$address" > out 2> err && grep -q "^$address middle (program)\$" out || fail "a live process: $(cat out err)"
pp -p $pid --lines "$address" | grep -q "^$address middle at .*/program.c:2[0-9] (program)\$" || fail "a live process with lines"
echo "it crashed at $address, r1 = 0x12345, and nothing else" | pp -p $pid > out 2> err
[ "$(cat out)" = "it crashed at $address <middle (program)>, r1 = 0x12345, and nothing else" ] || fail "a text: $(cat out err)"
pp -p $pid main+0x10 > out 2> err
[ $? -eq 3 ] && grep -q "there is no file 'main'" err || fail "a function and an offset: $(cat out err)"
pp -p $pid program+0x$(nm program | awk '/ middle$/ { print $1 }') | grep -q ' middle (program)$' || fail "a module of the process"
# a pipe is answered at once
pp -p $pid < hold > answers 2> err &
started="$started $!"
exec 3> hold
echo "$address" >&3
await "the answer to a line" grep -q ' middle (program)' answers
echo "again $address!" >&3
await "the answer to a text" grep -q "again $address <middle (program)>!" answers
exec 3>&-

if [ "$(id -u)" -eq 0 ]; then
	timeout 100 setpriv --reuid 65534 --regid 65534 --clear-groups "$PERFPIPE" symbolize -p $pid "$address" > out 2> err < /dev/null
	[ $? -eq 5 ] && [ ! -s out ] && grep -q "^perfpipe: .*$pid" err || fail "a process of another user: $(cat out err)"
fi

# --- the kernel ------------------------------------------------------------------------------------------------------------

function=$(awk '$2 == "T" && $3 ~ /^(vfs_read|ksys_read|schedule)$/ && $1 !~ /^0*$/ { print $1, $3; exit }' /proc/kallsyms 2> /dev/null)
if [ -n "$function" ]; then
	pp --kernel "${function% *}" > out 2> err && grep -q "^0x${function% *} ${function#* }\$" out || fail "the kernel: $(cat out err)"
	printf 'RIP: %s\n' "0x${function% *}" | pp --kernel | grep -q "<${function#* }>" || fail "a text with an address of the kernel"
else
	echo "the kernel's addresses are hidden here"
fi
hidden() { timeout 100 setpriv --reuid 65534 --regid 65534 --clear-groups "$PERFPIPE" symbolize --kernel ffffffff81000000 < /dev/null; }
if [ "$(id -u)" -eq 0 ] && setpriv --reuid 65534 --regid 65534 --clear-groups head -1 /proc/kallsyms | grep -q '^0* '; then
	hidden > out 2> err || fail "the kernel without rights fails"
	grep -q '^0xffffffff81000000 ??' out && [ "$(grep -c 'kptr_restrict\|rights\|root' err)" -eq 1 ] || fail "the kernel without rights: $(cat out err)"
fi

# --- wrong input -----------------------------------------------------------------------------------------------------------

# refused CODE TEXT ARGUMENTS... - and prints nothing else
refused()
{
	code=$1 text=$2
	shift 2
	pp "$@" > out 2> err < /dev/null
	got=$?
	[ $got -eq "$code" ] || fail "symbolize $* exits with $got: $(cat err)"
	[ ! -s out ] && grep -q -e "$text" err && [ "$(wc -l < err)" -eq 1 ] || fail "symbolize $*: $(cat out err)"
}

echo text > text
mkfifo pipe
refused 5 "text.*not an ELF file" -e text 0x12
refused 5 "not a regular file" -e . 0x12
refused 5 "not a regular file" -e pipe 0x12
refused 5 "nowhere" -e nowhere 0x12
refused 5 "no process 999999999" -p 999999999 0x12
refused 3 "more than 64 bits" -e program 123456789012345678901234567890
refused 3 "not an address" -e program main
refused 3 "which file or process" 0x12
refused 3 "cannot be combined" -p $pid --kernel 0x12
refused 3 "addr2line" -e program -fip 0x12
refused 3 "addr2line" -e program -fip 12
refused 3 "needs a value" -e program -fi -p
: > empty
pp -e program < empty > out 2> err && [ ! -s out ] && grep -q 'no address' err || fail "an empty input: $(cat out err)"
pp -e program --json < empty 2> err | python3 -c 'import json, sys; assert json.load(sys.stdin)["addresses"] == []' || fail "JSON of an empty input"
pp -e program < . > out 2> err
[ $? -eq 5 ] && grep -q 'standard input' err || fail "a directory as input: $(cat out err)"
head -c 300000 "$library" "$PERFPIPE" | pp -e program > copy 2> err || fail "bytes of any kind: $(cat err)"

# a line without end, in bounded memory; sanitizers need an address space of terabytes
limit=40000
( ulimit -v $limit; "$PERFPIPE" --version ) > /dev/null 2>&1 || limit=unlimited
head -c 50000000 /dev/zero | tr '\0' 'x' > long
( ulimit -v $limit; pp -e program --no-cache < long 2> err | cmp - long ) || fail "a line of 50 MB: $(cat err)"

# the library for programs, by its example
"$(dirname "$PERFPIPE")/examples/name_address" "$library" 1039 > out && grep -q '^square at /src/deep/square.h:5 (inlined)$' out &&
	tail -1 out | grep -q '^shapes::area(.*) at /src/native.cc:20$' || fail "the example: $(cat out)"
exit $bad
