# The static program works in an empty root directory, as in an empty container.
static=$SOURCE/build/static/perfpipe
"$SOURCE/tools/build" static || exit 1
! readelf -d "$static" | grep NEEDED || exit 1

if [ "$(id -u)" -eq 0 ]; then
	enter=chroot
elif unshare -r true 2> /dev/null; then
	enter='unshare -r chroot'
else
	echo "skipped: only root may change the root folder"
	exit 77
fi

mkdir empty
cp "$static" "$SOURCE"/tests/data/orders.nettrace.gz "$SOURCE"/tests/data/orders.nettrace.zst \
	"$SOURCE"/tests/data/orders.zip empty || exit 1
for file in orders.nettrace.gz orders.nettrace.zst orders.zip; do
	$enter empty /perfpipe info --json /$file > inside || exit 1
	"$PERFPIPE" info --json "$SOURCE/tests/data/$file" | sed '/^  "file"/d' > outside
	sed '/^  "file"/d' inside | diff -u outside - || exit 1
done
strip -o stripped "$static" || exit 1
echo "works in an empty folder; $(stat -c %s stripped) bytes"
