# Programs launched by collect: directly, through wrappers, failing ones, and how they end.
. "$SOURCE/tests/interop/targets"
. "$SOURCE/tests/interop/recordings"

cat > wrapper << 'END'
#!/bin/sh
"$@"
END
chmod +x wrapper

begin apphost -o '{name}.nettrace' -- "$work" exit 7
begin dotnet -o dotnet.nettrace -- dotnet "$work.dll" exit 0
begin script -o script.nettrace -- ./wrapper "$work" exit 5
begin env -o env.nettrace -- env ANY=thing "$work" exit 5
begin nice -o nice.nettrace -- nice -n 1 "$work" exit 5
begin killed -o 'killed_{pid}.nettrace' -- "$work" signal 9
begin missing -o missing.nettrace -- ./no-such-program
begin library -o library.nettrace -- "$work.dll"
begin native -o native.nettrace -- sleep 4
begin brief -o brief.nettrace -- true
begin nativekilled -o nativekilled.nettrace -- sh -c 'kill -KILL $$'
finish

gave apphost 7
is_whole LaunchTarget.nettrace
gave dotnet 0
is_whole dotnet.nettrace
for wrapper in script env nice; do
	gave $wrapper 5
	is_whole $wrapper.nettrace
done
# from the first instruction: the start of the runtime is recorded
"$PERFPIPE" info --json LaunchTarget.nettrace | grep -q '"Loader/AssemblyLoad"\|"Runtime/Start"\|"Method/' ||
	fail "the start of a launched program was missed"
gave killed 137
said killed 'was killed or crashed'
gave missing 3
said missing "program './no-such-program' not found"
gave library 3
said library 'or run a .dll with'
gave native 1
said native 'sleep has not started a .NET runtime yet'
said native 'nothing was recorded: no .NET runtime connected'
gave brief 1
said brief 'true exited with code 0 and nothing was recorded'
gave nativekilled 137
for none in missing library native brief nativekilled; do
	[ ! -e $none.nettrace ] || fail "$none made a file"
done

begin taken -o '{name}.nettrace' -- "$work" exit 0
begin hidden --hide-child-io -o hidden.nettrace -- "$work" work 1
begin shown --show-child-io -o shown.nettrace -- "$work" work 1
begin all --follow-children -o 'all_{pid}.nettrace' -- "$work" children 2
begin first -o 'first-{name}.nettrace' -- sh -c '"$0" exit 0; "$1" --seconds 1' "$work" "$orders/orders"
begin named -n orders -o 'named-{name}.nettrace' -- sh -c '"$0" exit 0; "$1" --seconds 1' "$work" "$orders/orders"
begin nobody -n nobody -o nobody.nettrace -- "$work" exit 0
begin limit --duration 1s -o 'limit_{pid}.nettrace' -- "$work" work 30
begin behind --duration 1s -o 'behind_{pid}.nettrace' -- sh -c '"$0" work 30; true' "$work"
begin interrupted -o 'interrupted_{pid}.nettrace' -- "$orders/orders" --seconds 30
begin terminated -o 'terminated_{pid}.nettrace' -- sh -c '"$0" --seconds 30; exit 9' "$orders/orders"
# without a terminal, a signal ends first the recording and then the program
for signal in interrupted:INT terminated:TERM; do
	is_recorded() { [ -s ${signal%:*}_*.nettrace.partial ]; }
	await "what is ${signal%:*}" is_recorded
	recorded=$(echo ${signal%:*}_*.nettrace.partial)
	recorded=${recorded#*_}
	await "its program" runs_managed "${recorded%%.*}"
	sleep 0.5 # for methods to have names
	kill -${signal#*:} "$(cat ${signal%:*}.pid)"
done
finish


gave taken 3
said taken 'process .* (LaunchTarget) is not recorded: LaunchTarget.nettrace already exists'
said taken 'LaunchTarget exited with code 0 and nothing was recorded$'
[ "$(grep -c 'already exists' taken.err)" = 1 ] || fail "what went wrong is reported twice"
gave hidden 0
[ ! -s hidden.out ] || fail "--hide-child-io shows what the program says"
gave shown 0
grep -q '^works' shown.out || fail "what the program says is not shown"
gave all 0
[ "$(ls all_*.nettrace | wc -l)" = 3 ] || fail "--follow-children recorded $(ls all_*.nettrace)"
for file in all_*.nettrace; do
	is_whole "$file"
done
gave first 0
is_whole first-LaunchTarget.nettrace
[ ! -e first-orders.nettrace ] || fail "the second program was recorded too"
gave named 0
is_whole named-orders.nettrace
[ ! -e named-LaunchTarget.nettrace ] || fail "-n recorded another"
gave nobody 1
said nobody 'nothing that the name matches'
for ended in limit behind; do
	gave $ended 0
	said $ended 'stopped by duration'
	is_whole "$(ls ${ended}_*.nettrace)"
done
gave interrupted 130
gave terminated 143
for ended in interrupted terminated; do
	said $ended 'stopped by signal'
	is_whole "$(ls ${ended}_*.nettrace)"
done
nothing_left
forget_killed killed_*.nettrace limit_*.nettrace behind_*.nettrace interrupted_*.nettrace terminated_*.nettrace

exit $bad
