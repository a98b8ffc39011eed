# SPDX-License-Identifier: MIT
# Shared by both generators. Each text is kept once in one long array, and rows refer to it
# by offset: the loader has nothing to relocate.

BEGIN { FS = "\t" }

/^#/ { next }

/["\\?]/ { fail("a character that needs an escape in C") }

function fail(problem) {
	print FILENAME ":" FNR ": " problem > "/dev/stderr"
	failed = 1
	exit 1
}

# The offset of a text in the array, adding it if it is new.
function text(value) {
	if (!(value in offset)) {
		offset[value] = used
		used += length(value) + 1
		texts[++text_count] = value
	}
	return offset[value]
}

function begin_file(maker, rows) {
	print "/* Made by " maker " from " rows ". */"
	print "#include \"clr/generated.h\""
	print ""
}

function write_texts(name,    i) {
	print "#pragma GCC diagnostic ignored \"-Woverlength-strings\""
	print "const char " name "[] ="
	for (i = 1; i <= text_count; i++)
		print "\t\"" texts[i] "\\0\""
	print "\t;"
}
