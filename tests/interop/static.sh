# The static program works in an empty root directory, as in an empty container. It is built in a folder of this
# test's own, without link-time optimisation, which would double the time and is tested with the other program.
# Where its objects are compiled by the same commands as those of the build under test, it is linked from those.
build=$(dirname "$PERFPIPE")
static=$build/static/perfpipe

# commands DIRECTORY - that compile the program there, without those options that are only for optimising at the link
commands()
{
	sed -n 's/^ *"command": "//p' "$1/compile_commands.json" | grep -E ' -o src/CMakeFiles/[a-z]+\.dir/' |
		sed -E "s,$1/,,g; s/ -flto=auto -ffat-lto-objects / /" | sort
}

# of objects with both forms it has to take the code
configure()
{
	cmake --preset static -S "$SOURCE" -B "$build/static" -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=OFF \
		-DCMAKE_EXE_LINKER_FLAGS=-fno-lto
}

link_again()
{
	mkdir -p "$build/static/src/CMakeFiles/perfpipe.dir/cli" && cp "$build"/src/*.a "$build/static/src" &&
		cp "$build"/src/CMakeFiles/perfpipe.dir/cli/*.o "$build/static/src/CMakeFiles/perfpipe.dir/cli" &&
		ninja -C "$build/static" -t commands perfpipe | tail -n 1 > link && (cd "$build/static" && sh -e "$OLDPWD/link")
}

build()
{
	configure || return 1
	commands "$build" > ours
	commands "$build/static" > needed
	if [ -s needed ] && [ -z "$(comm -13 ours needed)" ]; then
		link_again
	else
		cmake --build "$build/static" --target perfpipe
	fi
}
build > build.log 2>&1 || { cat build.log; exit 1; }
! readelf -d "$static" | grep NEEDED || exit 1
"$SOURCE/tools/check_hardening" "$static" "$build"/static/src/*.a || exit 1

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
