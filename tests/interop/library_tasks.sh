# doc/library.md: the programs it quotes are those of the repository, and those in C# print what those in C print.
bad=0
"$SOURCE/tools/quote_examples" --check || bad=1

# A quote that is not the file is noticed.
mkdir -p copy/doc copy/tools copy/tests/interop
cp "$SOURCE/tools/quote_examples" copy/tools
cp -r "$SOURCE/examples" copy
cp -r "$SOURCE/tests/interop/TraceEventTasks" copy/tests/interop
sed 's/^int main(int argc, char \*\*argv)$/int main(void)/' "$SOURCE/doc/library.md" > copy/doc/library.md
! copy/tools/quote_examples --check > said && grep -q 'run tools/quote_examples' said ||
	{ echo "a changed quote is not noticed"; bad=1; }
copy/tools/quote_examples && cmp copy/doc/library.md "$SOURCE/doc/library.md" || bad=1
[ $bad -eq 0 ] || exit 1

program=$("$SOURCE/tests/interop/dotnet_built" tests/interop/TraceEventTasks)/TraceEventTasks.dll || exit $?
examples=$(dirname "$PERFPIPE")/examples

# same TASK RECORDING: both print it, and it is something
same()
{
	case $2 in
	*.gz) gzip -dc "$SOURCE/tests/data/$2" > trace.nettrace ;;
	*.zst) zstd -q -dc "$SOURCE/tests/data/$2" > trace.nettrace ;;
	esac || exit 1
	dotnet "$program" "$1" trace.nettrace > theirs || { echo "$1 in C# fails"; bad=1; }
	"$examples/$1" trace.nettrace > ours || { echo "$1 in C fails"; bad=1; }
	[ -s ours ] || { echo "$1 prints nothing"; bad=1; }
	diff -u theirs ours || { echo "$1 of $2 differs"; bad=1; }
	echo "$1 of $2: $(wc -l < ours) lines"
}

same count_events orders.nettrace.gz
same gc_pauses trouble-garbage.nettrace.zst
same custom_event orders.nettrace.gz
exit $bad
