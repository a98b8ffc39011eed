/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "unwind/address_space.h"

struct fixture {
	struct address_space space;
	struct unwind_module *a, *b;
};

static struct fixture begin(void)
{
	return (struct fixture){ .space = { .machine = &unwind_x86_64 },
				 .a = unwind_module_new("a"),
				 .b = unwind_module_new("b") };
}

static void end(struct fixture *f)
{
	address_space_release(&f->space);
	assert_int_equal(f->a->references, 1);
	assert_int_equal(f->b->references, 1);
	unwind_module_unref(f->a);
	unwind_module_unref(f->b);
}

static const struct unwind_module *at(const struct fixture *f, uint64_t address)
{
	const struct code_mapping *found = address_space_find(&f->space, address);

	return found ? found->module : NULL;
}

static uint64_t address_in_module(const struct fixture *f, uint64_t address)
{
	const struct code_mapping *found = address_space_find(&f->space, address);

	assert_non_null(found);
	return found->address + (address - found->start);
}

static void finds_what_is_mapped(void **state)
{
	struct fixture f = begin();

	(void)state;
	address_space_map(&f.space, 0x5000, 0x6000, f.b, 0);
	address_space_map(&f.space, 0x1000, 0x3000, f.a, 0x400);
	assert_null(at(&f, 0xfff));
	assert_ptr_equal(at(&f, 0x1000), f.a);
	assert_ptr_equal(at(&f, 0x2fff), f.a);
	assert_null(at(&f, 0x3000));
	assert_ptr_equal(at(&f, 0x5fff), f.b);
	assert_null(at(&f, 0x6000));
	assert_int_equal(address_in_module(&f, 0x1010), 0x410);
	end(&f);
}

static void a_new_mapping_takes_the_place_of_what_was_there(void **state)
{
	struct fixture f = begin();

	(void)state;
	address_space_map(&f.space, 0x1000, 0x5000, f.a, 0);
	address_space_map(&f.space, 0x2000, 0x3000, f.b, 0); /* in the middle */
	assert_ptr_equal(at(&f, 0x1fff), f.a);
	assert_ptr_equal(at(&f, 0x2000), f.b);
	assert_ptr_equal(at(&f, 0x3000), f.a);
	assert_int_equal(address_in_module(&f, 0x3000), 0x2000);
	address_space_map(&f.space, 0x4000, 0x6000, f.b, 0x100); /* over its end */
	assert_ptr_equal(at(&f, 0x3fff), f.a);
	assert_ptr_equal(at(&f, 0x4000), f.b);
	address_space_map(&f.space, 0x800, 0x1800, f.b, 0); /* over its start */
	assert_ptr_equal(at(&f, 0x17ff), f.b);
	assert_ptr_equal(at(&f, 0x1800), f.a);
	assert_int_equal(address_in_module(&f, 0x1800), 0x800);
	address_space_map(&f.space, 0, 0x10000, f.a, 0); /* over all */
	assert_int_equal(f.space.count, 1);
	end(&f);
}

static void what_is_unmapped_is_gone(void **state)
{
	struct fixture f = begin();

	(void)state;
	address_space_map(&f.space, 0x1000, 0x2000, f.a, 0);
	address_space_map(&f.space, 0x2000, 0x3000, f.b, 0);
	address_space_unmap(&f.space, 0x1800, 0x2800);
	assert_ptr_equal(at(&f, 0x17ff), f.a);
	assert_null(at(&f, 0x1800));
	assert_null(at(&f, 0x27ff));
	assert_ptr_equal(at(&f, 0x2800), f.b);
	address_space_unmap(&f.space, 0x2800, 0x2800);
	address_space_unmap(&f.space, 0x2900, 0x2800);
	address_space_map(&f.space, 0x9000, 0x9000, f.a, 0); /* empty */
	assert_ptr_equal(at(&f, 0x2800), f.b);
	assert_int_equal(f.space.count, 2);
	end(&f);
}

static void methods_come_before_the_table_of_managed_code(void **state)
{
	const struct unwind_rule rule = unwind_rule_at(&unwind_x86_64, X86_64_RSP, 40);
	const struct code_mapping *mapping;
	struct fixture f = begin();

	(void)state;
	f.a->is_managed = true;
	address_space_map(&f.space, 0x1000, 0x2000, f.a, 0);
	method_frames_begin(&f.space.methods, 0x1100, 0x40);
	method_frames_row(&f.space.methods, 0, &rule);
	assert_int_equal(address_space_rule(&f.space, 0x1100, &mapping)->cfa_offset, 40);
	assert_ptr_equal(mapping->module, f.a);
	assert_int_equal(address_space_rule(&f.space, 0x1140, &mapping)->kind, UNWIND_NO_RULE);
	assert_ptr_equal(mapping->module, f.a);
	assert_int_equal(address_space_rule(&f.space, 0x3000, &mapping)->kind, UNWIND_NO_RULE);
	assert_null(mapping);
	end(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_what_is_mapped),
		cmocka_unit_test(a_new_mapping_takes_the_place_of_what_was_there),
		cmocka_unit_test(what_is_unmapped_is_gone),
		cmocka_unit_test(methods_come_before_the_table_of_managed_code),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
