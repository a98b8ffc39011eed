# SPDX-License-Identifier: MIT
# Turns events.tsv into constants, so that nobody writes an event's number: CLR_GC_START is 1,
# RUNDOWN_METHOD_DC_END_VERBOSE is 144. Comes after texts.awk.

BEGIN {
	prefix["Runtime"] = "CLR"
	prefix["Rundown"] = "RUNDOWN"
	prefix["Private"] = "PRIVATE"
	print "/* Made by make_event_ids.awk from events.tsv. */"
	print "#ifndef CLR_EVENT_IDS_H"
	print "#define CLR_EVENT_IDS_H"
	print ""
	print "enum clr_event_id {"
}

# GCRestartEEEnd becomes GC_RESTART_EE_END.
function constant(name,    i, made, at, before, after) {
	for (i = 1; i <= length(name); i++) {
		at = substr(name, i, 1)
		before = substr(name, i - 1, 1)
		after = substr(name, i + 1, 1)
		if (i > 1 && at ~ /[A-Z]/ && (before ~ /[a-z]/ || after ~ /[a-z]/))
			made = made "_"
		made = made toupper(at)
	}
	return made
}

$1 in prefix {
	sub(/_V[0-9]+$/, "", $5)
	name = prefix[$1] "_" constant($5)
	if (!(name in known))
		print "\t" name " = " $2 ","
	else if (known[name] != $2)
		fail(name " has two numbers")
	known[name] = $2
}

END {
	if (failed)
		exit 1
	print "};"
	print ""
	print "#endif"
}
