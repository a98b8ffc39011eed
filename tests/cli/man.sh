# Every command has a manual page, which names every option of its table, and the other way round.
man=$SOURCE/doc/man
bad=0

# An option, as a page spells it: \-\-json.
options_in_page()
{
	sed -e 's/\\-/-/g' "$1" | grep -o -e '--[a-z][a-z0-9-]*' | sort -u
}

commands=$("$PERFPIPE" help | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z-]*\).*/\1/p')
for command in $commands; do
	page=$man/perfpipe-$command.1
	[ -f "$page" ] || { echo "$command has no page"; bad=1; continue; }
	"$PERFPIPE" help "$command" | sed -n '/^Options:/,/^$/p' |
		grep -o -e '--[a-z][a-z0-9-]*' | sort -u > options
	options_in_page "$page" | comm -23 options - > missing
	sed -e '/^\.SH OPTIONS/,/^\.SH/!d' "$page" > section
	options_in_page section | comm -13 options - > extra
	sed "s/^/perfpipe-$command.1 does not mention /" missing
	sed "s/^/perfpipe-$command.1 explains a foreign option /" extra
	[ ! -s missing ] && [ ! -s extra ] || bad=1
	sed -e 's/\\-/-/g' "$man/perfpipe.1" | grep -q "perfpipe-$command (1)" || { echo "perfpipe.1 misses $command"; bad=1; }
done
for section in NAME SYNOPSIS EXAMPLES 'EXIT STATUS' 'SEE ALSO'; do
	grep -L "^\.SH \"*$section" "$man"/*.1 | sed "s/.*/& lacks $section/" | grep . && bad=1
done
exit $bad
