# What `perfpipe --version` says. The commit is looked up in every build, since HEAD moves without
# any source changing; configure_file leaves an unchanged file alone, so nothing is rebuilt then.
#
# Included, this adds version.c to the cli module; run with `cmake -P`, it writes version.c.
if(CMAKE_SCRIPT_MODE_FILE)
	set(COMMIT unknown)
	# --git-dir: a tarball unpacked inside some other repository has no commit of its own.
	execute_process(COMMAND git --git-dir=${SOURCE}/.git rev-parse --verify --short=12 HEAD
		OUTPUT_VARIABLE output RESULT_VARIABLE result ERROR_QUIET
		OUTPUT_STRIP_TRAILING_WHITESPACE)
	if(result EQUAL 0)
		set(COMMIT ${output})
	endif()
	configure_file(${CMAKE_CURRENT_LIST_DIR}/version.c.in ${OUTPUT} @ONLY)
	return()
endif()

set(VERSION_FILE ${CMAKE_CURRENT_BINARY_DIR}/version.c)
set(VERSION_LIBRARIES "${PERFPIPE_LIBRARIES}")
if(NOT VERSION_LIBRARIES)
	set(VERSION_LIBRARIES "no optional library")
endif()
add_custom_target(version BYPRODUCTS ${VERSION_FILE} VERBATIM
	COMMAND ${CMAKE_COMMAND} -D SOURCE=${PROJECT_SOURCE_DIR} -D OUTPUT=${VERSION_FILE}
		-D VERSION=${PROJECT_VERSION} -D LIBRARIES=${VERSION_LIBRARIES}
		-P ${CMAKE_CURRENT_LIST_DIR}/version.cmake)
add_dependencies(cli version)
target_sources(cli PRIVATE ${VERSION_FILE})
