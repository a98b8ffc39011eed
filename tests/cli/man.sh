# Every command has a man page that documents exactly the options of its table.
# A view's options are those listed after "Options:" in its section of perfpipe-report(1), where
# "selection options" and "stack options" stand for those of the sections with these names.
man=$SOURCE/doc/man
bad=0

# An option, as a page spells it: \-\-json.
options_in_page()
{
	sed -e 's/\\-/-/g' "$1" | grep -o -e '--[a-z][a-z0-9-]*' | sort -u
}

# The options of a help text, after a line that begins with $1.
options_in_help()
{
	sed -n "/^$1:/,/^\$/p" | grep -o -e '--[a-z][a-z0-9-]*' | sort -u
}

# What is in `options` and not in `page`, and what is in `page` and not in `options`.
compare()
{
	comm -23 options page | sed "s/^/$1 does not mention /" > missing
	comm -13 options page | sed "s/^/$1 explains a foreign option /" > extra
	cat missing extra
	[ ! -s missing ] && [ ! -s extra ] || bad=1
}

section()
{
	sed -n "/^\\.S[HS] $1\$/,/^\\.S[HS] /p" "$man/perfpipe-report.1" | sed -e '1d' -e '/^\.S[HS]/d'
}

commands=$("$PERFPIPE" help | sed -n '/^Commands:/,/^$/s/^  \([a-z][a-z-]*\).*/\1/p')
for command in $commands; do
	page=$man/perfpipe-$command.1
	[ -f "$page" ] || { echo "$command has no page"; bad=1; continue; }
	"$PERFPIPE" help "$command" | options_in_help Options > options
	options_in_page "$page" > everywhere
	sed -e '/^\.SH OPTIONS/,/^\.SH/!d' "$page" > part
	options_in_page part > explained
	# an option may be mentioned elsewhere, but the list has no others
	{ comm -12 options everywhere; comm -13 options explained; } | sort -u > page
	compare "perfpipe-$command.1"
	sed -e 's/\\-/-/g' "$man/perfpipe.1" | grep -q "perfpipe-$command (1)" || { echo "perfpipe.1 misses $command"; bad=1; }
done

section 'SELECTION OPTIONS' > selection
section 'STACK OPTIONS' > stack
views=$("$PERFPIPE" help report | sed -n '/^Views:/,/^$/s/^  \([a-zA-Z]*\) .*/\1/p')
for view in $views; do
	"$PERFPIPE" help report "$view" | options_in_help "Options of $view" > options
	section "$view" | sed -n '/^Options:/,/^CSV:/p' > part
	grep -q 'selection options' part && cat selection >> part
	grep -q 'stack options' part && cat stack >> part
	options_in_page part > page
	compare "perfpipe-report.1, $view,"
done
[ "$(echo "$views" | wc -l)" -ge 18 ] || { echo "perfpipe help report lists no views"; bad=1; }
sed -n '/^\.SH VIEWS/,/^\.SH FINDINGS/s/^\.SS //p' "$man/perfpipe-report.1" > page
echo "$views" | diff - page || { echo 'perfpipe-report.1 has other views than the help, or in another order'; bad=1; }

# The formats of convert, and its views, which the text of --view lists.
words()
{
	tr -c 'a-z-' '\n' | grep . | sort -u
}
tags()
{
	sed -n "/^\\.SH $1\$/,/^\\.SH/p" "$man/perfpipe-convert.1" |
		sed -n '/^\.TP/{n;s/^\.BR* //p;}' | sed 's/\\-/-/g' | words
}
"$PERFPIPE" help convert > help
sed -n '/^Formats:/,/^$/s/^  \([a-z-]*\(, [a-z-]*\)*\) .*/\1/p' help | words > formats
tags FORMATS | diff formats - || { echo 'perfpipe-convert.1 has other formats than the help'; bad=1; }
sed -n 's/.*--view VIEW *//p' help | words | grep -vx or > views
tags VIEWS | diff views - || { echo 'perfpipe-convert.1 has other views than the help'; bad=1; }

# perfpipe(1) refers to every command at its end, every page to perfpipe(1), and none to what does not exist.
references() { sed -e 's/\\-/-/g' "$1" | grep -o 'perfpipe[a-z-]* *(1)' | sed 's/ *(1)//' | sort -u; }
sed -n '/^\.SH SEE ALSO/,$p' "$man/perfpipe.1" > part
references part > page
for command in $commands; do
	echo "perfpipe-$command"
done | sort | diff - page || { echo 'SEE ALSO of perfpipe.1 has other commands than the help'; bad=1; }
for page in "$man"/*.1; do
	[ "$page" = "$man/perfpipe.1" ] || grep -q '^\.BR perfpipe (1)' "$page" || { echo "$page does not refer to perfpipe(1)"; bad=1; }
	for name in $(references "$page"); do
		[ -f "$man/$name.1" ] || { echo "$page refers to $name(1), which does not exist"; bad=1; }
	done
	for command in $(sed -e 's/\\-/-/g' "$page" | sed -n 's/^\.BR* "*perfpipe \([a-z-]*\).*/\1/p' | sort -u); do
		case $command in -*) continue ;; esac
		echo "$commands" | grep -qx -e "$command" || { echo "$page mentions perfpipe $command, which does not exist"; bad=1; }
	done
done
for command in $("$PERFPIPE" list-profiles --json | sed -n '/"commands"/,/]/s/^ *"\([a-z-]*\)",*$/\1/p' | sort -u); do
	echo "$commands" | grep -qx -e "$command" || { echo "list-profiles mentions $command, which does not exist"; bad=1; }
done

for section in NAME SYNOPSIS EXAMPLES 'EXIT STATUS' 'SEE ALSO'; do
	grep -L "^\.SH \"*$section" "$man"/*.1 | sed "s/.*/& lacks $section/" | grep . && bad=1
done
exit $bad
