# .NET's own reader is the referee: TraceEvent reads our traces as we do, to the last field.
project=$SOURCE/tests/interop/WriterCheck
program=$("$SOURCE/tests/interop/dotnet_built" tests/interop/WriterCheck) || exit $?
tests=$(dirname "$PERFPIPE")/tests

bad=0
# same NAME FILE FILE - the two must be equal
same()
{
	diff -u "$2" "$3" > difference || { echo "$1 differs:"; cat difference; bad=1; }
	[ -s "$2" ] || { echo "$1 is empty"; bad=1; }
}

check()
{
	dotnet "$program/WriterCheck.dll" "$@"
}

# Everything that a trace can contain, as our reader sees it and as expected.
"$tests/test_nettrace_writer_types" all.nettrace > ours || exit 1
check common all.nettrace > theirs || exit 1
same "what events have in common" ours theirs
check fields all.nettrace > fields || exit 1
same "fields and labels" "$project/fields.expected" fields
check names all.nettrace > names || exit 1
same "names of frames" "$project/names.expected" names
echo "version 6: $(wc -l < fields) events"

# The example, as a separate program.
"$(dirname "$PERFPIPE")/examples/write_trace" loop.nettrace || exit 1
echo '1000 lost 0 Example-Loop/Round number=999 text="odd"' > ours
check tail loop.nettrace > theirs || exit 1
same "the example" ours theirs

# A truncated recording, with an event appended.
events=$("$tests/test_nettrace_writer_append" repaired.nettrace) || exit 1
echo "$events lost 0 Perfpipe/RecordingEnd stopped_by=\"killed\"" > ours
check tail repaired.nettrace > theirs || exit 1
same "the repaired recording" ours theirs
echo "version 4: $events events"
exit $bad
