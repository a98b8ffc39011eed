# TraceEvent counts the same events in a trace and in its conversion to version 6.
counts=$("$SOURCE/tests/interop/dotnet_built" tests/interop/TraceEventCounts)/TraceEventCounts.dll || exit $?
bad=0
for packed in orders.nettrace.gz orders-runtime.nettrace.zst; do
	case $packed in
	*.gz) gzip -dc "$SOURCE/tests/data/$packed" > old.nettrace ;;
	*.zst) zstd -q -dc "$SOURCE/tests/data/$packed" > old.nettrace ;;
	esac || exit 1
	"$PERFPIPE" convert old.nettrace -f nettrace --force -o new.nettrace || exit 1
	for age in old new; do
		dotnet "$counts" $age.nettrace > log || { cat log; exit 1; }
		LC_ALL=C sort log > $age.counts
	done
	[ -s old.counts ] || { echo "nothing was counted in $packed"; bad=1; }
	diff -u old.counts new.counts || { echo "$packed differs"; bad=1; }
	echo "$packed: $(awk '{ n += $NF } END { print n }' new.counts) events in version 6"
done

# a truncated trace is read to its end, without an exception
"$PERFPIPE" convert "$SOURCE/tests/data/orders-cut.nettrace" -f nettrace -o cut.nettrace 2> /dev/null || exit 1
dotnet "$counts" cut.nettrace > log || { cat log; exit 1; }
wanted=$("$PERFPIPE" events "$SOURCE/tests/data/orders-cut.nettrace" --json 2> /dev/null | wc -l)
counted=$(awk '{ n += $NF } END { print n }' log)
[ "$counted" -eq $((wanted + 1)) ] || { echo "$counted events of $wanted and the last"; bad=1; }
grep -q '^Perfpipe 1 0 1$' log || { echo "nothing says that it is truncated"; cat log; bad=1; }
echo "orders-cut.nettrace: $counted events"
exit $bad
