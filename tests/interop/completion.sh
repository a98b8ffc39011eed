# Completion of processes and recordings, which are those of the moment. A process may have a name that
# a shell would run, or hang.
. "$SOURCE/tests/interop/targets"
. "$SOURCE/tests/cli/completion_lib"

candidates() { timeout 20 "$PERFPIPE" completion candidates -- "$@"; }

# offers WHAT LINE WORDS... - the last of the words; on a busy machine an answer may come too late
offers()
{
	what=$1 line=$2
	shift 2
	for try in 1 2 3 4 5 6 7 8 9 10; do
		candidates "$@" > got
		grep -qxF "$line" got && return
		sleep 0.2
	done
	echo "$what is not offered:"
	cat got
	bad=1
}

tab=$(printf '\t')
odd='odd $(touch owned);name'
cp -R "$orders" app && mv app/orders "app/$odd" || exit 1
start "app/$odd" --seconds 300
named=$started
start dotnet app/orders.dll --seconds 300
plain=$started
start dotnet app/orders.dll --seconds 300
stopped=$started
for pid in $named $plain $stopped; do
	await "process $pid" runs_managed "$pid"
done
kill -STOP $stopped
await "the stop of $stopped" grep -q '^State:.T' "/proc/$stopped/status"
offers "a process" "$plain${tab}orders" collect -p ''
offers "another process" "$named$tab$odd" events --process-id="$plain,"
offers "a name" "orders${tab}process $plain" collect -n ''
candidates collect -p '' | grep "^$stopped$tab" && { echo "a process that hangs is offered"; bad=1; }
candidates collect -p "$plain," | grep "^$plain$tab" && { echo "a process is offered twice"; bad=1; }

start "$PERFPIPE" collect -p $plain -o "$PWD/now.nettrace"
collector=$started
await "the recording" test -s now.nettrace.partial
offers "a recording" "$plain$tab$PWD/now.nettrace" stop ''
offers "its file" "$PWD/now.nettrace${tab}a file that is being recorded" stop ''
offers "all of them" "all${tab}every recording of this user, or for root of all users" stop ''
kill -STOP $collector
candidates stop '' > got || { echo "a collector that hangs makes stop hang"; bad=1; }
kill -CONT $collector
timeout 60 "$PERFPIPE" stop --quiet $plain || { echo "the recording does not stop"; bad=1; }
[ -s now.nettrace ] || { echo "listing recordings has ended one"; bad=1; }

# The name arrives whole, and nothing of it is run.
printf 'perfpipe collect -n odd^\n' > lines_wanted
for name in bash zsh; do
	(
		mkdir $name && cd $name || exit 1
		shell $name
		sed 's/\^$//' ../lines_wanted > lines
		keystrokes '' '\t' > keys
		{
			[ $name = bash ] || echo 'autoload -Uz compinit && compinit -u -D'
			echo ". ./script.$name"
			cat << 'EOF'
perfpipe()
{
	if [[ $1 == completion ]]; then
		command perfpipe "$@"
	else
		printf '[%s]' "$@" > log
	fi
}
EOF
		} > .zshrc
		case $name in
		bash) type_in keys 'bash --noprofile --rcfile .zshrc -i' ;;
		zsh) ZDOTDIR=$PWD HOME=$PWD type_in keys 'zsh -i' ;;
		esac
		[ ! -e owned ] || { echo "$name runs the name of a process"; exit 1; }
		[ "$(cat log)" = "[collect][-n][$odd]" ] || { echo "$name completes: $(cat log)"; exit 1; }
	) > $name.said
	case $? in
	0) ;;
	77) skipped="$(cat $name.said)" ;;
	*) cat $name.said; bad=1 ;;
	esac
done
[ $bad -ne 0 ] || [ -z "${skipped:-}" ] || { echo "$skipped"; exit 77; }
exit $bad
