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
is_native
end
floods
finish
