# Manifests are read with jansson; where it is missing, `perfpipe info` says that they cannot be.
if(JANSSON_FOUND)
	set(other manifest_find_none.c)
else()
	set(other manifest_find.c)
endif()
get_target_property(sources record SOURCES)
list(FILTER sources EXCLUDE REGEX "/record/${other}$")
set_property(TARGET record PROPERTY SOURCES ${sources})
