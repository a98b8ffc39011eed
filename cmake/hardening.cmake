# What makes a bug harder to exploit, in every build: tables of the linker are read-only before main
# runs, code is placed at random, stacks have guards, and indirect branches land only where they
# may. tools/check_hardening reads it out of the binaries.
include(CheckCCompilerFlag)
include(CheckPIESupported)
check_pie_supported(LANGUAGES C)

add_compile_options(-fstack-protector-strong)
add_link_options(-Wl,-z,relro,-z,now,-z,noexecstack)

# Level 3 also checks objects whose size is known only at run time. It needs an optimiser, and
# distributions may predefine another level.
add_compile_options($<$<NOT:$<CONFIG:Debug>>:-U_FORTIFY_SOURCE>
	$<$<NOT:$<CONFIG:Debug>>:-D_FORTIFY_SOURCE=3>)

# Each architecture knows one of these.
foreach(flag -fcf-protection=full -mbranch-protection=standard)
	string(MAKE_C_IDENTIFIER HAVE${flag} known)
	check_c_compiler_flag(${flag} ${known})
	if(${known})
		add_compile_options(${flag})
	endif()
endforeach()
