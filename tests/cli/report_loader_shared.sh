# Assembly loads with the steps of the binder: at two widths, as data, filtered, without rundown, with lost
# events. Needs ../shared.
. "$SOURCE/tests/cli/show"
traces=${SHARED:-$SOURCE/../shared}/traces/dotnet10
[ -d "$traces" ] || { echo "skipped: needs ../shared"; exit 77; }

for name in web-everything no-rundown dropped; do
	cp "$traces/$name.nettrace.gz" "$name.nettrace"
done
for COLUMNS in 80 200; do
	export COLUMNS
	echo "--- $COLUMNS columns"
	show report web-everything.nettrace loader -n 8
done
export COLUMNS=80
show report web-everything.nettrace loader --json -n 1
show report web-everything.nettrace loader --csv -n 3
show report web-everything.nettrace loader --from 0.4 --to 1
show report no-rundown.nettrace loader
show report dropped.nettrace loader
