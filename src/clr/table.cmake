# The runtime's events become C while we build; see events.tsv.
find_program(AWK NAMES awk mawk gawk REQUIRED)
set(clr_table ${CMAKE_CURRENT_BINARY_DIR}/clr_table.c)
add_custom_command(OUTPUT ${clr_table}
	COMMAND ${AWK} -f ${CMAKE_CURRENT_LIST_DIR}/make_table.awk
		${CMAKE_CURRENT_LIST_DIR}/events.tsv > ${clr_table}
	DEPENDS ${CMAKE_CURRENT_LIST_DIR}/make_table.awk ${CMAKE_CURRENT_LIST_DIR}/events.tsv
	COMMENT "Making the table of runtime events"
	VERBATIM)
target_sources(clr PRIVATE ${clr_table})
