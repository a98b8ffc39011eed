# The program, the libraries and their objects were built as cmake/hardening.cmake says: read out of them.
# interop/static does the same with the static program.
build=$(dirname "$PERFPIPE")
debug=
grep -q '^CMAKE_BUILD_TYPE:STRING=Debug' "$build/CMakeCache.txt" && debug=--no-fortify
"$SOURCE/tools/check_hardening" $debug "$PERFPIPE" "$build"/src/*.so "$build"/src/*.a || exit 1
[ -z "$debug" ] || exit 0

# What a level of FORTIFY checks shows in code only: the third one knows sizes that are computed at run time.
cat > probe.c << 'END'
#include <stdlib.h>
#include <string.h>
char *copy(const char *from, size_t size, size_t count);
char *copy(const char *from, size_t size, size_t count)
{
	char *copied = malloc(size);
	return copied ? memcpy(copied, from, count) : NULL;
}
END
compile=$(sed -n 's,^ *"command": "\(.*\) -o .* -c .*/src/base/arena\.c".*,\1,p' "$build/compile_commands.json" | head -n 1)
[ -n "$compile" ] || { echo "how arena.c is compiled is not known"; exit 1; }
eval "$compile -fno-lto -o probe.o -c probe.c" || exit 1
nm probe.o | grep -q __memcpy_chk || { echo "not FORTIFY 3: $compile"; exit 1; }
