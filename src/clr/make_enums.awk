# SPDX-License-Identifier: MIT
# Turns enums.tsv into the C arrays that table.h declares. A map's rows need not stand together in
# the file; in C they do. Texts are kept once each in one long array, as make_table.awk does it.

BEGIN {
	FS = "\t"
	kinds["value"] = 0
	kinds["bits"] = 1
	kinds["index"] = 2
	text("")
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

/^#/ { next }

NF != 6 { fail("a row has 6 columns") }
!($2 in kinds) { fail("no such kind: " $2) }
/["\\?]/ { fail("a character that C texts do not hold as it is") }

!($1 in rows) {
	names[++map_count] = $1
	kind[$1] = kinds[$2]
}
{
	split($3, part, ">>")
	rows[$1]++
	lines[$1] = lines[$1] sprintf("\t{ .value = %s, .name = %d, .shown = %d, .shift = %d, .masked = %d },\n",
		part[1], text($4), text($5), part[2], index($3, ">>") > 0)
}

END {
	if (failed)
		exit 1
	print "/* Made by make_enums.awk from enums.tsv. */"
	print "#include \"clr/table.h\""
	print ""
	print "const struct value_name clr_value_names[] = {"
	for (i = 1; i <= map_count; i++)
		printf "%s", lines[names[i]]
	print "};"
	print ""
	print "const struct value_map clr_maps[] = {"
	for (i = 1; i <= map_count; i++) {
		printf "\t{ .name = %d, .first = %d, .count = %d, .kind = %d },\n",
			text(names[i]), first, rows[names[i]], kind[names[i]]
		first += rows[names[i]]
	}
	print "};"
	print ""
	print "const size_t clr_map_count = " map_count ";"
	print ""
	print "#pragma GCC diagnostic ignored \"-Woverlength-strings\""
	print "const char clr_map_texts[] ="
	for (i = 1; i <= text_count; i++)
		print "\t\"" texts[i] "\\0\""
	print "\t;"
}
