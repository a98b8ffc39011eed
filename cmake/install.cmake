# What `make install` puts where: the program, the libraries with their headers and the two ways
# to find them, man pages, and completions for three shells, printed by the program itself.
include(CMakePackageConfigHelpers)

install(TARGETS perfpipe RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS libperfpipe libperfpipe_static libperfpipe_trace libperfpipe_trace_static
	EXPORT perfpipe
	LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
	ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/perfpipe DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
file(GLOB pages doc/man/*.1)
install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

set(TRACE_REQUIRES "")
if(ZLIB_FOUND)
	string(APPEND TRACE_REQUIRES " zlib")
endif()
if(ZSTD_FOUND)
	string(APPEND TRACE_REQUIRES " libzstd")
endif()
if(ELFUTILS_FOUND)
	string(APPEND TRACE_REQUIRES " libdw libelf")
endif()
if(LZMA_FOUND)
	string(APPEND TRACE_REQUIRES " liblzma")
endif()
file(RELATIVE_PATH PREFIX_FROM_PKGCONFIG "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
foreach(package perfpipe perfpipe-trace)
	configure_file(cmake/${package}.pc.in ${package}.pc @ONLY)
	install(FILES ${CMAKE_BINARY_DIR}/${package}.pc
		DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endforeach()

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/perfpipe)
install(EXPORT perfpipe NAMESPACE perfpipe:: FILE perfpipe-config.cmake DESTINATION ${package_dir})
write_basic_package_version_file(perfpipe-config-version.cmake COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_BINARY_DIR}/perfpipe-config-version.cmake DESTINATION ${package_dir})

if(NOT CMAKE_CROSSCOMPILING)
	set(completions)
	foreach(shell bash zsh fish)
		set(file ${CMAKE_BINARY_DIR}/completion.${shell})
		add_custom_command(OUTPUT ${file} DEPENDS perfpipe
			COMMAND perfpipe completion ${shell} > ${file} VERBATIM)
		list(APPEND completions ${file})
	endforeach()
	add_custom_target(completions ALL DEPENDS ${completions})
	set(share ${CMAKE_INSTALL_DATADIR})
	install(FILES ${CMAKE_BINARY_DIR}/completion.bash RENAME perfpipe
		DESTINATION ${share}/bash-completion/completions)
	install(FILES ${CMAKE_BINARY_DIR}/completion.zsh RENAME _perfpipe
		DESTINATION ${share}/zsh/site-functions)
	install(FILES ${CMAKE_BINARY_DIR}/completion.fish RENAME perfpipe.fish
		DESTINATION ${share}/fish/vendor_completions.d)
endif()
