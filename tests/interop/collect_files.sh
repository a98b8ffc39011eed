# Files of recordings: nothing of others is overwritten or followed, nobody else can read them, and what is
# reported is what is on disk, also if somebody else has been at them meanwhile.
. "$SOURCE/tests/interop/collect_lib"
umask 0
start 280

# mode FILE...: only we can read it
mode()
{
	for file in "$@"; do
		is "mode of $file" "$(stat -c %a "$file")" 600
	done
}

# on_disk NAME FILE: figures of --json are those of the file
on_disk()
{
	is "$1: file" "$(value "$1.out" file)" "$2"
	is "$1: files" "$(sed -n '/"files": \[/,/\]/p' "$1.out" | grep -c "\"$2\"")" 1
	is "$1: size" "$(value "$1.out" size_bytes)" "$(stat -c %s "$2")"
	is "$1: events" "$(value "$1.out" events)" "$(info "$2" events)"
	is "$1: events_lost" "$(value "$1.out" events_lost)" "$(info "$2" events_lost)"
	is "$1: complete" "$(value "$1.out" complete)" "$(info "$2" complete)"
}

# nothing NAME: no file is left, and nothing else is said
nothing()
{
	for pair in file=null size_bytes=0 events=0 complete=false stopped_by=failure; do
		is "$1: ${pair%=*}" "$(value "$1.out" ${pair%=*})" "${pair#*=}"
	done
	is "$1: files" "$(grep -c '"files": \[\]' "$1.out")" 1
	[ -z "$(ls $1.nettrace* $1/*.nettrace* 2> /dev/null)" ] || fail "$1 left $(ls $1*)"
}

# begin NAME FILE ARGUMENTS...: records until `end NAME CODE`
begin()
{
	begun=$1 into=$2
	shift 2
	"$PERFPIPE" collect -p $pid -o "$into" --json "$@" > $begun.out 2> $begun.err &
	collector=$!
	wait_for 20 test -s "$into.partial" || { fail "$begun does not begin"; cat $begun.err; }
}

end()
{
	kill -INT $collector
	wait $collector
	is "$1: exit code" $? $2
}

# who can read them
begin plain plain.nettrace --manifest
mode plain.nettrace.partial
end plain 0
begin packed packed.nettrace.gz --compress gzip
mode packed.nettrace.gz.partial
end packed 0
collect series 0 --roll 300ms --duration 1s --format folded
mode plain.nettrace plain.nettrace.manifest.json packed.nettrace.gz series_*.nettrace series_*.folded
on_disk plain plain.nettrace
expect listing 0 "$PERFPIPE" events -p $pid --limit 3 --duration 20s -o live.txt
mode live.txt

# existing files
expect again 3 "$PERFPIPE" collect -p $pid -o plain.nettrace
says again 'plain.nettrace already exists; choose another name or replace it with --force'
rm plain.nettrace
echo '{}' > plain.nettrace.manifest.json
expect described 3 "$PERFPIPE" collect -p $pid -o plain.nettrace --manifest
says described 'plain.nettrace.manifest.json already exists'
[ ! -e plain.nettrace ] || fail "it was recorded nevertheless"
collect plain 0 --manifest --force --duration 500ms --json
on_disk plain plain.nettrace
[ -s plain.nettrace.manifest.json ] || fail "no manifest"
echo mine > viewed.folded
collect viewed 3 --format folded --duration 500ms
says viewed 'viewed.folded already exists'
[ ! -e viewed.nettrace ] || fail "it was recorded nevertheless"
collect viewed 0 --format folded --duration 500ms --force
[ "$(cat viewed.folded)" != mine ] || fail "it was not converted"
echo listed > live.txt
expect relisted 3 "$PERFPIPE" events -p $pid --limit 3 -o live.txt
says relisted 'live.txt already exists'
is "what was listed" "$(cat live.txt)" listed
echo "by one that was killed" > left.nettrace.partial
collect left 3 --duration 500ms
says left 'left.nettrace.partial already exists'
collect left 0 --duration 500ms --force --json
on_disk left left.nettrace

# what cannot be read again
mkfifo pipe
expect piped 3 "$PERFPIPE" collect -p $pid -o pipe --manifest
expect piped 3 "$PERFPIPE" collect -p $pid -o - --manifest
expect piped 3 "$PERFPIPE" collect -p $pid -o /dev/null --format speedscope
says piped 'need a file that can be read again'

# links
echo secret > secret
ln -s secret planted.nettrace.partial
ln -s secret linked.nettrace
ln -s secret described.nettrace.manifest.json
collect planted 3 --force --duration 500ms
says planted 'planted.nettrace.partial is a symbolic link'
collect linked 3 --duration 500ms
says linked 'linked.nettrace already exists'
collect described 3 --manifest --duration 500ms
says described 'described.nettrace.manifest.json already exists'
collect linked 0 --force --duration 500ms --json
on_disk linked linked.nettrace
collect described 0 --force --manifest --duration 500ms
mode linked.nettrace described.nettrace.manifest.json
is "behind the links" "$(cat secret)" secret
rm planted.nettrace.partial

# of another user, in a directory for all
if [ "$(id -u)" -eq 0 ] && command -v setpriv > /dev/null; then
	chmod 755 .
	mkdir -m 1777 shared
	them() { setpriv --reuid 65534 --regid 65534 --clear-groups -- "$@"; }
	them ln -s "$PWD/secret" shared/a.nettrace.partial
	them sh -c 'umask 0; echo theirs > shared/b.nettrace.partial; mkfifo shared/c.nettrace.partial shared/d.nettrace'
	for name in a b c d; do
		expect shared 3 "$PERFPIPE" collect -p $pid -o shared/$name.nettrace --duration 500ms --force
	done
	says shared 'shared/d.nettrace is a named pipe of another user'
	is "behind the link" "$(cat secret)" secret
	is "the file" "$(cat shared/b.nettrace.partial)" theirs
	rm -r shared
fi

# deleted meanwhile
begin deleted deleted.nettrace
rm deleted.nettrace.partial
end deleted 2
says deleted 'deleted.nettrace.partial was deleted meanwhile; the recording is lost'
nothing deleted
mkdir gone
begin gone gone/gone.nettrace
rm -r gone
end gone 2
nothing gone
begin replaced replaced.nettrace
rm replaced.nettrace.partial
echo other > replaced.nettrace.partial
end replaced 2
is "another file of that name" "$(cat replaced.nettrace.partial)" other
rm replaced.nettrace.partial
nothing replaced

# the name is taken meanwhile
begin taken taken.nettrace --manifest
echo mine > taken.nettrace
end taken 2
says taken 'taken.nettrace was created meanwhile; the recording is in taken.nettrace.partial'
is "who was faster" "$(cat taken.nettrace)" mine
on_disk taken taken.nettrace.partial
whole taken.nettrace.partial
mode taken.nettrace.partial
rm taken.nettrace.partial*

# it is moved meanwhile, or its directory is
begin saved saved.nettrace
mv saved.nettrace.partial elsewhere.nettrace
end saved 2
says saved "saved.nettrace.partial was moved meanwhile; the recording is in $PWD/elsewhere.nettrace"
on_disk saved "$PWD/elsewhere.nettrace"
mkdir here
begin moved here/moved.nettrace
mv here there
mkdir here
end moved 2
says moved "here/moved.nettrace was moved meanwhile; the recording is in $PWD/there/moved.nettrace"
on_disk moved "$PWD/there/moved.nettrace"

# a file may not grow any more
(ulimit -f 64 && exec "$PERFPIPE" collect -p $pid -o limited.nettrace --json) > limited.out 2> limited.err
is "limited: exit code" $? 2
says limited 'cannot write limited.nettrace: File too large'
on_disk limited limited.nettrace

# a series keeps its newest files, and what others have put in the place of the oldest
"$PERFPIPE" collect -p $pid -o kept.nettrace --json --roll 1s --keep 1 > kept.out 2> kept.err &
collector=$!
wait_for 20 test -e kept_0001.nettrace
mv kept_0001.nettrace saved.nettrace
echo mine > kept_0001.nettrace
wait_for 20 test -e kept_0002.nettrace
wait_for 20 test -e kept_0003.nettrace.partial
end kept 0
is "in the place of the oldest" "$(cat kept_0001.nettrace)" mine
[ ! -e kept_0002.nettrace ] || fail "kept_0002.nettrace is still there"
is "kept: size" "$(value kept.out size_bytes)" "$(stat -c %s kept_0003.nettrace)"

# a second Ctrl+C, which leaves a torn block, and the end of the process
begin hurried hurried.nettrace
kill -STOP $pid
kill -INT $collector
sleep 0.5 # two signals at once are one
kill -INT $collector
wait $collector
kill -CONT $pid
on_disk hurried hurried.nettrace
begin killed killed.nettrace --early-rundown true
sleep 0.3
kill -9 $pid
wait $collector
is "killed: exit code" $? 2
on_disk killed killed.nettrace
finish
