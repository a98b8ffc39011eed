# The libraries are what tests/abi records, and tools/check_abi notices when they are not.
build=$(dirname "$PERFPIPE")
for tool in cc nm perl; do
	command -v $tool > /dev/null || { echo "skipped: there is no $tool here"; exit 77; }
done
bad=0
check="$SOURCE/tools/check_abi"

"$check" "$build" || exit 1

# refused ARGUMENT...: the check fails; says SENTENCE: and this is one of its reasons
refused()
{
	! "$check" "$@" > said 2>&1 || { echo "check_abi $* accepts it"; bad=1; }
}

says()
{
	grep -q -e "$1" said || { echo "check_abi does not say \"$1\":"; cat said; bad=1; }
}

# with HEADER SCRIPT: in a copy of the headers, one is changed by sed
with()
{
	sed -i "$2" "include/perfpipe/$1"
	! cmp -s "include/perfpipe/$1" "$SOURCE/include/perfpipe/$1" ||
		{ echo "$1 is not changed by $2"; bad=1; }
}

cp -r "$SOURCE/include" include
with event.h '/^struct pp_pair {/a\	int more;'
with event.h 's/PP_TYPE_I8 = 5/PP_TYPE_I8 = 55/'
with session.h 's/PP_SESSION_WAIT (-2)/PP_SESSION_WAIT (-3)/'
with trace.h 's/pp_trace_end(struct pp_trace \*trace)/pp_trace_end(struct pp_trace *trace, int now)/'
with fields.h '/pp_fields_begin(/d'
refused --include include "$build"
says "struct pp_pair has changed"
says "enum pp_type_code has changed"
says "macro PP_SESSION_WAIT has changed"
says "function pp_trace_end has changed"
says "function pp_fields_begin is gone"
says "libperfpipe-trace.so has pp_fields_begin, which no header declares"
says "libperfpipe-trace.map has pp_fields_begin, which no header declares"
says "libperfpipe: .* needs a new major version in CMakeLists.txt and then tools/check_abi --update"
says "libperfpipe-trace: .* needs a new major version"
cp -r "$SOURCE/tests/abi" untouched
refused --include include --recorded untouched --update "$build"
diff -r "$SOURCE/tests/abi" untouched || bad=1

# What only got longer: a struct with a size, and an enum.
rm -rf include
cp -r "$SOURCE/include" include
with alloc.h 's/^\(\tvoid \*context;\)/\1\n\tint more;/'
with error.h 's/^\tPP_ERROR_MEMORY,/\tPP_ERROR_MEMORY, PP_ERROR_NEW,/'
refused --include include "$build"
says "struct pp_allocator is longer"
says "enum pp_error_code is longer"
says "libperfpipe: .* needs a new minor version"

# A member in what was padding: a library without it cannot tell that it is set.
with trace.h 's/^\tbool no_stacks;.*/&\n\tbool more;/'
refused --include include "$build"
says "struct pp_trace_options has changed"
says "libperfpipe-trace: .* needs a new major version"

# A library without one of its symbols, made of the archive.
mkdir -p without/src
cp "$build"/src/libperfpipe-trace.so without/src
flags=$(sed -n 's/^CMAKE_C_FLAGS:STRING=//p' "$build/CMakeCache.txt")
grep -v pp_trace_time_ns "$SOURCE/src/library/libperfpipe.map" > without.map
cc $flags -shared -Wl,--version-script=without.map -Wl,--whole-archive "$build/src/libperfpipe.a" \
	-Wl,--no-whole-archive -o without/src/libperfpipe.so || exit 1
refused without
says "libperfpipe.so does not have pp_trace_time_ns, which a header declares"

# A new version is recorded, and then it is the one to compare with.
mkdir recorded
for library in libperfpipe libperfpipe-trace; do
	sed '1s/.*/version 0.0.9/; /^function pp_trace_time_ns:/d' "$SOURCE/tests/abi/$library.txt" \
		> recorded/$library.txt
done
refused --recorded recorded "$build"
says "version .* is not recorded yet: run"
"$check" --recorded recorded --update "$build" || bad=1
diff -r "$SOURCE/tests/abi" recorded || bad=1
exit $bad
