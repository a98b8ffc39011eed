/* SPDX-License-Identifier: MIT */
/*
 * weigh.h - the time that each sample stands for.
 *
 * A sample of a thread weighs the time to the thread's next one; the last one weighs
 * the median of all. The kernel's samples have their weight already.
 */
#ifndef MODEL_WEIGH_H
#define MODEL_WEIGH_H

#include "model/model.h"

void model_weigh(struct model *model);

#endif
