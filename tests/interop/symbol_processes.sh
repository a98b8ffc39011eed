# Names of native code in processes that are hard to read: in a mount namespace of their own, without the file that
# they run, static and at a fixed address, of another user, with symbols elsewhere, or ended.
command -v cc > /dev/null || { echo "skipped: there is no compiler here"; exit 77; }
. "$SOURCE/tests/interop/ending"
find=$(dirname "$PERFPIPE")/tests/symbol_find
started='' bad=0
end_started() { end_processes $started; }
trap end_started EXIT
fail() { echo "$*"; bad=1; }

cat > program.c << 'END'
#include <stdio.h>
#include <unistd.h>
__attribute__((noinline)) void FUNCTION(void) { __asm__ volatile("nop"); }
__attribute__((noinline)) static void hidden(void) { __asm__ volatile("nop; nop"); }
int main(void)
{
	printf("%p %p\n", (void *)FUNCTION, (void *)hidden);
	fclose(stdout);
	FUNCTION();
	hidden();
	for (;;)
		pause();
}
END

# build FILE FUNCTION [OPTION...] - a program with a function of that name
build()
{
	file=$1 function=$2
	shift 2
	cc -O1 -g "-DFUNCTION=$function" "$@" program.c -o "$file" || exit 1
}

# run NAME COMMAND... - in the background: $pid, and the addresses $function and $hidden
run()
{
	name=$1
	shift
	: > "$name.out"
	"$@" > "$name.out" < /dev/null &
	pid=$!
	started="$started $pid"
	tries=0
	until read -r function hidden < "$name.out"; do
		tries=$((tries + 1))
		[ $tries -lt 600 ] || { echo "$name does not start"; exit 1; }
		sleep 0.1
	done
}

# expect WHAT ADDRESS LINE - what is there in $pid
expect()
{
	got=$("$find" $pid "$2" 2>&1)
	case $got in
	$3) ;;
	*) fail "$1: $got" ;;
	esac
}

build pie first
run pie ./pie
expect "a function" $function "pie first"
expect "a static function" $hidden "pie hidden"
expect "nothing there" 10 nothing

build fixed second -no-pie
run fixed ./fixed
expect "a program at a fixed address" $function "fixed second"

if build static third -static -no-pie 2> /dev/null; then
	run static ./static
	expect "a static program" $function "static third"
	expect "a static function of it" $hidden "static hidden"
fi

build exported fourth -rdynamic -s
run exported ./exported
expect "an exported function of a stripped program" $function "exported fourth"
expect "another function of it" $hidden "exported \[no symbols\] it is stripped, and only exported functions have names: *"

build stripped fifth
objcopy --only-keep-debug stripped stripped.debug && strip stripped && objcopy --add-gnu-debuglink=stripped.debug stripped
run stripped ./stripped
expect "a function of a separate debug file" $hidden "stripped hidden"

ended=$pid
end_processes $ended
expect "a process that has ended" $hidden "\[process $ended\] \[not readable\] there is no process $ended"

[ "$(id -u)" -eq 0 ] || exit $bad

# the file is replaced by one with another function at the same place
build replaced before
build after after
run replaced ./replaced
mv after replaced
expect "a program that was replaced" $function "replaced before"
rm replaced
expect "a program that was deleted" $function "replaced before"

# another file has the path in the namespace of the process
if unshare -m true 2> /dev/null; then
	build same outside
	build other inside
	run same unshare -m sh -c 'mount --bind other same && exec ./same'
	expect "a program in a mount namespace" $function "same inside"
	run inside unshare -m sh -c 'mkdir -p root && mount -t tmpfs none root && cp same root/only &&
		cd root && exec ./only'
	expect "a file that is in its namespace only" $function "only outside"
fi

# as somebody else, without the right to look; the file that is run may be out of reach for them
chmod a+rx . && cp "$find" find && [ -x find ] || exit 1
run other_users ./pie
if setpriv --reuid 65534 --regid 65534 --clear-groups true 2> /dev/null; then
	got=$(setpriv --reuid 65534 --regid 65534 --clear-groups "$find" $pid $function 2>&1 ||
		setpriv --reuid 65534 --regid 65534 --clear-groups ./find $pid $function 2>&1)
	case $got in
	*"[not readable] no permission to read what process $pid has mapped: "*"try sudo"*) ;;
	*) fail "another user's process: $got" ;;
	esac
	# its own process: without map_files, a file that was replaced is known by its build id
	cp pie mine && chmod a+rx mine
	run mine setpriv --reuid 65534 --regid 65534 --clear-groups ./mine
	got=$(setpriv --reuid 65534 --regid 65534 --clear-groups ./find $pid $function 2>&1)
	[ "$got" = "mine first" ] || fail "a process of one's own: $got"
	mv fixed mine
	got=$(setpriv --reuid 65534 --regid 65534 --clear-groups ./find $pid $function 2>&1)
	case $got in
	"mine [another build] its build id is "*", but the file that ran had "*) ;;
	*) fail "a replaced file without rights: $got" ;;
	esac
	rm mine
	got=$(setpriv --reuid 65534 --regid 65534 --clear-groups ./find $pid $function 2>&1)
	case $got in
	"mine [not on this machine] it was deleted while it is mapped, and only root can still open it: try sudo") ;;
	*) fail "a deleted file without rights: $got" ;;
	esac
	cp pie mine && chmod a+rx mine # another file, but the same build
	got=$(setpriv --reuid 65534 --regid 65534 --clear-groups ./find $pid $function 2>&1)
	[ "$got" = "mine first" ] || fail "the same build again: $got"
fi
exit $bad
