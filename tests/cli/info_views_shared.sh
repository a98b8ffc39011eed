# Every view that info lists has an answer in report, for all recordings there are. Needs ../shared.
traces=${SHARED:-$SOURCE/../shared}/traces
[ -d "$traces" ] || { echo "skipped: needs ../shared"; exit 77; }
seen=0
views=0

for file in $(find "$traces" -type f \( -name '*.nettrace*' -o -name '*.netperf*' \) ! -name '*.txt' | sort); do
	"$PERFPIPE" info "$file" --json > info 2> /dev/null || continue # not a trace
	seen=$((seen + 1))
	for view in $(sed -n '/^  "views": \[/,/^  \]/s/^    "\(.*\)".*/\1/p' info); do
		views=$((views + 1))
		"$PERFPIPE" report "$file" "$view" --json -n 1 > report 2> message ||
			{ echo "${file##*/} $view fails:"; cat message; }
		grep -q '^  "available": true' report || echo "${file##*/}: info lists $view, report has nothing"
	done
done
[ $seen -gt 30 ] && [ $views -gt 100 ] || echo "only $views views of $seen recordings were looked at"
