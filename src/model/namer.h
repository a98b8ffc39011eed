/* SPDX-License-Identifier: MIT */
/*
 * namer.h - names for addresses of code.
 *
 * A model has a list of namers. model_build() asks them about each address, in the order in which
 * they were added: one that knows the address adds its frames, and the next ones are not asked; one
 * that adds none declines. A namer sees what the trace says of the address: the process, when it
 * was first seen, the body of code and the module there.
 *
 *	static void name(void *self, struct address_naming *naming)
 *	{
 *		const struct symbol *symbol = find(self, naming->entry);
 *
 *		if (symbol)
 *			naming_add(naming, &(const struct model_frame){
 *				.name = model_text(naming->model, symbol->name) });
 *	}
 *
 *	model_add_namer(&model, (struct model_namer){ name, symbols });
 */
#ifndef MODEL_NAMER_H
#define MODEL_NAMER_H

#include <stddef.h>

#include "model/entities.h"

struct code_entry;
struct model;

#define NAMING_MOST 64 /* frames at one address: files of symbols can be hostile, too */

/* The naming of one address. */
struct address_naming {
	struct model *model;
	const struct code_entry *entry;
	struct model_frame frames[NAMING_MOST]; /* innermost first */
	size_t count;
};

/*
 * Adds a frame: the innermost inlined call first, the function that has the address last. Its texts
 * are the model's. `name` is required; without `module` and `path` they are those of the entry's
 * module; of the others `class_text`, `file` and `line` count. One that knows only why there is no
 * name sets `unresolved` and `of_module`.
 */
void naming_add(struct address_naming *naming, const struct model_frame *frame);

struct model_namer {
	void (*name)(void *self, struct address_naming *naming);
	void *self; /* must live until model_build(), which forgets all namers */
};

void model_add_namer(struct model *model, struct model_namer namer);

#endif
