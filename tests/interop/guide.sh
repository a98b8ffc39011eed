# doc/guide.md is true: its commands run, in their order, against programs that have the symptom, and print
# what the guide shows.
#
#	<!-- run: NAME KIND -->     before a block: the sample `trouble KIND` runs under that name
#	<!-- container: NAME KIND --> the same, in a container
#	<!-- program: NAME -->      it is a program in the current directory
#	<!-- needs: root -->        of the section
#	```sh                       commands
#	```text                     lines of what the commands before it print: digits, units and blanks may
#	                            differ, and ... stands for anything
#
# Sections, which begin with ##, run in folders of their own, a few at a time. Recordings take 2 s instead of the
# guide's 10; on a busy machine that may be too short, and then the section is run again with 10. The programs' names
# get a suffix, since other programs may be called the same.
trouble=$("$SOURCE/tests/interop/dotnet_built" samples/dotnet-trouble) || exit $?
. "$SOURCE/tests/interop/ending"
unset DOTNET_EnableDiagnostics DOTNET_DiagnosticPorts TMPDIR
top=$PWD

mkdir bin
ln -s "$PERFPIPE" bin/perfpipe
cat > bin/sudo << 'EOF'
#!/bin/sh
[ "$1" = -u ] || exec "$@"
uid=$(id -u "$2") && shift 2 && exec setpriv --reuid="$uid" --regid="$uid" --clear-groups "$@"
EOF
# a container without docker: its root is that of its first process
cat > bin/docker << 'EOF'
#!/bin/sh
inside() { echo "/proc/$(cat "container.${1%%:*}")/root${1#*:}"; }
case $1:$3 in
cp:*:*) exec cp "$2" "$(inside "$3")" ;;
cp:*) exec cp "$(inside "$2")" "$3" ;;
exec:*) pid=$(cat "container.$2"); shift 2; exec nsenter -t "$pid" -p -m "$@" ;;
esac
EOF
chmod +x bin/*
PATH=$top/bin:$PATH
chmod 755 . # another user runs it, too

awk '
	/^## / { section++; step = 0; dir = sprintf("section%02d", section); system("mkdir " dir); print substr($0, 4) > dir "/title" }
	!section { next }
	/^<!-- [a-z]+: / { print $2, $3, $4 > dir "/set_up" }
	/^```sh$/ { to = dir "/step" sprintf("%02d", ++step); next }
	/^```text$/ { to = dir "/shown" sprintf("%02d", step); next }
	/^```/ { to = ""; next }
	to { print > to }
' "$SOURCE/doc/guide.md"

# wait_for WHAT COMMAND... - for a minute
wait_for()
{
	what=$1 left=600
	shift
	until "$@" > /dev/null 2>&1; do
		left=$((left - 1))
		[ $left -gt 0 ] || { echo "$what does not come"; return 1; }
		sleep 0.1
	done
}

runs_managed() { grep -qs '^\.NET Finalizer' "/proc/$1/task"/*/comm; }
listens() { "$SOURCE/tests/interop/socket_of" "$1"; }

# copy NAME DIRECTORY - the sample under that name, which is enough for its runtime to find the rest
copy() { cp -R "$trouble/." "$2" && mv "$2/trouble" "$2/$1"; }

run_program()
{
	copy "$1$suffix" "at.$1"
	"at.$1/$1$suffix" "$2" 300 > "said.$1" 2>&1 &
	pid=$!
	echo $pid >> pids
	wait_for "the socket of $1" listens $pid && wait_for "$1" runs_managed $pid || return 1
	case $2 in slow | calls) wait_for "the service $1" grep -q ready "said.$1" ;; esac
}

run_container()
{
	copy "$1$suffix" "at.$1"
	# its directory first, since the next mount hides it
	unshare -pfm --kill-child --mount-proc sh -c 'mount --bind "$0" /mnt && mount -t tmpfs none /tmp && exec "$@"' \
		"at.$1" "/mnt/$1$suffix" "$2" 300 > "said.$1" 2>&1 &
	outer=$!
	echo $outer >> pids
	wait_for "the container $1" sh -c "ps -o pid= --ppid $outer | grep ."
	ps -o pid= --ppid $outer | tr -d ' ' | tee "container.$1" >> pids
	wait_for "$1" runs_managed "$(cat "container.$1")"
}

set_up()
{
	[ -e set_up ] || return 0
	while read -r what name kind; do
		case $what in
		run:) run_program "$name" "$kind" ;;
		container:) run_container "$name" "$kind" ;;
		program:) copy "$name" . ;;
		needs:) [ "$(id -u)" -eq 0 ] || { echo "skipped: it needs root"; exit 77; } ;;
		esac || exit 1
	done < set_up
}

# Without the suffix, figures, their units, plurals, the marks of the hot path and the width of columns.
plain()
{
	sed -E "s/$suffix\\b//g; s/0x[0-9a-f]+/#/g; s/[0-9]+([,.][0-9]+)*/#/g; s/# (h|min) # /# /g
		s/# (ns|µs|ms|s|min|h|B|kB|MB|GB)\\b/#/g; s/# ([a-z]+[a-rt-z])s\\b/# \\1/g; s/[* \t]+/ /g; s/^ //; s/ \$//"
}

# has_lines SHOWN PRINTED - each line of the first is one of the second
has_lines()
{
	plain < "$1" > shown.plain
	plain < "$2" > printed.plain
	awk '
		NR == FNR { printed[NR] = $0; next }
		function fits(line,    at, rest, i) {
			if (n == 1)
				return line == part[1]
			for (i = 1; i <= n; i++) {
				at = index(line, part[i])
				if (!at || (i == 1 && at > 1))
					return 0
				line = substr(line, at + length(part[i]))
			}
			return part[n] == "" || line == ""
		}
		{
			n = split($0, part, / ?\.\.\. ?/)
			found = /^(\.\.\.)?$/
			for (i in printed)
				if (!found)
					found = fits(printed[i])
			if (!found) {
				print "not printed: " $0
				bad = 1
			}
		}
		END { exit bad }' printed.plain shown.plain
}

# run_steps DURATION
run_steps()
{
	ls | grep -vxFf had | xargs -r rm -f
	for step in step??; do
		sed -E "s/--duration 10s/--duration $1/; s/(-n|--name) ([a-z]+)/\1 \2$suffix/" "$step" > run
		timeout 120 sh -e run > "$step.printed" 2>&1 || { echo "exit code $?:"; cat "$step" "$step.printed"; return 1; }
		shown=shown${step#step}
		[ ! -e "$shown" ] || has_lines "$shown" "$step.printed" || { cat "$step" "$step.printed"; return 1; }
	done
}

run_section()
{
	suffix=-$$-${1#section}
	cd "$1" || exit 1
	trap 'end_processes $(cat pids 2> /dev/null); : > ended' EXIT
	set_up
	touch first had
	ls > had
	run_steps 2s > first 2>&1 || run_steps 10s || { cat first; exit 1; }
}

begun=0
for section in section*; do
	while [ $((begun - $(find . -maxdepth 2 -name ended | wc -l))) -ge 3 ]; do
		sleep 0.05
	done
	(run_section $section) > $section/said 2>&1 &
	echo $! > $section/job
	begun=$((begun + 1))
done
bad=0
skipped=
for section in section*; do
	wait "$(cat $section/job)"
	case $? in
	0) ;;
	77) skipped="$(cat $section/title): $(cat $section/said)" ;;
	*) echo "-- $(cat $section/title)"; cat $section/said; bad=1 ;;
	esac
done
[ $bad -ne 0 ] || echo "$(cat section*/step?? | grep -c '^[a-z]') commands in $(ls -d section* | wc -l) sections"
[ $bad -ne 0 ] || [ -z "$skipped" ] || { echo "$skipped"; exit 77; }
exit $bad
