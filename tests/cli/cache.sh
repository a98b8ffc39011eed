# What the cache has after symbols were asked for, and after it was cleared. A stripped file of the same build id has
# the names that the cache has.
. "$SOURCE/tests/cli/show"
"$PERFPIPE" --version | grep -qw elfutils || { echo "skipped: this build reads no ELF files"; exit 77; }
export XDG_CACHE_HOME="$PWD/cache"
cp "$SOURCE"/tests/data/libnative*.so .

# times, sizes and the paths of this folder differ
stable() { sed -E "s|$PWD|HERE|; s/20[0-9-]*T[0-9:.]*Z/TIME/; s/20[0-9-]* [0-9:.]* UTC/TIME/; s/[1-9][0-9]* B/SIZE/; s/(size|removed)_bytes\": [1-9][0-9]*/\1_bytes\": 100/"; }

show cache list | stable
show symbolize -e libnative.so 0x1055
show symbolize --no-cache -e libnative-stripped.so 0x10a5
show symbolize -e libnative-stripped.so 0x10a5
show cache list | stable
show cache list --json | stable
show cache list 00 | stable
show cache clear 00
show cache clear | stable
show cache clear --json | stable
show symbolize --no-cache -e libnative.so 0x1055
show cache list | stable
