# Scripts and styles that pages of ours carry become C while we build, as arrays of characters:
# embed_text(report page.js report_page_js).
function(embed_text module file name)
	set(target ${CMAKE_CURRENT_BINARY_DIR}/${name}.c)
	set(maker ${CMAKE_CURRENT_SOURCE_DIR}/report/make_text.awk)
	set(from ${CMAKE_CURRENT_SOURCE_DIR}/${module}/${file})
	add_custom_command(OUTPUT ${target}
		COMMAND ${AWK} -v name=${name} -f ${maker} ${from} > ${target}
		DEPENDS ${maker} ${from}
		COMMENT "Making ${target}"
		VERBATIM)
	set_source_files_properties(${target} PROPERTIES COMPILE_OPTIONS -Wno-overlength-strings)
	target_sources(${module} PRIVATE ${target})
endfunction()

embed_text(report page.css report_page_css)
embed_text(report page.js report_page_js)
embed_text(export flames.js export_flames_js)
