# Manifests are read with jansson; without it `perfpipe info` says that it cannot show them.
if(JANSSON_FOUND)
	target_compile_definitions(record PRIVATE HAVE_JANSSON)
endif()
