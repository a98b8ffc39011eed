# What bash offers, and what it makes of a line that is completed: a real one, on a terminal.
. "$SOURCE/tests/cli/completion_lib"
shell bash
cat > rc << 'EOF'
PS1='$ '
. ./script.bash
perfpipe()
{
	if [[ $1 == completion && $2 == candidates ]]; then
		command perfpipe "$@"
	else
		{ printf '=>'; printf ' [%s]' perfpipe "$@"; echo; } >> log
	fi
}
_logged()
{
	_perfpipe "$@"
	[[ $COMP_TYPE == 63 ]] || return 0 # it completes
	echo "$COMP_LINE" >> log
	((${#COMPREPLY[@]})) && printf '    %s\n' "${COMPREPLY[@]}" | sort >> log
	return 0
}
complete -F _logged perfpipe
bind 'set completion-query-items 0' 2> /dev/null
bind 'set page-completions off' 2> /dev/null
bind '"\el": possible-completions' 2> /dev/null
EOF
keystrokes '\033l' '\t' > keys
type_in keys 'bash --noprofile --rcfile rc -i'
cat log
