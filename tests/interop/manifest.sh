# --manifest: the facts next to a recording are true, and a changed recording is noticed.
. "$SOURCE/tests/interop/targets"
. "$SOURCE/tests/interop/recordings"

before=$(date -u +%Y-%m-%dT%H:%M:%S)
collect launched --manifest --json -o "with a blank.nettrace" -- "$work" exit 0
after=$(date -u +%Y-%m-%dT%H:%M:%S.999)
gave launched 0
trace="with a blank.nettrace"
manifest="$trace.manifest.json"
[ -f "$manifest" ] || { echo "there is no manifest"; exit 1; }

# fact KEY - of the manifest, as text
fact()
{
	sed -n -e 's/,$//' -e "s/^  \"$1\": \"\{0,1\}\([^\"]*\)\"\{0,1\}\$/\1/p" "$manifest"
}

# reported KEY - as reported by collect itself
reported()
{
	sed -n "s/^      \"$1\": \"\{0,1\}\([^\",]*\).*/\1/p" launched.out
}

# is KEY VALUE
is()
{
	[ "$(fact "$1")" = "$2" ] || fail "$1 is '$(fact "$1")', not '$2'"
}

is file "$trace"
is size_bytes "$(stat -c %s "$trace")"
is sha256 "$(sha256sum < "$trace" | cut -d ' ' -f 1)"
is process_name LaunchTarget
is kernel "$(uname -r)"
is distribution "$(. /etc/os-release && echo "$PRETTY_NAME")"
is command "$PERFPIPE collect --manifest --json -o 'with a blank.nettrace' -- $work exit 0"
is stopped_by "child exit"
for key in process_id events events_lost; do
	is $key "$(reported $key)"
done
dotnet --list-runtimes | grep -q "Microsoft.NETCore.App $(fact runtime | cut -d + -f 1) " ||
	fail "there is no runtime '$(fact runtime)'"
printf '%s\n' "$before" "$(fact start_time)" "$(fact end_time)" "$after" | sort -c ||
	fail "the times $(fact start_time) and $(fact end_time) are not between $before and $after"

"$PERFPIPE" info --json "$trace" > info || fail "info gave $?"
grep -q '"matches": true' info || fail "info does not say that the trace is the same"
printf X | dd of="$trace" bs=1 seek=$(($(stat -c %s "$trace") / 2)) conv=notrunc 2> /dev/null
"$PERFPIPE" info --json "$trace" > info 2> /dev/null
grep -q '"matches": false' info || fail "info does not see the byte that was changed"

# several at once: one next to each
begin both --manifest --follow-children -o 'both_{pid}.nettrace' -- "$work" children 1
finish
gave both 0
for trace in both_*.nettrace; do
	manifest=$trace.manifest.json
	is sha256 "$(sha256sum < "$trace" | cut -d ' ' -f 1)"
	is process_id "$(echo "$trace" | tr -dc 0-9)"
done
[ "$(ls both_*.manifest.json | wc -l)" = 2 ] || fail "two recordings have $(ls both_*.json)"
nothing_left
exit $bad
