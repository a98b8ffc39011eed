# .NET's XML reader, which PerfView uses, finds the report's totals in PerfView's stacks, and no error in an SVG.
stacks=$("$SOURCE/tests/interop/dotnet_built" tests/interop/XmlStacks)/XmlStacks.dll || exit $?
. "$SOURCE/tests/interop/readers"
cp "$SOURCE/tests/data/orders.nettrace.gz" .
cp orders.nettrace.gz again.nettrace.gz
for view in threadtime alloc contention exceptions cpu; do
	"$PERFPIPE" convert orders.nettrace.gz --view $view -o $view.perfView.xml.zip || exit 1
done
"$PERFPIPE" convert orders.nettrace.gz again.nettrace.gz --view cpu -o two.perfView.xml.zip || exit 1
"$PERFPIPE" convert orders.nettrace.gz --view cpu -o cpu.svg || exit 1
"$PERFPIPE" report orders.nettrace.gz cpu --json -n 100000 > cpu.json || exit 1
dotnet "$stacks" cpu.svg two.perfView.xml.zip threadtime.perfView.xml.zip alloc.perfView.xml.zip contention.perfView.xml.zip \
	exceptions.perfView.xml.zip cpu.perfView.xml.zip > rows || fail "it cannot read them"
"$same_totals" cpu.json < rows || fail "the totals differ"
exit $bad
