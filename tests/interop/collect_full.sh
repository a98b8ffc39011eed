# Recordings on a full disk: each leaves a readable file or none, and what is reported is what is there.
[ "$(id -u)" -eq 0 ] || { echo "skipped: needs root"; exit 77; }
[ -n "${INSIDE:-}" ] || {
	unshare -m true 2> /dev/null || { echo "skipped: needs mount namespaces"; exit 77; }
	INSIDE=1 exec unshare -m sh -u "$SOURCE/tests/interop/collect_full.sh"
}
. "$SOURCE/tests/interop/collect_lib"
start 280
mkdir small
mount -t tmpfs -o size=64k none small || exit 1

# full NAME FILE ARGUMENTS...: the recording ends when the disk is full
full()
{
	name=$1 file=$2
	shift 2
	expect $name 2 "$PERFPIPE" collect -p $pid -o small/$name.nettrace --json "$@"
	says $name "cannot write small/.*: No space left on device"
	stops $name failure
	is "$name: file" "$(value $name.out file)" "$file"
	is "$name: complete" "$(value $name.out complete)" false
	size=0 events=0
	for each in $(sed -n 's/^ *"\(small[^"]*\)",*$/\1/p' $name.out); do
		size=$((size + $(stat -c %s "$each")))
		events=$((events + $(info "$each" events)))
	done
	is "$name: size" "$(value $name.out size_bytes)" $size
	is "$name: events" "$(value $name.out events)" $events
	[ "$file" = null ] || [ $events -gt 0 ] || fail "$name has no events"
	is "$name: files" "$(ls small | wc -l)" "$(grep -c '^ *"small[^"]*",*$' $name.out)"
	[ -z "$(find small -empty -type f)" ] || fail "$name left an empty file"
	# what is there is read without complaints but that of its end
	for each in $(ls small); do
		"$PERFPIPE" events small/$each > /dev/null 2> read.err || { fail "events $each"; cat read.err; }
	done
	rm -f small/*
}

full plain small/plain.nettrace
full zstd small/zstd.nettrace.zst --compress zstd
full gzip small/gzip.nettrace.gz --compress gzip
full names small/names.nettrace --early-rundown true

# a series, whose first files are whole
expect series 2 "$PERFPIPE" collect -p $pid -o small/series.nettrace --json --roll 200ms --rundown false
is "series: size" "$(value series.out size_bytes)" "$(cat small/* | wc -c)"
events=0
for each in small/*; do
	events=$((events + $(info $each events)))
done
is "series: events" "$(value series.out events)" $events
is "series: files" "$(ls small | wc -l)" "$(grep -c '^ *"small[^"]*",*$' series.out)"
rm small/*

# not a byte is left: no file, and no empty one
dd if=/dev/zero of=fill bs=4k count=16 2> /dev/null
for format in none zstd gzip; do
	cp fill small/ 2> /dev/null
	case $format in
	none) expect empty 2 "$PERFPIPE" collect -p $pid -o small/empty.nettrace --json ;;
	*) expect empty 2 "$PERFPIPE" collect -p $pid -o small/empty.nettrace --json --compress $format ;;
	esac
	is "$format: file" "$(value empty.out file)" null
	is "$format: events" "$(value empty.out events)" 0
	is "$format: size" "$(value empty.out size_bytes)" 0
	is "$format: complete" "$(value empty.out complete)" false
	is "$format: left" "$(ls small)" fill
	expect silent 2 "$PERFPIPE" collect -p $pid -o small/empty.nettrace
	says silent 'perfpipe: no file is left: 0 events'
	rm small/*
done

# there is room for the recording, but not for its conversion
mount -o remount,size=160k small
head -c 100000 /dev/zero > small/fill
expect converted 5 "$PERFPIPE" collect -p $pid -o small/converted.nettrace --max-size 20kB --format jsonl --no-thread-times \
	--providers Microsoft-DotNETCore-SampleProfiler --rundown false
says converted 'cannot write small/converted.jsonl: No space left on device'
is "left by a conversion" "$(ls small | tr '\n' ' ')" "converted.nettrace fill "
whole small/converted.nettrace
rm small/*

# live events
expect live 5 "$PERFPIPE" events -p $pid --format json --profile dotnet-sampled-thread-time -o small/live.json
says live 'cannot write small/live.json: No space left on device'
[ -s small/live.json ] || fail "what was seen is gone"
umount small
finish
