# Findings in recordings of programs that show one problem each, and of healthy programs.
# Needs ../shared.
traces=${SHARED:-$SOURCE/../shared}/traces
[ -d "$traces" ] || { echo "skipped: needs ../shared"; exit 77; }

for path in "$traces"/dotnet10/*.nettrace.gz "$traces"/nettrace/*.zip; do
	echo "$(basename "$path"):"
	"$PERFPIPE" report "$path" --csv 2> /dev/null | sed "s/\r\$//; 1d; s/^/    /; s|$traces/[a-z0-9]*/||"
done
. "$SOURCE/tests/cli/findings_lib"
for path in "$traces"/runtimes/*.gz "$traces"/hostile/*.gz "$traces"/dotnet10/*.gz "$traces"/nettrace/*.zip; do
	findings "$path"
done
. "$SOURCE/tests/cli/show"
COLUMNS=80
export COLUMNS
for name in alloc-gc-verbose starve contention exceptions jit web-everything dropped no-events truncated; do
	cp "$traces/dotnet10/$name.nettrace.gz" "$name.nettrace"
	show report "$name.nettrace"
done
show report starve.nettrace --json -n 2
