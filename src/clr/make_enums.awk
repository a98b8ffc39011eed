# SPDX-License-Identifier: MIT
# Turns enums.tsv into the C arrays that generated.h declares. The rows of a map need not be
# adjacent in the file; in C they are. Runs after texts.awk.

BEGIN {
	kinds["value"] = 0
	kinds["bits"] = 1
	kinds["index"] = 2
	text("")
}

NF != 6 { fail("a row has 6 columns") }
!($2 in kinds) { fail("no such kind: " $2) }

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
	begin_file("make_enums.awk", "enums.tsv")
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
	write_texts("clr_map_texts")
}
