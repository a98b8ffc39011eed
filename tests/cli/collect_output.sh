# An output that cannot be written is refused before a program is launched, a port opened or a process looked for.
. "$SOURCE/tests/cli/show"

# refused ARGUMENTS... - with a program that would leave a file, with a port, and with a process
refused()
{
	show collect "$@" -- sh -c 'echo > launched'
	[ ! -e launched ] || { echo "the program was launched"; rm launched; }
	for target in '--diagnostic-port ./port' '-p 1'; do
		timeout 20 "$PERFPIPE" collect "$@" $target 2>&1
		echo "exit code $? with $target"
	done
	echo
}

echo mine > old.nettrace
refused -o old.nettrace
refused -o missing/new.nettrace
refused -o missing/
refused -o 'missing/{name}_{pid}.nettrace'
refused -o old.nettrace/new.nettrace

# what is made of it
echo mine > new.nettrace.manifest.json
echo mine > new.folded
refused -o new.nettrace --manifest
refused -o new.nettrace --format folded

# a series would end at a file of an earlier one
echo mine > series_0003.nettrace
refused -o series.nettrace --roll 10m
echo mine > s-0001-12000.nettrace
refused -o 's-0001-{n}.nettrace' --roll 10m
echo mine > packed_0002.nettrace.gz
refused -o packed.nettrace --roll 10m --compress gzip
cat old.nettrace new.folded series_0003.nettrace

# with {name} in it, it is known only once the program runs
show collect -o '{name}.nettrace' -- sh -c 'echo runs'
