# What others do to a file while it is being written: what is said of it is true, and theirs stays.
gzip -dc "$SOURCE/tests/data/orders.nettrace.gz" > plain.nettrace
"$PERFPIPE" events plain.nettrace --json > whole
mkfifo slow

# wait_for COMMAND...: until it holds
wait_for()
{
	tries=0
	until "$@" 2> /dev/null || [ $tries -gt 3000 ]; do
		sleep 0.02
		tries=$((tries + 1))
	done
}

# the second half of the trace comes once the change is made
feed()
{
	head -c 400000 plain.nettrace
	wait_for test -e done
	tail -c +400001 plain.nettrace
}

# meanwhile WHAT COMMAND ARGUMENTS...: which writes into folder/file
meanwhile()
{
	change=$1
	shift
	rm -rf folder other done
	mkdir folder
	feed > slow &
	echo "\$ perfpipe $*"
	"$PERFPIPE" "$@" -o folder/file < slow 2> said &
	writer=$!
	wait_for test -s folder/file.partial
	eval "$change"
	touch done
	wait $writer
	code=$?
	sed "s,$PWD,HERE," said
	echo "exit code $code, meanwhile: $change"
	for each in $(find folder other -type f 2> /dev/null | sort); do
		cmp -s "$each" whole && echo "$each: all of it" || echo "$each: $(head -c 100 "$each")"
	done
	wait
	echo
}

for command in 'convert - -f jsonl' 'events - --json'; do
	meanwhile 'echo theirs > folder/file' $command
	meanwhile 'echo theirs > folder/file' $command --force
	meanwhile 'ln -s nowhere folder/file' $command
	meanwhile 'mkdir folder/file' $command --force
	meanwhile 'rm folder/file.partial' $command
	meanwhile 'mv folder/file.partial folder/saved; echo theirs > folder/file.partial' $command
	meanwhile 'rm -r folder' $command
	meanwhile 'mv folder other; mkdir folder' $command
	meanwhile 'mv folder other; ln -s other folder' $command
	meanwhile '"$PERFPIPE" events plain.nettrace -o folder/file --force > second 2>&1; cat second' $command
done
