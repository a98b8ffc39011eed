# Compared with dotnet-trace report topN, where the trace has tasks: `topN --wall` has the same rows with the same
# percentages. That tool shows names in lines of 70 columns, and its labels for all threads, which have no row here.
command -v dotnet > /dev/null || { echo "skipped: there is no dotnet here"; exit 77; }
tool=${XDG_CACHE_HOME:-$HOME/.cache}/perfpipe-tests/dotnet-trace
[ -x "$tool/dotnet-trace" ] || TMPDIR=$PWD dotnet tool install --tool-path "$tool" dotnet-trace > log 2>&1 ||
	{ echo "skipped: dotnet-trace cannot be installed"; exit 77; }
command -v zstd > /dev/null || { echo "skipped: there is no zstd here"; exit 77; }
zstd -dq "$SOURCE/tests/data/awaits.nettrace.zst" -o awaits.nettrace || exit 1
bad=0

# theirs, ours - name and percentages of rows "1. NAME INCLUSIVE% EXCLUSIVE%"
theirs()
{
	sed -nE 's/^[0-9]+\. +(.*[^ ]) +([0-9.]+)% +([0-9.]+)% *$/\1\t\2\t\3/p' |
		grep -v '^(Non-Activities)\|^Threads' | sed 's/^AwaitShapes!//'
}
ours()
{
	sed -nE 's/^ *[0-9]+\. +([0-9.]+)% +([0-9.]+)% +(.*)$/\3\t\1\t\2/p'
}

# same COLUMN - rows of a tenth of a percent and more in it, without arguments; their order is left open
same()
{
	awk -F '\t' -v OFS='\t' -v column="$1" '$column >= 0.1 { sub(/\(.*/, "", $1); print }' | sort
}

for how in "" --inclusive; do
	column=$([ "$how" ] && echo 2 || echo 3)
	"$tool/dotnet-trace" report awaits.nettrace topN -n 1000 $how > peer || { cat peer; exit 1; }
	COLUMNS=400 "$PERFPIPE" report awaits.nettrace topN --wall --raw-names -n 1000 $how > mine || exit 1
	theirs < peer | same $column > wanted
	ours < mine | same $column > got
	echo "$(wc -l < wanted) rows"
	grep -q '^AWAIT_TIME' wanted && [ "$(wc -l < wanted)" -gt 10 ] || { echo "too few rows:"; cat peer; bad=1; }
	diff wanted got || { echo "topN --wall $how differs"; bad=1; }
done
exit $bad
