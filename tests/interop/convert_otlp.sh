# protoc reads our files as OpenTelemetry profiles, with the expected fields and no others.
. "$SOURCE/tests/interop/readers"
need protoc protobuf-compiler
cp "$SOURCE/tests/data/orders.nettrace.gz" .
cp orders.nettrace.gz again.nettrace.gz

# decode FILE - as text; a field that the .proto does not have would be a line with its number
decode()
{
	protoc -I "$SOURCE/tests/interop/proto" --decode ProfilesData otlp.proto < "$1" > "$1.txt" ||
		fail "protoc does not read $1"
	! grep -nE '^ *[0-9]+[:{ ]' "$1.txt" || fail "$1 has fields that it should not"
}

# count FILE WORDS NUMBER - expects this many lines
count()
{
	have=$(grep -cxE " *$2" "$1.txt")
	[ "$have" = "$3" ] && echo "$1: $3 times $2" || fail "$1: $have times $2, wanted $3"
}

"$PERFPIPE" convert orders.nettrace.gz --view cpu -o cpu.otlp || exit 1
decode cpu.otlp
count cpu.otlp 'profiles \{' 2
count cpu.otlp 'string_value: "dotnet"' 1
count cpu.otlp 'int_value: 25068' 2
count cpu.otlp 'string_value: "\.NET ThreadPool Worker"' 1

"$PERFPIPE" convert orders.nettrace.gz again.nettrace.gz --view cpu -o both.otlp || exit 1
decode both.otlp
count both.otlp 'resource_profiles \{' 2
count both.otlp 'profiles \{' 4
count both.otlp 'dictionary \{' 1
# shared strings are in the dictionary once
for table in stack_table location_table function_table mapping_table; do
	[ "$(grep -c "$table" cpu.otlp.txt)" = "$(grep -c "$table" both.otlp.txt)" ] ||
		fail "two times the same trace has another $table"
done

for view in threadtime alloc contention exceptions; do
	"$PERFPIPE" convert orders.nettrace.gz --view $view -o $view.otlp || exit 1
	decode $view.otlp
done
"$PERFPIPE" convert orders.nettrace.gz --view threadtime --as-sampled -o sampled.otlp || exit 1
decode sampled.otlp
count sampled.otlp 'string_value: "native"' 1
count exceptions.otlp 'profiles \{' 1
exit $bad
