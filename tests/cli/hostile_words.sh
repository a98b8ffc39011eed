# What was typed is shown, but no control character in it reaches the terminal.
for word in "$(printf 'in\033[31mfo')" "$(printf 'a\302\205b')" "$(printf 'a\342\200\256b')" \
	"$(printf 'a\377b')" "$(printf 'two\nlines')"; do
	"$PERFPIPE" "$word" 2>&1
	"$PERFPIPE" info "--$word" 2>&1
done
exit 0
