# SPDX-License-Identifier: MIT
# A text file as a C array of characters called NAME: awk -v name=NAME -f make_text.awk FILE
BEGIN {
	print "/* Made by make_text.awk. */"
	printf "extern const char %s[];\n\nconst char %s[] =\n", name, name
}

{
	gsub(/\\/, "&&") # a second one to each
	gsub(/"/, "\\\"")
	gsub(/\t/, "\\t")
	printf "\t\"%s\\n\"\n", $0
}

END {
	print "\t;"
}
