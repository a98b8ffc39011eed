# SPDX-License-Identifier: MIT
# Turns events.tsv into the C arrays that generated.h declares. Runs after texts.awk.

BEGIN {
	split("Runtime Rundown SampleProfiler Private Stress GCDynamic", order, " ")
	for (i in order)
		number[order[i]] = i - 1
	begin_file("make_table.awk", "events.tsv")
	print "const struct clr_event clr_table[] = {"
}

function flag(name) {
	return index("," $14 ",", "," name ",") > 0
}

function seen() {
	return match($14, /seen=[0-9]+/) ? substr($14, RSTART + 5, RLENGTH - 5) : 0
}

NF != 14 { fail("a row has 14 columns") }
!($1 in number) { fail("no such provider: " $1) }

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
	write_texts("clr_texts")
}
