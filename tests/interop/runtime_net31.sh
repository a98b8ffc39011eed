# .NET Core 3.1: its runtime cannot describe itself, knows two commands and no port to wait at.
runtime=net31 version=3.1. aot=false
. "$SOURCE/tests/interop/runtime_lib"
run
listed
records
has_common
has_methods
has cpu '"name": "Rounds\.Burn'
has summary '"version": "3\.'

# options that it does not know are said, and are not fatal
collect options 0 --duration 200ms --no-stacks --buffering-mode Block
says options 'too old to leave out stacks'
says options 'too old to block'
whole options.nettrace
end

# launched, it is found once it runs
expect launched 0 timeout 60 "$PERFPIPE" collect --duration 500ms -o launched.nettrace -- "$rounds"
says launched 'older than .NET 5 and does not wait at its start'
whole launched.nettrace
"$PERFPIPE" report launched.nettrace topN | grep -q 'Rounds\.Burn' || fail "a launched program has no samples of Rounds.Burn"
starves
lists_all=true # the threads, in its sequence points
floods
finish
