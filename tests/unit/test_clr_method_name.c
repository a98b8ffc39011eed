/* SPDX-License-Identifier: MIT */
#include "clr/method_name.h"

#include <stdio.h>
#include <stdlib.h>

#include "trace_reading.h"

static void expect(const struct method_name *name, const char *wanted, bool raw)
{
	struct buffer out = { 0 };

	if (raw)
		method_name_raw(&out, name);
	else
		method_name_source(&out, name);
	buffer_u8(&out, 0);
	assert_string_equal((const char *)out.bytes, wanted);
	buffer_release(&out);
}

static void expect_source(const char *type, const char *name, const char *signature,
			  const char *wanted)
{
	expect(&(const struct method_name){ type, name, signature }, wanted, false);
}

static void raw_names_are_type_name_and_arguments(void **state)
{
	(void)state;
	expect(&(const struct method_name){ "A.B", "Run", "instance void  (int32)" },
	       "A.B.Run(int32)", true);
	expect(&(const struct method_name){ "", "Stub", "void  ()" }, "Stub()", true);
	expect(&(const struct method_name){ "A", ".ctor", "" }, "A..ctor", true);
}

static void state_machines_are_named_after_their_method(void **state)
{
	(void)state;
	expect_source("Shop.Orders+<PlaceAsync>d__7", "MoveNext", "instance void  ()",
		      "Shop.Orders.PlaceAsync(…)");
	expect_source("Shop.Orders+<All>d__3", "MoveNext", "instance bool  ()",
		      "Shop.Orders.All(…)");
	expect_source("Shop.Orders+<All>d__3", "System.IDisposable.Dispose", "instance void  ()",
		      "Shop.Orders.All.System.IDisposable.Dispose()");
	expect_source("Shop.Cache`1+<GetAsync>d__2[System.__Canon]", "MoveNext", "",
		      "Shop.Cache<T0>.GetAsync(…)");
}

static void lambdas_and_local_functions_are_in_their_method(void **state)
{
	(void)state;
	expect_source("W.Cpu+<>c__DisplayClass2_0", "<Run>b__0", "instance void  ()",
		      "W.Cpu.Run.lambda#0()");
	expect_source("W.Cpu+<>c", "<Extras>b__8_1", "instance int32  (int32)",
		      "W.Cpu.Extras.lambda#1(int)");
	expect_source("System.Threading.Thread", "<PollGC>g__PollGCWorker|67_0", "void  ()",
		      "System.Threading.Thread.PollGC.PollGCWorker()");
	expect_source("W.Web+<>c+<<Build>b__0_2>d", "MoveNext", "instance void  ()",
		      "W.Web.Build.lambda#2(…)");
	expect_source("W.Web+<<Run>g__Step|0_1>d", "MoveNext", "", "W.Web.Run.Step(…)");
	expect_source("Program", "<Main>$", "void  (class System.String[])",
		      "Program.Main(string[])");
	expect_source("Program", "<<Main>$>g__Help|0_0", "void  ()", "Program.Main.Help()");
}

static void generics_have_their_arguments(void **state)
{
	(void)state;
	expect_source("System.Collections.Generic.List`1[System.__Canon]", "Add",
		      "instance void  (!0)", "System.Collections.Generic.List<T0>.Add(T0)");
	expect_source("D`2[System.__Canon,System.Int32]", "TryGetValue", "instance bool  (!0,!1&)",
		      "D<T0, int>.TryGetValue(T0, ref T1)");
	expect_source("A`1+B`1[System.Int32,System.String]", "Run", "void  (!!0)",
		      "A<int>.B<string>.Run(M0)");
	expect_source("List`1", "Add", "", "List<T0>.Add");
	expect_source("L`1[L`1[System.Int32]]", "Add", "", "L<L<int>>.Add");
	expect_source("L`1[System.Int32[]]", "Add", "", "L<int[]>.Add");
}

static void signatures_are_those_of_the_source(void **state)
{
	(void)state;
	expect_source("A", "M", "void  (bool,wchar,unsigned int8,int64,float64,native int)",
		      "A.M(bool, char, byte, long, double, nint)");
	expect_source("A", "M", "void  (class System.Object,class System.String&)",
		      "A.M(object, ref string)");
	expect_source("A", "M", "void  (value class System.ReadOnlySpan`1<wchar>,int32[,])",
		      "A.M(ReadOnlySpan<char>, int[,])");
	expect_source("A", "M", "void  (value class System.Nullable`1<int32>)", "A.M(int?)");
	expect_source("A", "M",
		      "void  (class System.Collections.Generic.Dictionary`2<int32,class B.C+D>)",
		      "A.M(Dictionary<int, D>)");
	expect_source("A", "M", "void  (wchar**,unsigned int8*)", "A.M(char**, byte*)");
	expect_source("A", "M",
		      "void  (required_modifier System.Runtime.InteropServices.InAttribute value "
		      "class B.C&)",
		      "A.M(ref C)");
}

static void function_pointers_are_those_of_csharp(void **state)
{
	(void)state;
	expect_source("A", "M", "void  (fnptr void(int32,bool))",
		      "A.M(delegate*<int, bool, void>)");
	expect_source("A", "M", "void  (fnptr void())", "A.M(delegate*<void>)");
	expect_source("A", "M", "void  (method void *(int32,bool))",
		      "A.M(delegate*<int, bool, void>)");
	expect_source(
		"A", "M",
		"void  (class System.RuntimeType,fnptr class System.Object(void*)&,void*&,fnptr "
		"void(unsigned int8&)&,bool&)",
		"A.M(RuntimeType, ref delegate*<void*, object>, ref void*, ref delegate*<ref "
		"byte, void>, ref bool)");
	expect_source("A", "M", "void  (fnptr fnptr void(int32)(bool)[],fnptr void(int32)*)",
		      "A.M(delegate*<bool, delegate*<int, void>>[], delegate*<int, void>*)");
	expect_source("A", "M", "fnptr int32(bool)  (class System.String)", "A.M(string)");
	expect_source("A", "M", "void  (fnptr,fnptr ,fnptr int32)",
		      "A.M(fnptr, fnptr, fnptr int32)");
}

static void names_that_are_not_understood_stay(void **state)
{
	(void)state;
	expect_source("dynamicClass", "lambda_method3", "void  (pMT: 0x7f00)",
		      "dynamicClass.lambda_method3(pMT: 0x7f00)");
	expect_source("A<", "<>", "void (", "A<.<>(");
	expect_source("Program", "<Main>", "void  (class System.String[])",
		      "Program.<Main>(string[])");
	expect_source("A`1[", "M", "(", "A`1[.M(");
	expect_source("", "", "", "");
}

static void expect_class(const char *type, const char *name, const char *wanted)
{
	const struct method_name method = { type, name, "void  (class A.B)" };
	struct buffer out = { 0 };
	size_t size;

	buffer_text(&out, "[tier]");
	size = method_name_source(&out, &method);
	assert_int_equal(size, strlen(wanted));
	assert_memory_equal(out.bytes + 6, wanted, size);
	buffer_release(&out);
}

/* Names of methods may have dots, as those that implement an interface do. */
static void the_class_is_known_from_the_type(void **state)
{
	(void)state;
	expect_class("Shop.Orders", "System.IDisposable.Dispose", "Shop.Orders");
	expect_class("Shop.Orders", ".ctor", "Shop.Orders");
	expect_class("Shop.Orders+<>c__DisplayClass1_0", "<Main>b__0", "Shop.Orders");
	expect_class("Shop.Orders+<PlaceAsync>d__7", "MoveNext", "Shop.Orders");
	expect_class("Shop.Orders", "<Main>g__Local|0_0", "Shop.Orders");
	expect_class("Shop.Cache`1+Entry[System.Int32]", "Get", "Shop.Cache<int>.Entry");
	expect_class("", "Stub", "");
	expect_class("Shop.Orders+<>c", "<Place>b__3_0", "Shop.Orders");
	expect_class("Program", "<Main>$", "Program");
	expect_class("Program", "<<Main>$>g__TakeOrders|0_0", "Program");
	expect_class("Program+<<<Main>$>g__TakeOrders|0_0>d", "MoveNext", "Program");
	expect_class("Program+<>c__DisplayClass0_0", "<<Main>$>b__2", "Program");
	expect_class("Shop.Orders+<>c__DisplayClass3_0+<<Place>b__0>d", "MoveNext", "Shop.Orders");
	expect_class("Shop.Orders+<>c__DisplayClass3_0", "<Place>g__Local|1", "Shop.Orders");
	expect_class("Shop.Orders+<>c__4`1[System.Int32]", "<Place>b__4_0", "Shop.Orders");
	expect_class("Shop.Orders+<>c__DisplayClass4_0`1[System.__Canon]", "<Place>b__0",
		     "Shop.Orders");
	expect_class("Shop.Orders+<PlaceAsync>d__7`1[System.__Canon]", "MoveNext", "Shop.Orders");
	expect_class("Shop.Cache`1+<>c[System.Int32]", "<Get>b__1_0", "Shop.Cache<int>");
	expect_class("Shop.Cache`1+<>c__DisplayClass2_0[System.Int32]", "<Get>b__0",
		     "Shop.Cache<int>");
	expect_class("Shop.Cache`1+<GetAsync>d__3[System.Int32]", "MoveNext", "Shop.Cache<int>");
	expect_class("Shop.Cache`1[System.__Canon]", "<Get>g__Inner|2_0", "Shop.Cache<T0>");
	expect_class("Shop.Orders+Line", "Total", "Shop.Orders.Line");
	expect_class("Shop.Orders+Line+<>c", "<Total>b__0_0", "Shop.Orders.Line");
	expect_class("Shop.Orders+<Lines>d__9", "System.Collections.IEnumerator.MoveNext",
		     "Shop.Orders");
	expect_class("Shop.Orders+<Lines>d__9", "System.IDisposable.Dispose", "Shop.Orders");
	expect_class("Shop.Orders+<Lines>d__9", "<>m__Finally1", "Shop.Orders");
	expect_class("Shop.Orders+<>c__DisplayClass3_0", ".ctor", "Shop.Orders");
	expect_class("Shop.Orders+<>c", ".cctor", "Shop.Orders");
	expect_class("Shop.Orders", "<>n__0", "Shop.Orders");
	expect_class("<PrivateImplementationDetails>", "ComputeStringHash",
		     "<PrivateImplementationDetails>");
	expect_class("<>f__AnonymousType0`2[System.Int32,System.Int32]", "get_A",
		     "<>f__AnonymousType0<int, int>");
}

static void expect_raw_class(const char *type, const char *wanted)
{
	const struct method_name method = { type, "M", "void  (class A.B)" };
	struct buffer out = { 0 };
	const size_t size = method_name_raw(&out, &method);

	assert_int_equal(size, strlen(wanted));
	assert_memory_equal(out.bytes, wanted, size);
	buffer_release(&out);
}

static void the_raw_class_is_the_one_that_declares_it(void **state)
{
	(void)state;
	expect_raw_class("Shop.Orders", "Shop.Orders");
	expect_raw_class("Shop.Orders+Line", "Shop.Orders+Line");
	expect_raw_class("Shop.Orders+<>c__DisplayClass1_0", "Shop.Orders");
	expect_raw_class("Shop.Orders+Line+<>c", "Shop.Orders+Line");
	expect_raw_class("Shop.Orders+<PlaceAsync>d__7", "Shop.Orders");
	expect_raw_class("Program+<<<Main>$>g__TakeOrders|0_0>d", "Program");
	expect_raw_class("Shop.Orders+<>c__DisplayClass3_0+<<Place>b__0>d", "Shop.Orders");
	expect_raw_class("Shop.Orders+<>c__4`1[System.Int32]", "Shop.Orders");
	expect_raw_class("Shop.Cache`1+<>c[System.Int32]", "Shop.Cache`1");
	expect_raw_class("Shop.Cache`1+Entry[System.Int32]", "Shop.Cache`1+Entry[System.Int32]");
	expect_raw_class("<>c", "<>c");
	expect_raw_class("", "");
}

/* Any bytes, especially brackets. */
static void any_text_is_safe(void **state)
{
	static const char alphabet[] = "<>[]()`1+,.!&*|_bgd$ aZ/";
	char parts[3][24];
	unsigned seed = 7;

	(void)state;
	for (int round = 0; round < 200000; round++) {
		struct buffer out = { 0 };

		for (int i = 0; i < 3; i++) {
			const size_t size = (seed = seed * 1103515245u + 12345u) >> 16 & 15;

			for (size_t at = 0; at < size; at++)
				parts[i][at] =
					alphabet[((seed = seed * 1103515245u + 12345u) >> 16) %
						 (sizeof(alphabet) - 1)];
			parts[i][size] = '\0';
		}
		method_name_source(&out,
				   &(const struct method_name){ parts[0], parts[1], parts[2] });
		buffer_release(&out);
	}
}

static void expect_type(const char *type, const char *wanted)
{
	struct buffer out = { 0 };

	type_name_source(&out, type);
	buffer_u8(&out, 0);
	assert_string_equal((const char *)out.bytes, wanted);
	buffer_release(&out);
}

static void types_keep_their_namespace_and_have_arguments_as_in_the_source(void **state)
{
	(void)state;
	expect_type("", "");
	expect_type("System.Byte[]", "System.Byte[]");
	expect_type("System.String", "System.String");
	expect_type("Shop.Orders+Line", "Shop.Orders.Line");
	expect_type("System.Collections.Generic.List`1[System.String]",
		    "System.Collections.Generic.List<string>");
	expect_type("System.Collections.Generic.List`1[System.String][]",
		    "System.Collections.Generic.List<string>[]");
	expect_type("Shop.Cache`1+Entry`1[System.Int32,Shop.Order]",
		    "Shop.Cache<int>.Entry<Order>");
	expect_type("Entry[System.Int32,Shop.Orders+Line][]", "Entry<int, Line>[]");
	expect_type("Shop.Orders+<PlaceAsync>d__7", "Shop.Orders.<PlaceAsync>d__7");
	expect_type("Box`1[Shop.Reply,Shop.Handler+<SendAsync>d__4]",
		    "Box<Reply, <SendAsync>d__4>"); /* of a builder, which is not named */
	expect_type("Shop.Cache`1+Entry`1[System.__Canon,System.__Canon]",
		    "Shop.Cache<T0>.Entry<T1>");
	expect_type("List`1", "List<T0>");
	expect_type("List`1[", "List`1[");
}

static void type_arguments_that_the_compiler_named_may_be_generic(void **state)
{
	(void)state;
	expect_source("Box`2[System.Int32,Shop.Server+<Run>d__237`1[System.__Canon]]", "MoveNext",
		      "instance void  ()", "Box<int, <Run>d__237<T0>>.MoveNext()");
	expect_source("Box`1[Shop.Server+<Run>d__2]", "Get", "instance void  ()",
		      "Box<<Run>d__2>.Get()");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(raw_names_are_type_name_and_arguments),
		cmocka_unit_test(state_machines_are_named_after_their_method),
		cmocka_unit_test(lambdas_and_local_functions_are_in_their_method),
		cmocka_unit_test(generics_have_their_arguments),
		cmocka_unit_test(signatures_are_those_of_the_source),
		cmocka_unit_test(function_pointers_are_those_of_csharp),
		cmocka_unit_test(names_that_are_not_understood_stay),
		cmocka_unit_test(the_class_is_known_from_the_type),
		cmocka_unit_test(the_raw_class_is_the_one_that_declares_it),
		cmocka_unit_test(any_text_is_safe),
		cmocka_unit_test(types_keep_their_namespace_and_have_arguments_as_in_the_source),
		cmocka_unit_test(type_arguments_that_the_compiler_named_may_be_generic),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
