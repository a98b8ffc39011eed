# An output in a directory that this user may not write to is refused before a program is launched.
[ "$(id -u)" -eq 0 ] || { echo "skipped: needs root"; exit 77; }
command -v setpriv > /dev/null || { echo "skipped: needs setpriv"; exit 77; }
chmod 755 .
mkdir -m 755 ours
mkdir -m 1777 shared
cp "$PERFPIPE" perfpipe

for output in ours/new.nettrace ours 'ours/{name}.nettrace' shared/new.nettrace; do
	echo "$ perfpipe collect -o $output -- touch shared/launched"
	setpriv --reuid 65534 --regid 65534 --clear-groups -- \
		./perfpipe collect -o "$output" -- touch shared/launched 2>&1
	echo "exit code $?"
	[ ! -e shared/launched ] || echo "it was launched"
	rm -f shared/launched
done
