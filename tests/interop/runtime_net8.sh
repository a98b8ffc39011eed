# .NET 8 with ASP.NET Core.
runtime=net8 version=8. aot=false
. "$SOURCE/tests/interop/runtime_lib"
run
listed
records
has_common
has_methods
has cpu '"name": "Rounds\.Burn'
has_requests
end
starves
floods
finish
