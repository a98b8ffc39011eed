# Without elfutils, what reads ELF files and DWARF is left out, and one file says so instead.
get_target_property(sources symbols SOURCES)
if(ELFUTILS_FOUND)
	list(FILTER sources EXCLUDE REGEX /without_elfutils.c$)
else()
	list(FILTER sources EXCLUDE REGEX "/(elf|dwarf)_[a-z_]+[.]c$")
endif()
set_property(TARGET symbols PROPERTY SOURCES ${sources})
