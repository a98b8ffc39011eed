/* SPDX-License-Identifier: MIT */
#include "model/namer.h"

#include "base/alloc.h"
#include "model/model.h"

void model_add_namer(struct model *model, struct model_namer namer)
{
	model->namers = xgrow(model->namers, model->namer_count, &model->namer_capacity,
			      sizeof(*model->namers));
	model->namers[model->namer_count++] = namer;
}

/* Of too many frames the last remains, since it is the function that has the address. */
void naming_add(struct address_naming *naming, const struct model_frame *frame)
{
	const struct model *model = naming->model;
	const uint32_t number = naming->entry->module;
	const struct model_module *module = number == MODEL_NONE ? NULL : &model->modules[number];
	const size_t at = naming->count < NAMING_MOST ? naming->count++ : NAMING_MOST - 1;
	struct model_frame *added = &naming->frames[at];

	*added = *frame;
	if (!added->module)
		added->module = module ? module->name : model->unknown;
	if (!added->path)
		added->path = module ? module->shown_path : model->unknown;
}
