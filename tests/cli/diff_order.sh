# One list in one order: every format begins with the largest change, and -n leaves the same rows everywhere.
cp "$SOURCE/tests/data/orders.nettrace.gz" base.nettrace
zcat base.nettrace | head -c 400000 > part.nettrace

# names NUMBER FORMAT VIEW: the first words of each row
names()
{
	"$PERFPIPE" diff base.nettrace part.nettrace "$3" -n "$1" --format "$2" 2> /dev/null > output
	case $2 in
	json) sed -n 's/^      "name": "\([^"]*\)",*$/\1/p' output ;;
	csv) tail -n +2 output | cut -d , -f 2 | tr -d '"\r' | grep . ;;
	text) sed -n '/^methods/,$p' output | tail -n +3 | sed 's/.*  //' ;;
	markdown) sed -n '/methods/,$p' output | grep '^| *[0-9]' | sed 's/ |$//; s/.*| //; s/\\//g' ;;
	esac | cut -c 1-25
}

for number in 3 10; do
	names $number json cpu > first
	[ $number != 3 ] || cat first
	for format in csv text markdown; do
		names $number $format cpu > second
		cmp -s first second && echo "$number $format: the same" || diff first second
	done
done

# by the size of the change, in both directions, whatever the format
"$PERFPIPE" diff base.nettrace part.nettrace cpu --json 2> /dev/null | awk '
	/^      "metric":/ { counts = /"exclusive_ns"/ }
	counts && /^      "change":/ { size = $2 + 0 < 0 ? -$2 : $2 + 0
		if (rows++ && size > last) print "out of order: " $0
		last = size }
	END { print (rows > 10 ? "in order" : "too few rows: " rows) }'
"$PERFPIPE" diff base.nettrace part.nettrace cpu --inclusive -n 2 --csv 2> /dev/null | cut -d , -f 1,2,3
