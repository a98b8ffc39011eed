# The libraries for other programs, of the objects of the modules:
#
#	libperfpipe		base, nettrace, ipc: libc only
#	libperfpipe-trace	what opens any trace file and answers questions: zlib, zstd and elfutils, too
#
# The second uses the first by its public calls only, so it has a hidden copy of base, except for the
# allocator, of which a program has one. Its static form resolves against the other archive instead.
set(nettrace_tables recording_end thread_times universal_fields) # layouts of events, in both
list(JOIN nettrace_tables "|" nettrace_tables)

function(modules_of library)
	list(TRANSFORM ARGN REPLACE "(.+)" "$<TARGET_OBJECTS:\\1>")
	set(${library}_objects ${ARGN} PARENT_SCOPE)
endfunction()

modules_of(libperfpipe base nettrace ipc)
modules_of(libperfpipe-trace input clr payload symbols pass model fill analyze report library)
set(hidden_objects
	"$<FILTER:$<TARGET_OBJECTS:base>,EXCLUDE,/allocator[.]c[.]o$>"
	"$<FILTER:$<TARGET_OBJECTS:nettrace>,INCLUDE,/(${nettrace_tables})[.]c[.]o$>")

add_library(libperfpipe SHARED ${libperfpipe_objects})
add_library(libperfpipe_static STATIC ${libperfpipe_objects})
add_library(libperfpipe_trace SHARED ${libperfpipe-trace_objects} ${hidden_objects})
add_library(libperfpipe_trace_static STATIC ${libperfpipe-trace_objects})

target_link_libraries(libperfpipe_trace PUBLIC libperfpipe PRIVATE zlib zstd elfutils lzma
	debuginfod supcxx m)
target_link_libraries(libperfpipe_trace_static INTERFACE libperfpipe_static
	$<BUILD_INTERFACE:zlib> $<BUILD_INTERFACE:zstd> $<BUILD_INTERFACE:elfutils>
	$<BUILD_INTERFACE:lzma> $<BUILD_INTERFACE:debuginfod> $<BUILD_INTERFACE:supcxx> m
	$<$<BOOL:${ZLIB_FOUND}>:$<INSTALL_INTERFACE:z>>
	$<$<BOOL:${ZSTD_FOUND}>:$<INSTALL_INTERFACE:zstd>>
	$<$<BOOL:${ELFUTILS_FOUND}>:$<INSTALL_INTERFACE:dw>>
	$<$<BOOL:${ELFUTILS_FOUND}>:$<INSTALL_INTERFACE:elf>>
	$<$<BOOL:${LZMA_FOUND}>:$<INSTALL_INTERFACE:lzma>>
	$<INSTALL_INTERFACE:-lsupc++>)

# Only what the version script lists is exported, and nothing is missing. The machine code of objects
# is used as it is, without link-time optimisation: see the archives below.
function(shared_library target name)
	set(script ${CMAKE_CURRENT_SOURCE_DIR}/library/${name}.map)
	target_link_options(${target} PRIVATE -fno-lto -Wl,--version-script=${script})
	if(NOT PERFPIPE_FUZZ) # whose sanitizers are in programs only
		target_link_options(${target} PRIVATE -Wl,-z,defs)
	endif()
	set_target_properties(${target} PROPERTIES VERSION ${PROJECT_VERSION}
		SOVERSION ${PROJECT_VERSION_MAJOR} LINK_DEPENDS ${script})
endfunction()

# What one compiler's optimiser keeps in objects for linking is of no use to another.
function(static_library target)
	if(CMAKE_INTERPROCEDURAL_OPTIMIZATION)
		add_custom_command(TARGET ${target} POST_BUILD VERBATIM COMMAND ${CMAKE_OBJCOPY}
			-R .gnu.lto_* -R .gnu.debuglto_* $<TARGET_FILE:${target}>)
	endif()
endfunction()

function(public_library target name exported)
	target_include_directories(${target} INTERFACE
		$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
		$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
	set_target_properties(${target} PROPERTIES PREFIX "" OUTPUT_NAME ${name}
		INTERPROCEDURAL_OPTIMIZATION OFF LINKER_LANGUAGE C EXPORT_NAME ${exported})
endfunction()

shared_library(libperfpipe libperfpipe)
shared_library(libperfpipe_trace libperfpipe-trace)
static_library(libperfpipe_static)
static_library(libperfpipe_trace_static)
public_library(libperfpipe libperfpipe perfpipe)
public_library(libperfpipe_static libperfpipe perfpipe_static)
public_library(libperfpipe_trace libperfpipe-trace trace)
public_library(libperfpipe_trace_static libperfpipe-trace trace_static)
