# NativeAOT of .NET 8: no sampler, no JIT and no names of methods, and it says so.
runtime=aot8 version=8. aot=true
. "$SOURCE/tests/interop/runtime_lib"
run
listed
records
says all 'compiled with NativeAOT, whose runtime has no CPU sampler'
has_common
has alloc '"missing": ".*from \.NET 9 on"'
has contention '"missing": ".*from \.NET 9 on"'
is_native
end
floods
finish
