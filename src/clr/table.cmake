# The runtime's events and the names of their numbers become C while we build; see the .tsv files.
find_program(AWK NAMES awk mawk gawk REQUIRED)

# clr_MADE.c, by make_MADE.awk out of ROWS.
function(clr_table made rows)
	set(target ${CMAKE_CURRENT_BINARY_DIR}/clr_${made}.c)
	set(texts ${CMAKE_CURRENT_SOURCE_DIR}/clr/texts.awk)
	set(maker ${CMAKE_CURRENT_SOURCE_DIR}/clr/make_${made}.awk)
	set(rows ${CMAKE_CURRENT_SOURCE_DIR}/clr/${rows})
	add_custom_command(OUTPUT ${target}
		COMMAND ${AWK} -f ${texts} -f ${maker} ${rows} > ${target}
		DEPENDS ${texts} ${maker} ${rows}
		COMMENT "Making ${target}"
		VERBATIM)
	target_sources(clr PRIVATE ${target})
endfunction()

clr_table(table events.tsv)
clr_table(enums enums.tsv)

# Constants for the events' numbers, as a header that others include as clr/event_ids.h.
set(ids ${CMAKE_CURRENT_BINARY_DIR}/clr/event_ids.h)
set(texts ${CMAKE_CURRENT_SOURCE_DIR}/clr/texts.awk)
set(maker ${CMAKE_CURRENT_SOURCE_DIR}/clr/make_event_ids.awk)
set(rows ${CMAKE_CURRENT_SOURCE_DIR}/clr/events.tsv)
add_custom_command(OUTPUT ${ids}
	COMMAND ${CMAKE_COMMAND} -E make_directory ${CMAKE_CURRENT_BINARY_DIR}/clr
	COMMAND ${AWK} -f ${texts} -f ${maker} ${rows} > ${ids}
	DEPENDS ${texts} ${maker} ${rows}
	COMMENT "Making ${ids}"
	VERBATIM)
target_sources(clr PRIVATE ${ids})
target_include_directories(clr PUBLIC ${CMAKE_CURRENT_BINARY_DIR})
