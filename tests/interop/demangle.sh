# Names of real libraries and programs are those of c++filt, which is of binutils: with --no-verbose, since that
# is how people write them (std::string, and Rust without hashes of crates and types of constants).
. "$SOURCE/tests/interop/readers"
need c++filt binutils
names="$(dirname "$PERFPIPE")/tests/demangle_names"
: > failures
: > compared

fail() { echo "$*" >> failures; }

# compare NAME: symbols in NAME.symbols, both results in NAME.ours and NAME.theirs
compare()
{
	"$names" < "$1.symbols" > "$1.ours" || fail "$1: demangle_names failed"
	c++filt --no-verbose < "$1.symbols" > "$1.theirs"
	grep -cE '^(_Z|_R)' "$1.symbols" >> compared
}

# same NAME [KNOWN]: all lines but those that KNOWN matches in theirs
same()
{
	diff "$1.theirs" "$1.ours" | grep '^<' | { [ -z "${2-}" ] && cat || grep -vE "$2"; } > differences
	[ ! -s differences ] || fail "$1: $(wc -l < differences) names differ, such as $(head -n 3 differences)"
}

symbols_of() { { nm -D "$1"; nm "$1"; } 2> /dev/null | awk '{ print $NF }' | sort -u; }

stdcxx=$(ldconfig -p 2> /dev/null | awk '/libstdc\+\+\.so\.6/ { print $NF; exit }')
if [ -n "$stdcxx" ]; then
	symbols_of "$stdcxx" > stdcxx.symbols
	compare stdcxx
	same stdcxx
fi
coreclr=$(find "$(dirname "$(readlink -f "$(command -v dotnet)")")" -name libcoreclr.so 2> /dev/null | head -n 1)
if [ -n "$coreclr" ]; then
	symbols_of "$coreclr" > coreclr.symbols
	compare coreclr
	same coreclr
fi
shared=$SOURCE/../shared/traces/symbols
if [ -d "$shared" ]; then
	cp "$shared/cpp_symbols.txt" cpp.symbols
	compare cpp
	same cpp
	# 2.40 cuts digits off numbers of more than 64 bits: 0xfffffffffffffff_
	cp "$shared/rust_symbols.txt" rust.symbols
	compare rust
	same rust '0x[0-9a-f]*_'
	# llvm-cxxfilt shows suffixes of LLVM
	if command -v llvm-cxxfilt-14 > /dev/null; then
		llvm-cxxfilt-14 < rust.symbols > rust.theirs
		same rust ' \(\.llvm\.[0-9]*\)$'
	fi
fi

# A program of this machine's rustc, in both manglings; its own backtraces are the second referee.
if command -v rustc > /dev/null || [ -x "$HOME/.cargo/bin/rustc" ]; then
	PATH=$PATH:$HOME/.cargo/bin
	cp "$SOURCE/tests/interop/demangle_shapes.rs" shapes.rs
	for version in v0 legacy; do
		RUSTC_BOOTSTRAP=1 rustc -Z unstable-options -C symbol-mangling-version=$version -o shapes shapes.rs > rustc.log 2>&1 ||
			{ echo "rustc does not build the program: $(head -n 5 rustc.log)"; continue; }
		nm shapes | awk '$NF ~ /^_(R|ZN)/ { print $NF }' > rustc.symbols
		"$names" < rustc.symbols | sort -u > ours
		! grep '^_[RZ]' ours > left || fail "rustc $version: $(wc -l < left) names left, such as $(head -n 3 left)"
		./shapes | sed -n 's/^ *[0-9]*: shapes::/shapes::/p' | sort -u > theirs
		[ "$(grep -c . theirs)" -gt 9 ] || fail "rustc $version: no backtraces: $(cat theirs)"
		comm -23 theirs ours > missing
		[ ! -s missing ] || fail "rustc $version: names in backtraces but not in ours: $(cat missing)"
	done
fi

# Folding leaves what is outside of angle brackets.
cat ./*.symbols | "$names" fold > folded
[ "$(wc -l < folded)" = "$(cat ./*.symbols | wc -l)" ] || fail "folding loses names"
! grep -E '<[^.]*<\.\.\.>' folded | grep -vE 'operator|^<|[( &]<|: <' > nested || fail "arguments in arguments: $(head -n 3 nested)"

awk '{ sum += $1 } END { print sum + 0, "names compared" }' compared
if [ -s failures ]; then
	cat failures
	exit 1
fi
[ -s compared ] || { echo "skipped: there is no library to compare names of"; exit 77; }
