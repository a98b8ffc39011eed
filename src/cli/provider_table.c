/* SPDX-License-Identifier: MIT */
#include "cli/provider_table.h"

#include <inttypes.h>

#include "cli/table.h"
#include "record/provider_names.h"

static const struct table_column columns[] = {
	{ "Provider Name", TABLE_LEFT },
	{ "Keywords", TABLE_LEFT },
	{ "Level", TABLE_LEFT },
	{ "Enabled By", TABLE_LEFT },
	{ 0 },
};

static void add_row(struct table *table, const struct provider *provider)
{
	char keywords[32];
	char level[32];

	snprintf(keywords, sizeof(keywords), "0x%016" PRIX64, provider->keywords);
	snprintf(level, sizeof(level), "%s(%u)", level_name(provider->level), provider->level);
	table_cell(table, provider->name);
	table_cell(table, keywords);
	table_cell(table, level);
	table_cell(table, provider->enabled_by);
}

void provider_table_print(const struct provider_set *set, FILE *out)
{
	struct table table = { .columns = columns };

	for (size_t i = 0; i < set->count; i++)
		add_row(&table, &set->providers[i]);
	table_print(&table, out);
	table_release(&table);
}
