# A trace may name any path as a mapped file: pipes, devices, files that are not for us, other builds. Nothing waits, nothing
# of such a file is shown, and the view symbols says what is wrong.
. "$SOURCE/tests/interop/readers"
unset DEBUGINFOD_URLS
trace=$(dirname "$PERFPIPE")/tests/native_trace
library=$SOURCE/tests/data/native/libcart.so
right=a85a83c680c50eba6cca41da6bdfe3ae08e7d9c0
wrong=00112233445566778899aabbccddeeff00112233

mkfifo pipe
cp "$library" library
cp library later # after the recording, which is of the first of January 2026
echo 'password 4711' > secret
mkdir folder
ln -s pipe link
head -c 300 "$library" > short
cp library old && touch -d 2025-01-01 old
if command -v gcc > /dev/null; then
	gcc -shared -nostdlib -fPIC -O2 -Wl,--build-id=none -Wl,-z,noseparate-code -o unnamed "$SOURCE/tests/data/native/cart.c" || exit 1
	cp unnamed unnamed-later
	touch -d 2025-01-01 unnamed
fi

# check WANTED PATH [build-id] - what the view symbols says of it, within ten seconds
check()
{
	wanted=$1
	shift
	{
		echo "process 1 /srv/app"
		echo "mapping 10000 20000 0 $*"
		echo "sample 10314"
	} | "$trace" one.nettrace || exit 1
	for command in "report one.nettrace symbols --json" "report one.nettrace cpu" "events one.nettrace --stacks" \
		"convert one.nettrace -f folded -o -"; do
		timeout 10 "$PERFPIPE" $command > out 2>&1 || { cat out; fail "$1: $command fails"; }
		! grep -q 'password' out || fail "$1: $command shows what is in it"
		[ "$command" != "report one.nettrace symbols --json" ] || mv out states
	done
	grep -q "\"state\": \"$wanted\"" states || { cat states; fail "$1: its state is not '$wanted'"; }
}

for id in "" $right; do
	check "not readable" "$PWD/pipe" $id
	check "not readable" "$PWD/link" $id
	check "not readable" "$PWD/folder" $id
	check "no symbols" /dev/zero $id # shared memory
	check "not readable" /dev/urandom $id
	check "not readable" /dev/stdin $id
	[ -z "$id" ] || check "not readable" /proc/self/mem $id
	check "not on this machine" /nowhere/../nowhere $id
	check "not a file" '[vdso]' $id
	check "not a file" pipe $id
	check "not a file" //anon $id
done
check "not readable" "$PWD/secret" $right
check "another build" "$PWD/short" $right
check symbols "$PWD/library" $right
check "another build" "$PWD/library" $wrong
check "another build" "$PWD/library" 4711
check "another build" "$PWD/library" '../../../../../tmp/x'

# without a build id: not a file that has one, and not one that is newer
check "another build" "$PWD/old"
check "another build" "$PWD/later"
if [ -f unnamed ]; then
	check symbols "$PWD/unnamed"
	check "another build" "$PWD/unnamed-later"
fi

# addresses outside of the file, and mappings without an end
for mapping in "0 ffffffffffffffff 0" "10000 20000 ffffffffffff0000" "10000 20000 7fffffffffffffff" "20000 10000 0"; do
	{
		echo "process 1 /srv/app"
		echo "mapping $mapping $PWD/library $right"
		echo "sample 10314 0 ffffffffffffffff 1 10000"
		echo "sample 0 0 0"
	} | "$trace" one.nettrace || exit 1
	timeout 10 "$PERFPIPE" report one.nettrace cpu --lines > out 2>&1 || { cat out; fail "mapping $mapping: it fails"; }
done
# the kernel: only this boot's, where it is; and its addresses are shown to root only
first=$(awk '$3 == "_stext" { print $1 }' /proc/kallsyms)
function=$(awk '$2 == "T" && $3 == "vfs_read" { print $1 }' /proc/kallsyms)
# kernel WANTED START SECONDS
kernel()
{
	{
		echo "process 1 /srv/app"
		echo "mapping $2 ffffffffff000000 0 vmlinux"
		echo "sample $function"
	} | "$trace" one.nettrace "$3" || exit 1
	"$PERFPIPE" report one.nettrace symbols --json > out || fail "the kernel's code: it fails"
	grep -q "\"state\": \"$1\"" out || { cat out; fail "the kernel at $2, recorded at $3, is not '$1'"; }
}
case ${first:-0000}$function in
0000*) echo "left out: names of the kernel are hidden here" ;;
*)
	now=$(date +%s)
	kernel "this kernel" "$first" "$now"
	"$PERFPIPE" report one.nettrace cpu | grep -q ' vfs_read \[vmlinux\]$' || fail "the kernel's function has no name"
	kernel "another boot" "$first" 1767225600
	kernel "another boot" ffffffff80000000 "$now"
	;;
esac
exit $bad
