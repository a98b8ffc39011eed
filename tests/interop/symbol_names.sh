# The functions of real libraries and of this program have the names that nm and readelf know for them, and at any address
# that of eu-addr2line. Several functions at one address are aliases: any of their names will do.
build=$(dirname "$PERFPIPE")
dump=$build/tests/symbol_dump
for tool in nm readelf objdump objcopy xz eu-addr2line; do
	command -v $tool > /dev/null || { echo "skipped: there is no $tool"; exit 77; }
done
"$dump" "$PERFPIPE" 2>&1 | grep -q 'has no elfutils' && { echo "skipped: this build has no elfutils"; exit 77; }
bad=0

# library NAME - the path of the one that programs load
library()
{
	ldconfig -p | sed -n "s,^\t$1 .*=> ,,p" | head -n 1
}

# nm_names FILE [-D] - "address name" of each function, without versions; names of no type are labels of data, too
nm_names()
{
	readelf -W ${2:+--dyn-syms} ${2:---symbols} "$1" 2> readelf.err |
		awk '$4 == "FUNC" || $4 == "IFUNC" { if ($7 != "UND") { sub(/@.*/, "", $8); print $2, $8 } }' | sort -u
}

# compare FILE - the names of all functions at their first and last byte
compare()
{
	file=$1 table=
	case $(readelf -WS "$file") in
	*' SYMTAB '*) ;;
	*) table=-D ;;
	esac
	nm_names "$file" $table > known
	[ -s known ] || { echo "$file: readelf lists no function"; bad=1; return; }
	cut -d ' ' -f 1 known | sort -u > starts
	"$dump" "$file" - < starts > found 2> summary || { cat summary; bad=1; }
	# one name of those that are known at the address
	sort -u found | comm -23 - known > wrong
	# a function without a size inside another one is a label of it, for eu-addr2line, too
	head -n 50 wrong | while read -r address name; do
		[ "$(eu-addr2line -f -e "$file" "0x$address" | head -n 1 | sed 's/@.*//')" = "$name" ] || echo "$address $name"
	done > unexplained
	[ ! -s unexplained ] || { echo "$file: names that nm does not know:"; head -n 5 unexplained; bad=1; }
	! grep -q '?$' found || { echo "$file: functions without a name:"; grep '?$' found | head -n 5; bad=1; }
	compare_middles "$file"
	echo "${file##*/}: $(wc -l < starts) addresses of functions"
}

# compare_middles FILE - addresses in the middle of functions. Without debug information, which eu-addr2line would also
# find by a build id: it prefers names of inlined functions.
compare_middles()
{
	objcopy --strip-debug --remove-section .note.gnu.build-id --remove-section .gnu_debuglink "$1" bare || bad=1
	"$dump" "$1" 2> summary | grep -v '@plt$' > functions
	perl -lane 'printf "%016x\n", hex($F[0]) + int(hex($F[1]) / 2)' functions > middles
	"$dump" "$1" - < middles > found 2> summary
	sed 's/^/0x/' middles | eu-addr2line -f -e bare | awk 'NR % 2 { sub(/@.*/, ""); print }' > theirs
	# aliases: both names are known at one address
	paste -d ' ' found theirs | awk 'NR == FNR { at[$2] = at[$2] " " $1; known[$1 " " $2]; next }
		$2 != $3 {
			count = split(at[$2], starts, " ")
			for (i = 1; i <= count; i++)
				if ((starts[i] " " $3) in known)
					next
			print $1, $2 ", not " $3
		}' known - > differ
	[ ! -s differ ] || { echo "$1: $(wc -l < differ) addresses differ from eu-addr2line:"; head -n 5 differ; bad=1; }
}

# compare_plt FILE - the entries of the PLT as the disassembler names them
compare_plt()
{
	case $(uname -m) in
	x86_64 | aarch64) ;;
	*) return ;;
	esac
	objdump -d -j .plt -j .plt.sec -j .plt.got "$1" 2> /dev/null |
		sed -n 's/^\([0-9a-f]*\) <\([^>*]*\)@plt>:$/\1 \2/p' | sed 's/@.*//' | sort -u > known
	"$dump" "$1" 2> /dev/null | sed -n 's/^\([0-9a-f]*\) [0-9a-f]* \(.*\)@plt$/\1 \2/p' | sort -u > found
	diff known found > differ || { echo "$1: the PLT differs from objdump:"; head -n 5 differ; bad=1; }
	[ -s found ] || { echo "$1: no entry of its PLT has a name"; bad=1; }
}

coreclr=
if command -v dotnet > /dev/null; then
	coreclr=$(dotnet --list-runtimes | sed -n 's,^Microsoft.NETCore.App \([^ ]*\) \[\(.*\)\]$,\2/\1/libcoreclr.so,p' | tail -n 1)
fi
for file in "$(library libc.so.6)" "$(library libstdc++.so.6)" $coreclr "$PERFPIPE" "$build/src/libperfpipe.so"; do
	[ -e "$file" ] || continue
	compare "$file"
	compare_plt "$file"
done

# What a stripped file has in MiniDebugInfo, as distributions make it: its local functions.
nm "$PERFPIPE" --format=posix --defined-only | awk '$2 == "t" { print $1 }' | sort -u > local
{
	objcopy --only-keep-debug "$PERFPIPE" mini && objcopy -S --keep-symbols=local mini mini.only && xz mini.only &&
		objcopy -S --add-section .gnu_debugdata=mini.only.xz "$PERFPIPE" packed
} 2> objcopy.err || { cat objcopy.err; bad=1; }
"$dump" packed > found 2> summary || { cat summary; bad=1; }
if "$PERFPIPE" --version | grep -q ' lzma'; then
	grep -q 'functions, all' summary || { echo "MiniDebugInfo is not read: $(cat summary)"; bad=1; }
	cut -d ' ' -f 3 found | sort -u | comm -23 local - > missing
	# of several at one address one name is left
	[ "$(wc -l < missing)" -le $(($(wc -l < local) / 100)) ] ||
		{ echo "of $(wc -l < local) names of MiniDebugInfo $(wc -l < missing) are missing"; bad=1; }
fi
exit $bad
