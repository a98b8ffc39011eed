# Processes that the SDK starts on the way are resumed, and the program itself is recorded.
. "$SOURCE/tests/interop/targets"
. "$SOURCE/tests/interop/recordings"
# what the SDK starts ends with it, and its temporary files go with this folder
mkdir tmp
export TMPDIR="$PWD/tmp" MSBUILDDISABLENODEREUSE=1 DOTNET_CLI_USE_MSBUILD_SERVER=0 UseSharedCompilation=false

cp -R "$SOURCE/samples/dotnet-service" sample && rm sample/Directory.Build.props || exit 1
begin run -o '{name}.nettrace' -- dotnet run -c Release --project sample -- --seconds 1
if tests=$("$SOURCE/tests/interop/dotnet_built" tests/interop/SumTests 2> log); then
	begin test -o '{name}.nettrace' -- dotnet test "$tests/SumTests.dll"
elif grep -q 'NU1301\|NU1101' log; then
	echo "without dotnet test: its packages cannot be had"
else
	cat log
	bad=1
fi
finish

gave run 0
grep -q 'orders served' run.out || fail "dotnet run did not run the program"
is_whole orders.nettrace
if [ -e test.code ]; then
	gave test 0
	is_whole testhost.nettrace
fi
[ "$(ls *.nettrace | wc -l)" -le 2 ] || fail "others were recorded too: $(ls *.nettrace)"
nothing_left
exit $bad
