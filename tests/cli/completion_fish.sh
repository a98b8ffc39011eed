# What a real fish offers.
. "$SOURCE/tests/cli/completion_lib"
shell fish
cat > ask.fish << 'EOF'
source script.fish
while read -l line
	echo $line
	complete -C "$line" | string replace -r '\t.*' '' | sed 's/^/    /' | sort
end < lines
EOF
HOME=$PWD XDG_CONFIG_HOME=$PWD XDG_DATA_HOME=$PWD fish --no-config ask.fish
