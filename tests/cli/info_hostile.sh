# Names in a trace are untrusted: they must not control a terminal or break JSON.

byte()
{
	printf "\\$(printf %03o "$1")"
}

u16()
{
	byte $(($1 % 256))
	byte $(($1 / 256))
}

string() # of less than 128 bytes
{
	byte "$(printf "$1" | wc -c)"
	printf "$1"
}

# The output of a command, preceded by its size: sized COMMAND...
sized()
{
	"$@" > body
	u16 "$(wc -c < body)"
	cat body
}

block() # NUMBER COMMAND...
{
	number=$1
	shift
	"$@" > contents
	u16 "$(wc -c < contents)"
	byte 0
	byte "$number"
	cat contents
}

trace()
{
	u16 2025; u16 2; u16 1; u16 3; u16 4; u16 5; u16 6; u16 7 # a Windows SYSTEMTIME
	printf '\0\0\0\0\0\0\0\0'			# ticks at the start
	printf '\0\312\232\73\0\0\0\0'			# 10^9 of them per second
	printf '\10\0\0\0\2\0\0\0'			# 8 bytes per pointer, 2 properties
	string 'Process\033]0;owned\7Id'; string '\302\233\063\061m"\\\n'
	string 'ProcessId'; string '42'
}

kind()
{
	byte 1 # metadata id
	string 'Evil\033[2JProvider'
	byte 7 # event id
	string 'a\033[31mred\t\302\205\342\200\256\377"quoted"\\'
	u16 0 # fields
	u16 0 # optional parts
}

metadata()
{
	u16 0
	sized kind
}

thread()
{
	byte 9 # index
	byte 1
	string 'thread\033[5m'
}

events()
{
	u16 20; u16 1
	head -c 16 /dev/zero
	# metadata id, sequence and threads, time, payload size: two events
	byte $((0x01 | 0x02 | 0x04 | 0x80)); byte 1; byte 0; byte 9; byte 0; byte 9; byte 5; byte 0
	byte 0; byte 200; byte 1
}

{
	printf 'Nettrace\0\0\0\0\6\0\0\0\0\0\0\0'
	block 1 trace
	block 3 metadata
	block 6 sized thread
	block 2 events
	block 0 true
} > "$(printf 'evil\033[1m.nettrace')"

for options in '' -v --json; do
	echo "\$ perfpipe info $options"
	"$PERFPIPE" info $options evil*.nettrace 2>&1 | tee output
	LC_ALL=C grep -q '[[:cntrl:]]' output && echo "there is a control character in this"
	echo
done
"$PERFPIPE" info "$(printf 'missing\033[1m')" 2>&1
exit 0
