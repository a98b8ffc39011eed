# Scripts that files of ours carry become C while we build: export_text(flames.js export_flames_js).
function(export_text file name)
	set(target ${CMAKE_CURRENT_BINARY_DIR}/${name}.c)
	set(maker ${CMAKE_CURRENT_SOURCE_DIR}/export/make_text.awk)
	set(from ${CMAKE_CURRENT_SOURCE_DIR}/export/${file})
	add_custom_command(OUTPUT ${target}
		COMMAND ${AWK} -v name=${name} -f ${maker} ${from} > ${target}
		DEPENDS ${maker} ${from}
		COMMENT "Making ${target}"
		VERBATIM)
	target_sources(export PRIVATE ${target})
endfunction()

export_text(flames.js export_flames_js)
export_text(html.js export_html_js)
