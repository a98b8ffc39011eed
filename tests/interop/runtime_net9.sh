# .NET 9 with ASP.NET Core; its sampler calls every sample external.
runtime=net9 version=9. aot=false
. "$SOURCE/tests/interop/runtime_lib"
run
listed
records
has_common
has_methods
has_requests
end
starves
floods
finish
