# Allocations have the report's figures, also if each one is an estimate with a fraction.
for trace in orders-runtime trouble-garbage two-processes; do
	cp "$SOURCE/tests/data/$trace.nettrace.zst" .
	"$PERFPIPE" report $trace.nettrace.zst alloc --json |
		sed -n '/^  "stacks"/,/^  ]/s/^ *"bytes": \([0-9]*\),*$/\1/p' |
		sort -n > wanted
	"$PERFPIPE" convert $trace.nettrace.zst --view alloc -f folded -o - | sed 's/.* //' | sort -n > have
	echo "$trace: $(wc -l < wanted) stacks, at most $(tail -n 1 wanted) bytes"
	diff wanted have && echo "the same"
done
