# A decoder whose library is missing is left out; its row in decoders.c stays, so that the user
# learns what the data is and what this build lacks.
function(decoder_needs library found)
	if(found)
		string(TOUPPER ${library} LIBRARY)
		target_compile_definitions(input PUBLIC HAVE_${LIBRARY})
	else()
		list(TRANSFORM ARGN PREPEND "/input/")
		list(TRANSFORM ARGN APPEND "$")
		list(JOIN ARGN "|" files)
		get_target_property(sources input SOURCES)
		list(FILTER sources EXCLUDE REGEX "${files}")
		set_property(TARGET input PROPERTY SOURCES ${sources})
	endif()
endfunction()

decoder_needs(zlib "${ZLIB_FOUND}" gzip.c zip.c zip_directory.c zip_names.c inflating.c)
decoder_needs(zstd "${ZSTD_FOUND}" zstd.c)
