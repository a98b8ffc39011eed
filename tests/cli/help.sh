# All the ways to ask for help; each goes to stdout, for a pager.
. "$SOURCE/tests/cli/show"

"$PERFPIPE" --help > long
"$PERFPIPE" -h > short
"$PERFPIPE" '-?' > mark
"$PERFPIPE" help > command
cmp long short && cmp long mark && cmp long command && echo "the overview is the same in all ways"

"$PERFPIPE" help completion > help
"$PERFPIPE" completion --help > long
"$PERFPIPE" completion '-?' --nonsense > mark
cmp help long && cmp help mark && echo "a command's help is the same in all ways"
echo

show help completion
show help help
show help inof
show help info completion
