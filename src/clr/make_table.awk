# SPDX-License-Identifier: MIT
# Turns events.tsv into the C arrays that table.h declares. Texts are kept once each in one long
# array and rows refer to them by offset: there is nothing for the loader to relocate.

BEGIN {
	FS = "\t"
	split("Runtime Rundown SampleProfiler Private Stress GCDynamic", order, " ")
	for (i in order)
		number[order[i]] = i - 1
	print "/* Made by make_table.awk from events.tsv. */"
	print "#include \"clr/table.h\""
	print ""
	print "const struct clr_event clr_table[] = {"
}

function fail(problem) {
	print FILENAME ":" FNR ": " problem > "/dev/stderr"
	failed = 1
	exit 1
}

# The offset of a text in the long array, where it is put if it is not there yet.
function text(value) {
	if (!(value in offset)) {
		offset[value] = used
		used += length(value) + 1
		texts[++text_count] = value
	}
	return offset[value]
}

function flag(name) {
	return index("," $14 ",", "," name ",") > 0
}

function seen() {
	return match($14, /seen=[0-9]+/) ? substr($14, RSTART + 5, RLENGTH - 5) : 0
}

/^#/ { next }

NF != 14 { fail("a row has 14 columns") }
!($1 in number) { fail("no such provider: " $1) }
/["\\?]/ { fail("a character that C texts do not hold as it is") }

{
	key = (number[$1] * 65536 + $2) * 256 + $3
	if (count++ && key <= last)
		fail("out of order")
	last = key
	printf "\t{ .provider = %d, .id = %d, .version = %d, .name = %d, .symbol = %d,\n",
		number[$1], $2, $3, text($4), text($5)
	printf "\t  .task = %d, .task_number = %d, .opcode = %d, .opcode_number = %d, .level = %d,\n",
		text($6), $7, text($8), $9, $10
	printf "\t  .keywords = %s, .fields = %d, .maps = %d, .named = %d, .aot = %d, .seen = %d },\n",
		$11, text($12), text($13), flag("te"), flag("aot"), seen()
}

END {
	if (failed)
		exit 1
	print "};"
	print ""
	print "const size_t clr_table_count = " count ";"
	print ""
	print "#pragma GCC diagnostic ignored \"-Woverlength-strings\""
	print "const char clr_texts[] ="
	for (i = 1; i <= text_count; i++)
		print "\t\"" texts[i] "\\0\""
	print "\t;"
}
