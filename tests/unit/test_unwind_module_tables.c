/* SPDX-License-Identifier: MIT */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "unwind/address_space.h"
#include "unwind/module_tables.h"

static struct unwind_module *add(struct module_tables *tables, const char *key)
{
	struct unwind_module *module = unwind_module_new(key);

	module_tables_add(tables, key, 4, module);
	unwind_module_unref(module);
	return module;
}

static void processes_share_the_module_of_a_build_id(void **state)
{
	struct address_space first = { .machine = &unwind_x86_64 };
	struct address_space second = { .machine = &unwind_x86_64 };
	struct module_tables tables = { 0 };

	(void)state;
	assert_null(module_tables_find(&tables, "aaaa", 4));
	add(&tables, "aaaa");
	add(&tables, "bbbb");
	address_space_map(&first, 0x1000, 0x2000, module_tables_find(&tables, "aaaa", 4), 0);
	address_space_map(&second, 0x5000, 0x6000, module_tables_find(&tables, "aaaa", 4), 0);
	assert_ptr_equal(address_space_find(&first, 0x1000)->module,
			 address_space_find(&second, 0x5000)->module);
	assert_int_equal(address_space_find(&first, 0x1000)->module->references, 3);
	assert_int_equal(module_tables_drop_unused(&tables), 1);
	assert_null(module_tables_find(&tables, "bbbb", 4));
	address_space_release(&first);
	assert_int_equal(module_tables_drop_unused(&tables), 0);
	address_space_release(&second);
	assert_int_equal(module_tables_drop_unused(&tables), 1);
	module_tables_release(&tables);
}

static void a_replaced_file_is_another_module(void **state)
{
	struct address_space space = { .machine = &unwind_x86_64 };
	struct module_tables tables = { 0 };
	const struct unwind_module *old = add(&tables, "aaaa"), *replaced;

	(void)state;
	address_space_map(&space, 0x1000, 0x2000, module_tables_find(&tables, "aaaa", 4), 0);
	replaced = add(&tables, "aaaa"); /* the same key, of a file that was written anew */
	assert_ptr_equal(module_tables_find(&tables, "aaaa", 4), replaced);
	assert_ptr_equal(address_space_find(&space, 0x1000)->module, old);
	address_space_map(&space, 0x1000, 0x2000, module_tables_find(&tables, "aaaa", 4), 0);
	assert_ptr_equal(address_space_find(&space, 0x1000)->module, replaced);
	address_space_release(&space);
	module_tables_release(&tables);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(processes_share_the_module_of_a_build_id),
		cmocka_unit_test(a_replaced_file_is_another_module),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
