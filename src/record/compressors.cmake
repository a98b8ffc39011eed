# A compressor whose library is missing is left out; its row in compressors.c stays, so that the
# user is told what this build lacks.
function(compressor_needs library found file)
	if(found)
		string(TOUPPER ${library} LIBRARY)
		target_compile_definitions(record PRIVATE HAVE_${LIBRARY})
	else()
		get_target_property(sources record SOURCES)
		list(FILTER sources EXCLUDE REGEX "/record/${file}$")
		set_property(TARGET record PROPERTY SOURCES ${sources})
	endif()
endfunction()

compressor_needs(zlib "${ZLIB_FOUND}" compress_gzip.c)
compressor_needs(zstd "${ZSTD_FOUND}" compress_zstd.c)
