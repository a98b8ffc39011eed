# One of anything is singular.
cp "$SOURCE/tests/data/orders.nettrace.gz" orders.nettrace

lines()
{
	"$PERFPIPE" report orders.nettrace "$@" 2>&1 | grep -E '^(Managed|Duration|Recorded|Unresolved) '
}

lines cpu --thread 25087
lines summary --thread 25087
lines alloc --from 0.21 --to 0.213
lines alloc --from 0.2 --to 0.213
