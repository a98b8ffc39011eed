# What `make install` puts where: the program, the library with its headers and the two ways to
# find it, man pages, and completions for three shells, printed by the program itself.
include(CMakePackageConfigHelpers)

install(TARGETS perfpipe RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS libperfpipe libperfpipe_static EXPORT perfpipe
	LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
	ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY include/perfpipe DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
file(GLOB pages doc/man/*.1)
install(FILES ${pages} DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)

file(RELATIVE_PATH PREFIX_FROM_PKGCONFIG "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
configure_file(cmake/perfpipe.pc.in perfpipe.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/perfpipe.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

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
