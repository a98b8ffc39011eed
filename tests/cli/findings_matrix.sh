# Which findings each of our recordings has: of a program with one kind of trouble that one, of a healthy one none. And
# what a finding suggests has an answer for that very recording.
. "$SOURCE/tests/cli/findings_lib"

for path in "$SOURCE"/tests/data/*.nettrace* "$SOURCE"/tests/data/*.zip; do
	findings "$path"
done
