# Stacks of sampled native programs are libdw's, or the difference is explained. TUPLES=10000 takes more samples of each.
build=$(dirname "$PERFPIPE")
: "${TUPLES:=300}"
source=$SOURCE/tests/interop/native
command -v gcc > /dev/null || { echo "skipped: there is no gcc"; exit 77; }
"$PERFPIPE" --version | grep -q ' elfutils' || { echo "skipped: this build has no elfutils"; exit 77; }
bad=0
export TMPDIR="$PWD" # where the compiler leaves files when it is ended

# sample NAME COMMAND... - takes tuples of a command, which goes on until it is ended
sample()
{
	name=$1
	shift
	"$build/tests/unwind_tuples" -o tuples --most "$TUPLES" -- "$@" > log 2>&1
	code=$?
	[ $code -ne 77 ] || { cat log; exit 77; }
	[ $code -eq 0 ] || { echo "$name: $(cat log)"; bad=1; return 1; }
	[ "$(cut -d ' ' -f 1 log)" -ge "$TUPLES" ] || { echo "$name: $(cat log)"; bad=1; }
}

# compare NAME EQUAL WHOLE COMMAND... - so many percent of the stacks must be equal, and so many go to the start of the
# thread or as far as they were captured
compare()
{
	name=$1 equal=$2 whole=$3
	shift 3
	sample "$name" "$@" || return
	"$build/tests/unwind_compare" tuples --show 3 > found
	code=$?
	echo "== $name"
	cat found
	[ $code -eq 0 ] || { echo "$name: stacks differ from libdw's without an explanation"; bad=1; }
	awk -v equal="$equal" -v whole="$whole" '
		/^equal:/ { same = $2; all = $2 + $4 + $6 }
		/^ends:.*(start of the thread|captured)/ { ends += $2 }
		END { exit !(all > 0 && same * 100 >= all * equal && ends * 100 >= all * whole) }' found ||
		{ echo "$name: less than $equal % are equal, or less than $whole % are whole"; bad=1; }
	rm tuples
}

build_shapes()
{
	gcc -D_GNU_SOURCE -O2 -fno-builtin -o "$@" "$source/stack_shapes.c" -pthread || exit 1
}
build_shapes shapes -Wl,-z,lazy -fomit-frame-pointer
build_shapes bare -fomit-frame-pointer -fno-asynchronous-unwind-tables -fno-unwind-tables
build_shapes pointers -fno-omit-frame-pointer -fno-asynchronous-unwind-tables -fno-unwind-tables

# a source that takes the compiler a while, again and again
awk 'BEGIN {
	for (i = 1; i <= 2000; i++)
		printf "int f%d(int a, int b) { int s = 0; for (int i = 0; i < a; i++) { s += b * i ^ a; if (s %% %d == 3) s -= f%d(i, s); } return s; }\n", i, i, i
}' > large.c
compare gcc 97 97 sh -c 'while gcc -O2 -c large.c -o large.o; do :; done'

if command -v g++ > /dev/null; then
	g++ -O2 -o shapes_cc "$source/shapes.cc" || exit 1
	compare c++ 98 99 ./shapes_cc
fi
if command -v rustc > /dev/null; then
	rustc -O -o shapes_rs "$source/shapes.rs" || exit 1
	compare rust 95 98 ./shapes_rs
fi
# a sample in the kernel, where it ends a signal, is behind the function that libdw would need
compare signal 80 99 ./shapes signal
compare altstack 80 99 ./shapes altstack
for shape in timer recursion alloca aligned plt vdso syscalls callbacks; do
	compare $shape 98 99 ./shapes $shape
done
compare resolver 98 99 env LD_BIND_NOT=1 ./shapes plt
compare "frame pointers" 20 98 ./pointers callbacks
compare "frame pointers and signals" 80 98 ./pointers signal
compare "no tables" 0 0 ./bare callbacks
compare "no tables and signals" 0 0 ./bare signal
exit $bad
