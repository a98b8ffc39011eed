# Wrong command lines of symbolize and cache.
. "$SOURCE/tests/cli/show"
"$PERFPIPE" --version | grep -qw elfutils || { echo "skipped: this build reads no ELF files"; exit 77; }
export XDG_CACHE_HOME="$PWD/cache"
cp "$SOURCE/tests/data/libnative.so" app
echo text > text
mkdir folder

show symbolize 0x12
show symbolize -e app main
show symbolize -e app 1055 0x123456789012345678901234567890
show symbolize -e app main+0x10
show symbolize -e nowhere 0x12
show symbolize -e text 0x12
show symbolize -e folder 0x12
show symbolize -e app -fip 0x1055
show symbolize -e app -fip 12
show symbolize -e app -p
show symbolize -p 0 0x12
show symbolize -p 999999999 0x12
show symbolize -e app --kernel 0x12
show symbolize -e app --no-demangle --fold-templates 0x12
show symbolize -e app --symbols nowhere 0x12
show symbolize -e app --symbols text 0x12
show symbolize --modul app 0x12
show symbolize -e app
show cache
show cache lst
show cache clear XYZ
show cache list 4a6f more
show cache list --folder text
show addr2line
