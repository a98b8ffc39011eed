# Wrong command lines: one sentence, exit code 3, nothing on stdout.
. "$SOURCE/tests/cli/show"

echo "\$ perfpipe"
"$PERFPIPE" 2>&1 > stdout | grep -v '^Commands:'
"$PERFPIPE" 2> /dev/null
echo "exit code $?"
echo

show inof
show infos file
show frobnicate
show -
show --versoin
show --frobnicate
show info
show info --json
show info a b c
show info --jsn a
show info --verbos a
show info -json a
show info -x a
show info -vx a
show info --frobnicate=1 a
show info --json=maybe a
show completion
show completion tcsh
show completion bash zsh

"$PERFPIPE" info --jsn a 2> /dev/null > stdout
[ ! -s stdout ] && echo "nothing on stdout"
