# What zsh offers, and what it makes of a line that is completed: a real one, on a terminal.
. "$SOURCE/tests/cli/completion_lib"
shell zsh
cat > .zshrc << 'EOF'
PS1='$ '
autoload -Uz compinit && compinit -u -D
source ./script.zsh
unsetopt automenu autolist
LISTMAX=100000
perfpipe()
{
	if [[ $1 == completion && $2 == candidates ]]; then
		command perfpipe "$@"
	else
		{ printf '=>'; printf ' [%s]' perfpipe "$@"; echo } >> log
	fi
}
# What is added to the candidates; with -O, -A and -D they only go to an array.
compadd()
{
	local -a hits
	if [[ -n $listing && ${@[1,(i)(-|--)]} != *-(O|A|D)\ * ]]; then
		builtin compadd -O hits "$@"
		(($#hits)) && printf '    %s\n' $hits >> found
	fi
	builtin compadd "$@"
}
list-them()
{
	local listing=1
	: > found
	zle list-found
	print -r -- "$BUFFER" >> log
	sort -u found >> log
}
zle -C list-found list-choices _main_complete
zle -N list-them
bindkey '^[l' list-them
bindkey '^I' complete-word
EOF
keystrokes '\033l' '\t' > keys
ZDOTDIR=$PWD HOME=$PWD type_in keys 'zsh -i'
cat log
