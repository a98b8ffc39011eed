# Separate debug files as the tools make them: gcc, objcopy, strip, dwz and a debuginfod server.
# debuginfod listens on all addresses: it gets a network of its own, and so does all of this
if [ -z "${OWN_NETWORK:-}" ] && unshare -n true 2> /dev/null; then
	OWN_NETWORK=1 exec unshare -n sh -u "$SOURCE/tests/interop/debug_files.sh"
fi
for tool in gcc objcopy strip readelf; do
	command -v $tool > /dev/null || { echo "skipped: no $tool"; exit 77; }
done
debug_file_of=$(dirname "$PERFPIPE")/tests/debug_file_of
unset DEBUGINFOD_URLS
bad=0
server=
. "$SOURCE/tests/interop/ending"
trap '[ -z "$server" ] || end_processes $server' EXIT
fail() { echo "$*"; bad=1; }

# expect WHAT PATH [ARGUMENT]... - what debug_file_of prints
expect()
{
	what=$1 wanted=$2
	shift 2
	got=$("$debug_file_of" "$@" 2>&1) && [ "$got" = "$wanted" ] || fail "$what: $got, and not $wanted"
}

id_of() { readelf -n "$1" | sed -n 's/.*Build ID: //p'; }

cat > app.c << 'END'
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
struct large { struct stat status; struct tm time; pthread_mutex_t lock; pthread_attr_t attr; };
int use(struct large *large, FILE *file) { return (int)large->status.st_size + large->time.tm_sec + fileno(file); }
int main(void) { struct large large = { 0 }; return use(&large, stdin) + NUMBER; }
END
mkdir bin whole kept
for number in 1 2; do
	gcc -g -Wl,--build-id -DNUMBER=$number app.c -o whole/app$number || exit 1
	objcopy --only-keep-debug whole/app$number bin/app$number.extra 2> /dev/null || exit 1
	strip -o bin/app$number whole/app$number || exit 1
	(cd bin && objcopy --add-gnu-debuglink=app$number.extra app$number) || exit 1
done

# by its link; with another build id it is refused
expect "by .gnu_debuglink" bin/app1.extra bin/app1
expect "by .gnu_debuglink, with lines" bin/app1.extra -l bin/app1
mkdir bin/.debug && mv bin/app1.extra bin/.debug
expect "in .debug" bin/.debug/app1.extra bin/app1
cp bin/app2.extra bin/app1.extra
expect "of another build, and in .debug" bin/.debug/app1.extra bin/app1
mv bin/.debug/app1.extra kept/app1.extra
expect "of another build" none bin/app1
rm bin/app1.extra
expect "none" none bin/app1
expect "the whole program in a folder" whole/app1 -f whole bin/app1

# without build ids, by the checksum
gcc -g -Wl,--build-id=none -DNUMBER=3 app.c -o whole/app3 || exit 1
objcopy --only-keep-debug whole/app3 bin/app3.debug 2> /dev/null
strip -o bin/app3 whole/app3 && (cd bin && objcopy --add-gnu-debuglink=app3.debug app3) || exit 1
expect "by the checksum" bin/app3.debug -l bin/app3
printf x >> bin/app3.debug
expect "with another checksum" none -l bin/app3

# by the layout of a symbol server, and the binary itself
id=$(id_of whole/app1)
mkdir -p "server/_.debug/elf-buildid-sym-$id" "server/app1/elf-buildid-$id"
cp kept/app1.extra "server/_.debug/elf-buildid-sym-$id/_.debug"
cp bin/app1 "server/app1/elf-buildid-$id/app1"
expect "of a symbol server" "server/_.debug/elf-buildid-sym-$id/_.debug" -l -f server bin/app1
expect "the binary of a symbol server" "server/app1/elf-buildid-$id/app1" -f server -b "$id" /gone/app1

# below another root
mkdir -p root/usr/bin root/usr/lib/debug/usr/bin
cp bin/app1 root/usr/bin/app1
cp kept/app1.extra root/usr/lib/debug/usr/bin/app1.extra
expect "below another root" root/usr/lib/debug/usr/bin/app1.extra -r root -l /usr/bin/app1
ln -sf "$PWD/kept/app1.extra" root/usr/lib/debug/usr/bin/app1.extra
expect "behind a link out of another root" none -r root -l /usr/bin/app1

# what dwz moves out of several files
if command -v dwz > /dev/null; then
	mkdir -p dwz/.shared && cp bin/app1 bin/app2 kept/app1.extra bin/app2.extra dwz
	(cd dwz && dwz -m .shared/both -M .shared/both app1.extra app2.extra) || fail "dwz failed"
	expect "with a shared file" dwz/app1.extra -l dwz/app1
	expect "the shared file" dwz/.shared/both -a -l dwz/app1
	mkdir other && mv dwz/.shared/both other
	expect "the shared file in a folder" other/both -f other -a -l dwz/app1
	cp whole/app2 other/both
	expect "another file in its place" none -f other -a -l dwz/app1
else
	echo "no dwz: files that it makes are not tested"
fi

# debuginfod: a server whose folder has nothing but the debug file and a binary
command -v debuginfod > /dev/null || { echo "no debuginfod: it is not tested"; exit $bad; }
grep -q libdebuginfod "$debug_file_of" || { echo "built without libdebuginfod: it is not tested"; exit $bad; }
[ -n "${OWN_NETWORK:-}" ] && python3 -c '
import fcntl, socket, struct
SIOCSIFFLAGS, UP_AND_RUNNING = 0x8914, 0x41
fcntl.ioctl(socket.socket(), SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", UP_AND_RUNNING))' ||
	{ echo "debuginfod would listen on all addresses: it is not tested"; exit $bad; }
mkdir served cache && cp kept/app1.extra served && cp bin/app1 served/binary

# Ports are tried until a server has one: it exits if another has it.
start_server()
{
	for port in $(shuf -i 20000-32000 -n 20); do
		: > log
		debuginfod -d :memory: -F -p "$port" -t 0 -g 0 served >> log 2>&1 &
		server=$!
		until grep -q 'started http server' log || has_ended $server; do
			sleep 0.05
		done
		has_ended $server || return 0
	done
	return 1
}

start_server || { cat log; echo "debuginfod does not start"; exit 1; }
DEBUGINFOD_URLS=http://127.0.0.1:$port DEBUGINFOD_CACHE_PATH=$PWD/cache DEBUGINFOD_VERBOSE=1 DEBUGINFOD_PROGRESS=1
export DEBUGINFOD_URLS DEBUGINFOD_CACHE_PATH
mkdir asked
tries=0
until DEBUGINFOD_CACHE_PATH=$PWD/asked debuginfod-find debuginfo "$id" > /dev/null 2>&1; do
	tries=$((tries + 1))
	[ $tries -lt 1000 ] || { cat log; echo "debuginfod does not find its file"; exit 1; }
	rm -rf asked && sleep 0.05
done
export DEBUGINFOD_VERBOSE DEBUGINFOD_PROGRESS
expect "debuginfod, but not to be asked" none -n -l bin/app1
expect "of debuginfod" "$PWD/cache/$id/debuginfo" -l bin/app1
cmp "cache/$id/debuginfo" kept/app1.extra || fail "debuginfod's file is another one"
expect "of debuginfod, the binary" "$PWD/cache/$id/executable" -b "$id" /gone/app1

# one that accepts connections and never answers, whose patience is not that of DEBUGINFOD_TIMEOUT
kill -STOP $server
rm -f bin/app2.extra
"$debug_file_of" -s -l bin/app2 > silent 2>&1
seconds=$(tail -1 silent)
[ "$(head -1 silent)" = none ] && [ "$seconds" -ge 5 ] && [ "$seconds" -lt 60 ] || fail "a silent server: $(cat silent)"

# none at all
end_processes $server
server=
expect "of debuginfod's cache" "$PWD/cache/$id/debuginfo" -l bin/app1
expect "without a server" none -l bin/app2
exit $bad
