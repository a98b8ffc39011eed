# Names and lines of a small library, which tests/data/make_native made.
. "$SOURCE/tests/cli/show"
"$PERFPIPE" --version | grep -qw elfutils || { echo "skipped: this build reads no ELF files"; exit 77; }
export XDG_CACHE_HOME="$PWD/cache"
unset DEBUGINFOD_URLS
cp "$SOURCE"/tests/data/libnative*.so .

show symbolize -e libnative.so 1030 0x1050 0x1055 0x10a5 0x10
show symbolize -e libnative.so --lines 1039 0x1055
show symbolize -e libnative.so -i 1039 0x1065
show symbolize -e libnative.so -f -i -s -C -a 1039
show symbolize -e libnative.so --no-demangle 1030 10a5
show symbolize -e libnative.so --fold-templates 10a5
show symbolize --no-cache -e libnative-stripped.so 1030 0x1055 0x10a5
mkdir debug
cp libnative.so debug/libnative-stripped.so.debug
show symbolize --no-cache --symbols debug -i -e libnative-stripped.so 0x1039
cp libnative.so debug/libserver.so
show symbolize --no-cache --symbols debug /srv/app/libserver.so+0x1055 /srv/app/libother.so+0x1055
show symbolize libnative.so+0x1055 ./libnative.so+1055
show symbolize -e libnative.so -i --json 1039
show symbolize --no-cache -e libnative-stripped.so --json 10a5 0x1055

build_id=$("$PERFPIPE" symbolize -e libnative.so --json 1050 | sed -n 's/.*"build_id": "\(.*\)".*/\1/p')
cat > log << END
libnative.so(+0x1055)[0x7f0012345678]
    #0 0x7f00123452a9  (/srv/app/libnative.so+0x1039) (BuildId: 00)
    #1 0x7f00123452c5 in native_first (libnative.so+0x1055) (BuildId: $build_id)
pc 0x1055, and 0x12 is not an address
main+0x10
nothing is here, nor at /srv/lib/libother.so(+0x12)[0x1]
0x1055
END
echo '$ perfpipe symbolize -i -s < log'
"$PERFPIPE" symbolize -i -s < log 2>&1
echo
echo '$ perfpipe symbolize -e libnative.so -s --lines < log'
"$PERFPIPE" symbolize -e libnative.so -s --lines < log 2>&1
echo
echo '$ perfpipe symbolize -e libnative.so --json < log'
"$PERFPIPE" symbolize -e libnative.so --json < log 2>&1
