# All profiles, for people and as data; nothing is wider than a terminal.
. "$SOURCE/tests/cli/show"
export COLUMNS=80
show list-profiles
"$PERFPIPE" list-profiles | awk 'length > 80 { print "too long: " $0 }'
"$PERFPIPE" list-profiles --json | head -n 44
echo "profiles: $("$PERFPIPE" list-profiles --json | grep -c '"rundown_keywords"')"
show list-profiles --jsno
show list-profiles gc-verbose
