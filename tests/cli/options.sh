# All ways to write an option reach the command. A missing file distinguishes them from usage
# errors, which exit with 3.
for line in 'info --json none' 'info none --json' 'info --json=true none' 'info --json:false none' \
	'info -v none' 'info -v=true none' 'info --verbose:TRUE none' 'info -v -v none' \
	'info --json -v -- none' 'info -- --json'; do
	"$PERFPIPE" $line > /dev/null 2>&1
	[ $? -ne 3 ] && echo "fine: $line"
done
exit 0
