# Numbers of a diff have all the digits of the two reports.
cp "$SOURCE/tests/data/orders.nettrace.gz" base.nettrace
cp "$SOURCE/tests/data/orders-runtime.nettrace.zst" new.nettrace
cp "$SOURCE/tests/data/orders.nettrace.zst" other.nettrace
zcat base.nettrace | head -c 400000 > part.nettrace

# of_report FILE VIEW KEY: the first value of that name
of_report() { "$PERFPIPE" report "$1" "$2" --json 2> /dev/null | sed -n "s/^ *\"$3\": \([0-9.e-]*\),*\$/\1/p" | head -n 1; }

# of_diff SIDE BASE NEW VIEW METRIC: the first value of that name
of_diff()
{
	"$PERFPIPE" diff "$2" "$3" "$4" --json 2> /dev/null |
		awk -v key="\"$1\":" '/"metric": "'"$5"'"/ { found = 1 } found && $1 == key { print $2; exit }' | tr -d ,
}

# same BASE NEW VIEW METRIC
same()
{
	for side in base new; do
		[ $side = base ] && file=$1 || file=$2
		wanted=$(of_report "$file" "$3" "${4#*.}")
		have=$(of_diff $side "$1" "$2" "$3" "$4")
		[ "$have" = "$wanted" ] && echo "$3 $4, $side: $have" || echo "$3 $4, $side: $have, but the report has $wanted"
	done
}

same base.nettrace new.nettrace gc pause_percent
same base.nettrace other.nettrace exceptions per_second
same base.nettrace part.nettrace summary cpu.mean_processors

# the change and its percentage are computed from the exact numbers
"$PERFPIPE" diff base.nettrace new.nettrace gc --json | grep -A 5 '"pause_percent"'
"$PERFPIPE" diff base.nettrace new.nettrace gc --csv | grep pause_percent
