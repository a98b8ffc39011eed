# The libraries need libc, and the one for traces those of `perfpipe --version` as well; they export pp_ names only; and no object
# of theirs exits, prints, or gets memory from elsewhere than base/allocator.c.
build=$(dirname "$PERFPIPE")/src
for tool in nm readelf; do
	command -v $tool > /dev/null || { echo "skipped: there is no $tool here"; exit 77; }
done
bad=0

# needs FILE NAME...: the shared libraries that it needs, besides those of sanitizers and of the compiler
needs()
{
	file=$1
	shift
	readelf -d "$build/$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p' |
		grep -v -E '^(lib(asan|ubsan|tsan|gcc_s)\.so|ld-linux)' | sort > needed
	printf '%s\n' "$@" | sort | diff -u - needed || { echo "$file needs other libraries"; bad=1; }
}

needs libperfpipe.so libc.so.6
used=$("$PERFPIPE" --version | grep -o -w -e zlib -e zstd -e lzma -e elfutils |
	sed 's/zlib/libz.so.1/; s/zstd/libzstd.so.1/; s/lzma/liblzma.so.5/; s/elfutils/libdw.so.1 libelf.so.1/')
needs libperfpipe-trace.so libperfpipe.so.0 libc.so.6 libm.so.6 $used

for library in libperfpipe libperfpipe-trace; do
	nm -D --defined-only "$build/$library.so" | grep -v -E ' (A PERFPIPE_[0-9.]+|[A-Z] pp_[a-z0-9_]+@@PERFPIPE_[0-9.]+)$' &&
		{ echo "$library.so exports these"; bad=1; }
done

# uses PATTERN OBJECT...: only these objects of the archives may use the names that match
uses()
{
	pattern=$1
	shift
	for archive in libperfpipe.a libperfpipe-trace.a; do
		nm -A -u "$build/$archive"
	done | grep -E " U (__)?($pattern)(_chk)?$" > users
	for object; do
		grep -q ":$object:" users || { echo "$object does not use $pattern"; bad=1; }
		grep -v ":$object:" users > others
		mv others users
	done
	! grep . users || { echo "no library may use these"; bad=1; }
}

uses 'exit|_exit|_Exit|quick_exit|v?errx?'
uses 'abort' alloc.c.o
uses 'stdin|stdout|stderr|v?f?printf|v?dprintf|f?puts|f?putc|putchar|fwrite|perror'
uses 'malloc|calloc|realloc|reallocarray|free' allocator.c.o
uses 'strn?dup|v?asprintf|getline|getdelim|open_memstream|aligned_alloc|posix_memalign'

# One copy of what both are made of: the archive for traces is resolved by the other.
nm "$build/libperfpipe-trace.a" 2> /dev/null | grep -E ' T (xcalloc|error_set|pp_set_alloc)$' &&
	{ echo "libperfpipe-trace.a has a copy of base"; bad=1; }
exit $bad
