# NativeAOT of .NET 9: no sampler, no JIT and no names of methods, and it says so.
runtime=aot9 version=9. aot=true
. "$SOURCE/tests/interop/runtime_lib"
run
listed
records
says all 'compiled with NativeAOT, whose runtime has no CPU sampler'
has_common
many alloc count 1
many contention count 1

# what it does not have is not advised
for name in topN jit loader modules; do
	has $name '"available": false'
	has $name '"missing": ".*NativeAOT'
	has $name '"remedy": null'
done
# but how much CPU time each thread used is known
has cpu '^  "cpu_ns": [1-9]'
has cpu '"name": "\[thread'
has threadtime '^  "cpu_ns": [1-9]'
is "processors" "$(info all.nettrace processors)" null

# launched, it waits at its start like any other
expect launched 0 timeout 60 "$PERFPIPE" collect --profile gc-verbose --duration 500ms -o launched.nettrace -- "$rounds"
whole launched.nettrace
grep -q NativeAOT launched.err && fail "no sampler was asked for, and it is missed"
end
finish
