# Formats that are packed are written as they are where the library is missing.
if(ZLIB_FOUND)
	target_compile_definitions(export PRIVATE HAVE_ZLIB)
endif()
