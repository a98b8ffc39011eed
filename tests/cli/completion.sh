# The completion scripts, run if the shell is installed.
for shell in bash zsh fish; do
	"$PERFPIPE" completion $shell > script.$shell || exit
	if command -v $shell > /dev/null; then
		$shell -n script.$shell || exit
	fi
done
command -v bash > /dev/null || exit 77

mkdir traces
touch 'traces/one app.nettrace' traces/two.nettrace
cat > complete.bash << 'EOF'
. ./script.bash
complete_line()
{
	COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMPREPLY=()
	_perfpipe
	echo "${*@Q}"
	((${#COMPREPLY[@]})) && printf '    %s\n' "${COMPREPLY[@]}" | sort
}
complete_line perfpipe inf
complete_line perfpipe compl
complete_line perfpipe --v
complete_line perfpipe info --j
complete_line perfpipe info --json --verb
complete_line perfpipe info traces/
complete_line perfpipe info --json traces/one
complete_line perfpipe info frobnicate
complete_line perfpipe completion ''
complete_line perfpipe completion z
complete_line perfpipe help inf
complete_line perfpipe convert -f ''
complete_line perfpipe convert one.nettrace --view c
complete_line perfpipe collect --format s

complete_line perfpipe frobnicate ''
exit 0
EOF
bash complete.bash
