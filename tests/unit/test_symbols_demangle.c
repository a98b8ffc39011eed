/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "base/array.h"
#include "base/buffer.h"
#include "symbols/demangle.h"

#define NAME_MOST ((size_t)64 * 1024)

struct name {
	const char *symbol;
	const char *expected; /* NULL: it is not a mangled name */
};

static void expect(const struct name *name, unsigned flags)
{
	struct buffer text = { 0 };
	const bool is_mangled = demangle(name->symbol, flags, &text);

	buffer_u8(&text, 0);
	assert_string_equal(is_mangled ? (const char *)text.bytes : name->symbol,
			    name->expected ? name->expected : name->symbol);
	assert_int_equal(is_mangled, name->expected != NULL);
	assert_true(is_mangled || text.size == 1);
	buffer_release(&text);
}

static void expect_all(const struct name *names, size_t count, unsigned flags)
{
	for (size_t i = 0; i < count; i++)
		expect(&names[i], flags);
}

/* Most are examples of the Itanium C++ ABI. */
static void demangles_cpp(void **state)
{
	static const struct name names[] = {
		{ "_Z1fv", "f()" },
		{ "_Z3foo3bar", "foo(bar)" },
		{ "_ZN3foo3barEi", "foo::bar(int)" },
		{ "_ZplR1XS0_", "operator+(X&, X&)" },
		{ "_Z5firstI3DuoEvS0_", "void first<Duo>(Duo)" },
		{ "_ZN1N1fE", "N::f" },
		{ "_ZN5StackIiiE5levelE", "Stack<int, int>::level" },
		{ "_ZNK1A1fEv", "A::f() const" },
		{ "_Z3fooIiFvdEiEvv", "void foo<int, void (double), int>()" },
		{ "_ZngILi42EEvN1AIXplT_Li2EEE1TE", "void operator-<42>(A<(42)+(2)>::T)" },
		{ "_ZN3FooC2Ev", "Foo::Foo()" },
		{ "_ZN3FooD0Ev", "Foo::~Foo()" },
		{ "_ZTV3Foo", "vtable for Foo" },
		{ "_ZGVZ1fvE1x", "guard variable for f()::x" },
		{ "_ZThn8_N1A1fEv", "non-virtual thunk to A::f()" },
		{ "_ZZ1gvENK1S1fEv", "g()::S::f() const" },
		{ "_ZN12_GLOBAL__N_11fEv", "(anonymous namespace)::f()" },
		{ "_ZNSs6appendEPKc", "std::string::append(char const*)" },
		{ "_ZZ4mainENKUliE_clEi", "main::{lambda(int)#1}::operator()(int) const" },
		{ "_Z1fIJidEEvDpT_", "void f<int, double>(int, double)" },
		{ "_Z1fB5cxx11v", "f[abi:cxx11]()" },
		{ "_GLOBAL__I__ZN3fooEv", "global constructors keyed to foo()" },
	};

	(void)state;
	expect_all(names, ARRAY_COUNT(names), 0);
}

static void keeps_suffixes(void **state)
{
	static const struct name names[] = {
		{ "_ZN3fooEv.cold", "foo() [clone .cold]" },
		{ "_ZN3fooEi.constprop.0.isra.0", "foo(int) [clone .constprop.0] [clone .isra.0]" },
		{ "_ZN3fooEv.lto_priv.0", "foo() [clone .lto_priv.0]" },
		{ "_Z1fv.llvm.123", "f() [clone .llvm.123]" },
		{ "_ZN3fooEv@plt", "foo()@plt" },
		{ "_ZN3fooEv@@GLIBCXX_3.4", "foo()@@GLIBCXX_3.4" },
		{ "_ZN3fooEv.cold@plt", "foo() [clone .cold]@plt" },
		{ "_RNvC1a1f@plt", "a::f@plt" },
		{ "_RNvC1a1f.cold", "a::f [clone .cold]" },
		{ "_RNvC1a1f.part.0.cold.1", "a::f [clone .part.0] [clone .cold.1]" },
		{ "_RNvC1a1f.llvm.A5310EB9", "a::f" },
		{ "_RNvC1a1f.", NULL },
		{ "_RNvC1a1f.cold$", "a::f [clone .cold$]" },
		{ "_RNvC1a1f$x", NULL },
		{ "_ZN4core3pad17h05af221e174051e9E.llvm.1234", "core::pad" },
		{ "_ZN4core3pad17h05af221e174051e9E.cold", "core::pad [clone .cold]" },
	};

	(void)state;
	expect_all(names, ARRAY_COUNT(names), 0);
}

static void leaves_other_names_alone(void **state)
{
	static const struct name names[] = {
		{ "", NULL },
		{ "_", NULL },
		{ "_Z", NULL },
		{ "_R", NULL },
		{ "main", NULL },
		{ "memcpy@plt", NULL },
		{ "i", NULL },
		{ "_ZN3foo", NULL },
		{ "_Zebra", NULL },
		{ "_Remove", NULL },
		{ "_RNvC1\xc3\xa4", NULL },
		{ "_Z2\xc3\xa4v", NULL },
		{ "_GLOBAL_OFFSET_TABLE_", NULL },
		{ "@plt", NULL },
		{ "_Z@plt", NULL },
	};

	(void)state;
	expect_all(names, ARRAY_COUNT(names), 0);
}

/* Examples of RFC 2603 and of rustc-demangle, and symbols of rustc 1.95. */
static void demangles_paths_of_rust(void **state)
{
	static const struct name names[] = {
		{ "_RNvNtNtC7mycrate3foo3bar3baz", "mycrate::foo::bar::baz" },
		{ "_RNvC6_123foo3bar", "123foo::bar" },
		{ "_RNvMs_NtCs1234_7mycrate3fooNtB4_1S3bar", "<mycrate::foo::S>::bar" },
		{ "_RNvYNtC1a1SNtC1a1T1f", "<a::S as a::T>::f" },
		{ "_RNvXs_C1aNtB4_1SNtB4_1T1f", "<a::S as a::T>::f" },
		{ "_RINvNtC3std3mem8align_ofdE", "std::mem::align_of::<f64>" },
		{ "_RNCNCNgCs6DXkGYLi8lr_2cc5spawn00B5_", "cc::spawn::{closure#0}::{closure#0}" },
		{ "_RNSC1a4once", "a::{shim:once#0}" },
		{ "_RNSNvC1a1fs_0", "a::f::{shim#1}" },
		{ "_RNKC1a1b", "a::{K:b#0}" },
		{ "_RNvC1a1fC1b", "a::f" },
		{ "_RNqCs4fqI2P2rA04_11utf8_identsu30____7hkackfecea1cbdathfdh9hlq6y",
		  "utf8_idents::საჭმელად_გემრიელი_სადილი" },
		{ "_RNvCu8gdel_5qa1f", "gödel::f" },
		{ "_RNvCu4zzzz1f", "punycode{zzzz}::f" },
		{ "_RNvNvMCs4fqI2P2rA04_13const_genericINtB4_3FooKpE3foo3FOO",
		  "<const_generic::Foo<_>>::foo::FOO" },
		{ "_RNCINkXs25_NgCsbmNqQUJIY6D_4core5sliceINyB9_4IterhENuNgNoBb_"
		  "4iter8iterator8Iterator9"
		  "rpositionNCNgNpB9_6memchr7memrchrs_0E0Bb_",
		  "<core::slice::Iter<u8> as core::iter::iterator::Iterator>::rposition::"
		  "<core::slice::memchr::memrchr::{closure#1}>::{closure#0}" },
		{ "_R0NvC1a1f", NULL },
		{ "_RNvC1a1f1", NULL },
		{ "_RN0C1a1f", NULL },
		{ "_RNvC1a9f", NULL },
		{ "_RNvC1a99999999999999999999999999f", NULL },
		{ "_RNvCsZZZZZZZZZZZZZZZZZZ_1a1f", NULL },
	};

	(void)state;
	expect_all(names, ARRAY_COUNT(names), 0);
}

static void demangles_types_of_rust(void **state)
{
	static const struct name names[] = {
		{ "_RINvC1a1fabcdefhijE",
		  "a::f::<i8, bool, char, f64, str, f32, u8, isize, usize>" },
		{ "_RINvC1a1flmnopstuvxyzE",
		  "a::f::<i32, u32, i128, u128, _, i16, u16, (), ..., i64, u64, !>" },
		{ "_RINvC1a1fQePhOhShAhj3_E",
		  "a::f::<&mut str, *const u8, *mut u8, [u8], [u8; 3]>" },
		{ "_RINvC1a1fTThEhEE", "a::f::<((u8,), u8)>" },
		{ "_RINvC1a1fTEE", "a::f::<()>" },
		{ "_RINvC1a1fRL_hL_E", "a::f::<&u8, '_>" },
		{ "_RINvC1a1fFEzE", "a::f::<fn() -> !>" },
		{ "_RINvC1a1fFUKCEuE", "a::f::<unsafe extern \"C\" fn()>" },
		{ "_RINvC1a1fFK13system_unwindhEhE",
		  "a::f::<extern \"system-unwind\" fn(u8) -> u8>" },
		{ "_RMC0FG0_RL1_hRL0_tEu", "<for<'a, 'b> fn(&'a u8, &'b u16)>" },
		{ "_RINvC1a1fDNtC1a1TNtC1a4SyncEL_E", "a::f::<dyn a::T + a::Sync>" },
		{ "_RINvC1a1fDG_INtC1a2FnTRL0_hEEp6OutputRL0_hEL_E",
		  "a::f::<dyn for<'a> a::Fn<(&'a u8,), Output = &'a u8>>" },
		{ "_RINvC1a1fDNtC1a8Iteratorp4ItemhEL_E", "a::f::<dyn a::Iterator<Item = u8>>" },
		{ "_RINvC1a1fFG_DNtC1a1TEL0_EuE", "a::f::<for<'a> fn(dyn a::T + 'a)>" },
		{ "_RINvC1a1fWmRm1_m9_E", "a::f::<u32 is 1..=9>" },
		{ "_RINvC1a1fWPhNE", "a::f::<*const u8 is !null>" },
		{ "_RINvC1a1fTheEB7_E", "a::f::<(u8, str), (u8, str)>" },
		{ "_RINvC1a1fRL0_hE", NULL },
		{ "_RINvC1a1fB_E", NULL },
		{ "_RINvC1a1fB7_E", NULL },
		{ "_RINvC1a1fDNtC1a1TEE", NULL },
		{ "_RINvC1a1fgE", NULL },
	};

	(void)state;
	expect_all(names, ARRAY_COUNT(names), 0);
}

static void demangles_constants_of_rust(void **state)
{
	static const struct name names[] = {
		{ "_RMC0INtC8arrayvec8ArrayVechKj7b_E", "<arrayvec::ArrayVec<u8, 123>>" },
		{ "_RINvC1a1fKanb_Ks98_Kj_E", "a::f::<-11, 152, 0>" },
		{ "_RINvC1a1fKnn80000000000000000000000000000000_E",
		  "a::f::<-0x80000000000000000000000000000000>" },
		{ "_RINvC1a1fKyffffffffffffffff_E", "a::f::<18446744073709551615>" },
		{ "_RINvC1a1fKb0_Kb1_KpE", "a::f::<false, true, _>" },
		{ "_RINvC1a1fKc76_Kca_Kc2202_Kc27_Kc22_E", "a::f::<'v', '\\n', '∂', '\\'', '\"'>" },
		{ "_RINvC1a1fKc1b_Kc202e_Kc200b_E", "a::f::<'\\u{1b}', '\\u{202e}', '\\u{200b}'>" },
		{ "_RINvCs6xxl1lAjzDf_1a1sKRe6122620a3cc3bc3e_EB2_", "a::s::<\"a\\\"b\\n<ü>\">" },
		{ "_RINvCs6xxl1lAjzDf_1a1sKRe_EB2_", "a::s::<\"\">" },
		{ "_RINvC1a1sKe6162_E", "a::s::<{*\"ab\"}>" },
		{ "_RINvCs6xxl1lAjzDf_1a1eKVNtNtB2_1E1AUEB2_", "a::e::<{a::E::A}>" },
		{ "_RINvCs6xxl1lAjzDf_1a1eKVNtNtB2_1E1BTh1_c27_EEB2_",
		  "a::e::<{a::E::B(1, '\\'')}>" },
		{ "_RINvCs6xxl1lAjzDf_1a1eKVNtNtB2_1E1CS1xln3_1yb1_EEB2_",
		  "a::e::<{a::E::C { x: -3, y: true }}>" },
		{ "_RINvCs6xxl1lAjzDf_1a1rKRAh1_h2_EEB2_", "a::r::<{&[1, 2]}>" },
		{ "_RINvC1a1rKQAh1_EE", "a::r::<{&mut [1]}>" },
		{ "_RINvCs6xxl1lAjzDf_1a1tKTh1_an1_EEB2_", "a::t::<{(1, -1)}>" },
		{ "_RINvCs6xxl1lAjzDf_1a1uKTh1_EEB2_", "a::u::<{(1,)}>" },
		{ "_RINvC1a1uKTRe78_RB8_EE", NULL },
		{ "_RINvC1a1fKb2_E", NULL },
		{ "_RINvC1a1fKcd800_E", NULL },
		{ "_RINvC1a1fKc110000_E", NULL },
		{ "_RINvC1a1fKRe6_E", NULL },
		{ "_RINvC1a1fKjA_E", NULL },
		{ "_RINvC1a1fKf0_E", NULL },
	};

	(void)state;
	expect_all(names, ARRAY_COUNT(names), 0);
}

static void demangles_older_names_of_rust(void **state)
{
	static const struct name names[] = {
		{ "_ZN4core3fmt9Formatter3pad17h05af221e174051e9E", "core::fmt::Formatter::pad" },
		{ "_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo..Bar$LT$Test$GT$$GT$3bar"
		  "17h05af221e174051e9E",
		  "<Test + 'static as foo::Bar<Test>>::bar" },
		{ "_ZN8$RF$test17h05af221e174051e9E", "&test" },
		{ "_ZN8$BP$test4foob17h05af221e174051e9E", "*test::foob" },
		{ "_ZN35Bar$LT$$u5b$u32$u3b$$u20$4$u5d$$GT$17h05af221e174051e9E", "Bar<[u32; 4]>" },
		{ "_ZN13test$u20$test4foob17h05af221e174051e9E", "test test::foob" },
		{ "_ZN3foo28_$u7b$$u7b$closure$u7d$$u7d$17h05af221e174051e9E", "foo::{{closure}}" },
		{ "_ZN12test$BP$test4foob17h05af221e174051e9E", "test*test::foob" },
		{ "_ZN8$u1b$abc3foo17h05af221e174051e9E", "$u1b$abc::foo" },
		{ "_ZN7$XY$abc3foo17h05af221e174051e9E", "$XY$abc::foo" },
		{ "_ZN5a.b$c3foo17h05af221e174051e9E", "a.b$c::foo" },
		/* without a hash, it is of C++ */
		{ "_ZN3foo17h05af221e174051e9Ev", "foo::h05af221e174051e9()" },
		{ "_ZN3foo17h05af221e174051egE", "foo::h05af221e174051eg" },
		{ "_ZN3foo3barE", "foo::bar" },
	};

	(void)state;
	expect_all(names, ARRAY_COUNT(names), 0);
}

static void folds_template_arguments(void **state)
{
	static const struct name names[] = {
		{ "_ZNSt6vectorIiSaIiEE9push_backERKi", "std::vector<...>::push_back(int const&)" },
		{ "_Z1fPFvSt6vectorIiSaIiEEE", "f(void (*)(std::vector<...>))" },
		{ "_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc",
		  "std::basic_ostream<...>& std::operator<< <...>(std::basic_ostream<...>&, char "
		  "const*)" },
		{ "_ZN1AlsEi", "A::operator<<(int)" },
		{ "_ZN1AltERKS_", "A::operator<(A const&)" },
		{ "_ZN1AssERKS_", "A::operator<=>(A const&)" },
		{ "_ZN1AptEv", "A::operator->()" },
		{ "_ZN1AptIiEEPT_v", "int* A::operator-><...>()" },
		{ "_ZN1AgtIiEEbT_", "bool A::operator><...>(int)" },
		{ "_ZltI1AEbRKT_S3_", "bool operator< <...>(A const&, A const&)" },
		{ "_ZNK1AclIiEEvT_", "void A::operator()<...>(int) const" },
		{ "_ZN1AcvSt6vectorIiSaIiEEEv", "A::operator std::vector<...>()" },
		{ "_ZN10myoperatorIiE1fEv", "myoperator<...>::f()" },
		{ "_ZN12_GLOBAL__N_11fIiEEvv", "void (anonymous namespace)::f<...>()" },
		{ "_ZZ4mainENKUlSt6vectorIiSaIiEEE_clES1_",
		  "main::{lambda(std::vector<...>)#1}::operator()(std::vector<...>) const" },
		{ "_Z1fILi1EEvP1AIXgtT_Li0EEE", "void f<...>(A<...>*)" },
		{ "_Z1fILi1EEvP1AIXltT_Li0EEE", "void f<...>(A<...>*)" },
		{ "_Z1fILi8EEvP1AIXrsT_Li1EEE", "void f<...>(A<...>*)" },
		{ "_ZN1AIiE1fEv.cold", "A<...>::f() [clone .cold]" },
		{ "_ZN3foo3barEi", "foo::bar(int)" },
		{ "_RINvNtC3std3mem8align_ofdE", "std::mem::align_of::<...>" },
		{ "_RNvXs_C1aINtB4_1ShEINtB4_1TeE1f", "<a::S<...> as a::T<...>>::f" },
		{ "_RMC0FG0_RL1_hRL0_INtC1a3VechEEm",
		  "<for<'a, 'b> fn(&'a u8, &'b a::Vec<...>) -> u32>" },
		{ "_RMC0DNtC1a8Iteratorp4ItemhEL_", "<dyn a::Iterator<...>>" },
		{ "_RMC0DINtC1a2FnuEp6OutputhEL_", "<dyn a::Fn<...>>" },
		{ "_RNCINvC1a1fhE0", "a::f::<...>::{closure#0}" },
		{ "_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo..Bar$LT$Test$GT$$GT$3bar"
		  "17h05af221e174051e9E",
		  "<Test + 'static as foo::Bar<...>>::bar" },
		{ "_ZN4core3ptr34drop_in_place$LT$Vec$LT$u8$GT$$GT$17h05af221e174051e9E",
		  "core::ptr::drop_in_place<...>" },
		{ "_ZN3num41_$LT$impl$u20$Debug$u20$for$u20$usize$GT$3fmt17h05af221e174051e9E",
		  "num::<impl Debug for usize>::fmt" },
		{ "_ZN79_$LT$for$LT$$u27$a$GT$$u20$fn$LP$$RF$$u27$a$u20$T$RP$$u20$as$u20$F$LT$T$GT$"
		  "$GT$"
		  "1f17h05af221e174051e9E",
		  "<for<'a> fn(&'a T) as F<...>>::f" },
	};

	(void)state;
	expect_all(names, ARRAY_COUNT(names), DEMANGLE_FOLD);
}

static void add_repeated(struct buffer *name, const char *part, size_t count)
{
	while (count--)
		buffer_text(name, part);
}

/* A result, or none; but soon, and not megabytes of it. */
static void expect_soon(struct buffer *name)
{
	struct buffer text = { 0 };

	buffer_u8(name, 0);
	for (unsigned flags = 0; flags <= DEMANGLE_FOLD; flags++) {
		demangle((const char *)name->bytes, flags, &text);
		assert_true(text.size <= 2 * NAME_MOST);
		buffer_rewind(&text, 0);
	}
	buffer_release(&text);
	buffer_release(name);
}

/* Each type is twice the one before. */
static void add_doubling_types(struct buffer *name, unsigned count)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

	buffer_text(name, "1aIiiE");
	for (unsigned i = 0; i < count; i++)
		buffer_printf(name, "S_IS%c_S%c_E", digits[i % 36], digits[i % 36]);
}

static void takes_names_made_to_take_for_ever(void **state)
{
	struct buffer name = { 0 };

	(void)state;
	buffer_text(&name, "_Z1f");
	add_doubling_types(&name, 35);
	expect_soon(&name);
	buffer_text(&name, "_Z1fDpPFv");
	add_doubling_types(&name, 35);
	buffer_text(&name, "E");
	expect_soon(&name);
	buffer_text(&name, "_Z1fIXsZcvPFv");
	add_doubling_types(&name, 35);
	buffer_text(&name, "ELi1EEEvv");
	expect_soon(&name);
	buffer_text(&name, "_ZN1acvT_I");
	add_repeated(&name, "N1acvT_I", 90);
	buffer_text(&name, "i");
	add_repeated(&name, "EE", 90);
	buffer_text(&name, "EEv");
	expect_soon(&name);
}

/* Each of these kept the demangler of gcc 12 busy for ever. */
static void takes_scopes_that_do_not_end(void **state)
{
	static const struct name names[] = {
		{ "_Z1fIXsrvED", NULL },
		{ "_Z1fIXsrv1xEDp", NULL },
		{ "_Z1fIXsrv1xECx", NULL },
		{ "_Z1fIXsrv1xEUx", NULL },
		{ "_Z1fIXsr1aDp", NULL },
		{ "_Z1fIXsrvEC", NULL },
		{ "_Z1fIXsrvEDC", NULL },
		{ "_Z1fDTsrvED3", NULL },
		{ "_Z1fAsrvED_i", NULL },
		{ "_Z1fI1aIXsr1b1xEEE", "f<a<b::x> >" },
		{ "_Z1fDTsr1a1xE", "f(decltype (a::x))" },
	};

	(void)state;
	expect_all(names, ARRAY_COUNT(names), 0);
}

static void takes_deep_and_long_names(void **state)
{
	static const struct {
		const char *start;
		const char *part;
		const char *end;
	} names[] = {
		{ "_Z1f", "P", "i" },
		{ "_Z1f", "PFv", "i" },
		{ "_Z1f", "1aI", "i" },
		{ "_Z1fIX", "ng", "Li1EEEvv" },
		{ "_ZN", "1a", "E" },
		{ "_RINvC1a1f", "R", "hE" },
		{ "_RINvC1a1f", "T", "hE" },
		{ "_R", "Nv", "C1a1b" },
		{ "_RINvC1a1fK", "R", "h1_E" },
		{ "_RINvC1a1f", "F", "E" },
		{ "_RINvC1a1f", "D", "E" },
		{ "_RINvC1a1f", "Wh", "E" },
		{ "_RINvC1a1fWh", "O", "E" },
		{ "_RM", "M", "C1a" },
		{ "_ZN", "1a", "17h05af221e174051e9E" },
		{ "_RINvC1a1f", "B_", "E" },
		{ "_RINvC1a1fFG", "Z", "_Eu" },
		{ "_Z1fv", ".a", "" },
		{ "_RNvC1a1f", ".a", "" },
		{ "_Z1fv@", "@", "" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(names); i++)
		for (size_t count = 10; count <= 10000; count *= 10) {
			struct buffer name = { 0 };

			buffer_text(&name, names[i].start);
			add_repeated(&name, names[i].part, count);
			buffer_text(&name, names[i].end);
			expect_soon(&name);
		}
}

/* Each tuple is twice the one before, by back-references. */
static void takes_doubling_names_of_rust(void **state)
{
	static const char digits[] =
		"0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
	struct buffer name = { 0 };
	struct buffer text = { 0 };

	(void)state;
	buffer_text(&name, "_RINvC1a1fTheE"); /* the tuple is at 8 in what follows _R */
	for (size_t at = 8, i = 0; i < 40; i++) {
		const char low = digits[(at - 1) % 62];
		const size_t next = name.size - 2;

		if (at > 62)
			buffer_printf(&name, "TB%c%cB%c%cE", digits[(at - 1) / 62], low,
				      digits[(at - 1) / 62], low);
		else
			buffer_printf(&name, "TB%c_B%c_E", low, low);
		at = next;
	}
	buffer_text(&name, "E");
	expect_soon(&name);
	assert_true(demangle("_RINvC1a1fTheETB7_B7_EE", 0, &text));
	buffer_u8(&text, 0);
	assert_string_equal(text.bytes, "a::f::<(u8, str), ((u8, str), (u8, str))>");
	buffer_release(&text);
}

/* In memory of its own, so that a sanitizer sees a read past the end. */
static void takes_every_start_of_names(void **state)
{
	static const char *const names[] = {
		"_ZStlsISt11char_traitsIcEERSt13basic_ostreamIcT_ES5_PKc",
		"_ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE6appendEPKc",
		"_RINvCs6xxl1lAjzDf_1a1eKVNtNtB2_1E1CS1xln3_1yb1_EEB2_.llvm.A5310EB9",
		"_RINvCs6xxl1lAjzDf_1a1sKRe6122620a3cc3bc3e_EB2_",
		"_RINvC1a1fDG_INtC1a2FnTRL0_hEEp6OutputRL0_hEL_E",
		"_RNqCs4fqI2P2rA04_11utf8_identsu30____7hkackfecea1cbdathfdh9hlq6y",
		"_ZN71_$LT$Test$u20$$u2b$$u20$$u27$static$u20$as$u20$foo..Bar$LT$Test$GT$$GT$3bar"
		"17h05af221e174051e9E.part.0",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_COUNT(names); i++)
		for (size_t size = 0; size <= strlen(names[i]); size++) {
			struct buffer text = { 0 };
			char *start = strndup(names[i], size);

			demangle(start, 0, &text);
			demangle(start, DEMANGLE_FOLD, &text);
			assert_false(text.failed);
			free(start);
			buffer_release(&text);
		}
}

static void appends(void **state)
{
	struct buffer text = { 0 };

	(void)state;
	buffer_text(&text, "a<b> ");
	assert_true(demangle("_ZN1AIiE1fEv", DEMANGLE_FOLD, &text));
	assert_false(demangle("_ZN1AIiE1f", DEMANGLE_FOLD, &text));
	assert_false(demangle("_RNvC1a1f1", DEMANGLE_FOLD, &text));
	assert_true(demangle("_RNvC1a1f", DEMANGLE_FOLD, &text));
	buffer_u8(&text, 0);
	assert_string_equal(text.bytes, "a<b> A<...>::f()a::f");
	buffer_release(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(demangles_cpp),
		cmocka_unit_test(keeps_suffixes),
		cmocka_unit_test(leaves_other_names_alone),
		cmocka_unit_test(demangles_paths_of_rust),
		cmocka_unit_test(demangles_types_of_rust),
		cmocka_unit_test(demangles_constants_of_rust),
		cmocka_unit_test(demangles_older_names_of_rust),
		cmocka_unit_test(folds_template_arguments),
		cmocka_unit_test(takes_names_made_to_take_for_ever),
		cmocka_unit_test(takes_scopes_that_do_not_end),
		cmocka_unit_test(takes_deep_and_long_names),
		cmocka_unit_test(takes_doubling_names_of_rust),
		cmocka_unit_test(takes_every_start_of_names),
		cmocka_unit_test(appends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
