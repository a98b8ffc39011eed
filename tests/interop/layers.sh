# tools/check_layers refuses what a library must not do, and headers and modules that its table does not have.
bad=0
mkdir tree tree/tools
cp -r "$SOURCE/src" "$SOURCE/include" tree
cp "$SOURCE/tools/layers.txt" tree/tools
"$SOURCE/tools/check_layers" tree || exit 1

# refuses FILE LINE SENTENCE: a tree whose file has one more line
refuses()
{
	file=tree/$1
	if [ -e "$file" ]; then cp "$file" kept; else : > kept; fi
	printf '%s\n' "$2" >> "$file"
	! "$SOURCE/tools/check_layers" tree > said && grep -q -F "$3" said ||
		{ echo "$1: \"$2\" is not refused with \"$3\":"; cat said; bad=1; }
	if [ -s kept ]; then cp kept "$file"; else rm "$file"; fi
}

refuses src/report/report.c 'void f(void) { exit(1); }' 'exit: a library does not exit'
refuses src/base/heap.c 'void f(void) { abort(); }' 'abort: a library does not exit'
refuses src/model/model.c 'void f(void) { printf("x"); }' 'printf: a library does not print'
refuses src/input/input.c 'static void *f = stderr;' 'stderr: a library does not print'
refuses src/ipc/client.c 'void f(void) { kill(0, 9); }' 'kill: a library does not exit'
refuses src/symbols/symbols.c 'int f(void) { return fork(); }' 'fork: a library leaves the process as it is'
refuses src/base/time.c 'void f(void) { setenv("TZ", "", 1); }' 'setenv: a library leaves the process as it is'
refuses src/fill/fill.c 'void *f(void) { return malloc(1); }' 'malloc: a library has its memory from'
refuses src/clr/events.c 'char *f(void) { return strdup(""); }' 'strdup: a library has its memory from'
refuses src/pass/pass.c 'int f(void) { return setjmp(b); }' 'setjmp: a library is left by'
refuses src/pass/pass.c '#include "record/engine.h"' 'pass may not use record'
refuses src/report/report.c '#include "perfpipe/client.h"' 'report may not use ipc'
refuses include/perfpipe/event.h '#include "perfpipe/trace.h"' 'nettrace may not use library'
refuses include/perfpipe/more.h 'int pp_more;' 'layers.txt does not list perfpipe/more.h'
refuses tools/layers.txt 'public base: less' 'there is no perfpipe/less.h'
refuses src/library/libraries.cmake 'modules_of(libperfpipe record)' 'libperfpipe does not have record'

# Comments, texts and members may use the words.
cat >> tree/src/pass/pass.c << 'END'
/* free(memory) and
   abort() are words here */
static const char *words = "exit(1)";
void f(void) { list->free(list); list.free(list); x_free(list); }
END
"$SOURCE/tools/check_layers" tree || bad=1
exit $bad
