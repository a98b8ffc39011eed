# Requests of a web server and its clients: at two widths, as data, filtered, and truncated. Needs ../shared.
. "$SOURCE/tests/cli/show"
traces=${SHARED:-$SOURCE/../shared}/traces/dotnet10
[ -d "$traces" ] || { echo "skipped: needs ../shared"; exit 77; }

for name in web web-everything truncated-midblock; do
	cp "$traces/$name.nettrace.gz" "$name.nettrace"
done
for COLUMNS in 80 200; do
	export COLUMNS
	echo "--- $COLUMNS columns"
	show report web.nettrace requests -n 4
done
export COLUMNS=80
show report web-everything.nettrace requests
show report web.nettrace requests --json -n 1
show report web.nettrace requests --csv
show report web.nettrace requests --from 1 --to 1.1 --csv
show report web.nettrace requests --thread 14805 -n 2
show report web.nettrace requests --from 100000 -n 2
show report web.nettrace requests --from 100000 --json
show report web.nettrace requests --from 100000 --csv
show report truncated-midblock.nettrace requests -n 2
