# `collect --format` writes the same as `convert`, including tasks, which only some formats show.
. "$SOURCE/tests/interop/readers"
need protoc protobuf-compiler
. "$SOURCE/tests/interop/collect_lib"
start 600

# both FORMAT EXTENSION - by collect and by convert
both()
{
	expect "$1" 0 "$PERFPIPE" collect -p $pid --duration 1s -o "$1.nettrace" --format "$1" \
		--profile dotnet-sampled-thread-time --providers System.Threading.Tasks.TplEventSource:0x1C3:5
	"$PERFPIPE" convert "$1.nettrace" -f "$1" -o "again.$2" 2> "$1.log" || { fail "convert -f $1:"; cat "$1.log"; }
	cmp "$1.$2" "again.$2" || fail "collect and convert write different $1 files"
}

later both perfetto perfetto-trace
later both chromium chromium.json
later both firefox firefox.json
later both otlp otlp
later both html html
await
for file in perfetto.perfetto-trace again.perfetto-trace; do
	protoc -I "$SOURCE/tests/interop/proto" --decode Trace perfetto.proto < "$file" > text || fail "protoc does not read $file"
	tasks=$(grep -cxE ' *categories: "task"' text)
	[ "$tasks" -gt 10 ] && echo "$file: $tasks tasks" || fail "$file has $tasks tasks"
done
finish
