# topN --wall has the rows of dotnet-trace, which interop/topn_peer compares: with tasks, activities and events, and a
# module in two spellings. Needs ../shared.
. "$SOURCE/tests/cli/show"
traces=${SHARED:-$SOURCE/../shared}/traces/dotnet10
[ -d "$traces" ] || { echo "skipped: needs ../shared"; exit 77; }

COLUMNS=120
export COLUMNS
for name in web-everything web alloc-gc-verbose; do
	cp "$traces/$name.nettrace.gz" "$name.nettrace"
	show report "$name.nettrace" topN --wall --raw-names -n 12
	show report "$name.nettrace" topN --wall --raw-names -n 12 --inclusive
done
