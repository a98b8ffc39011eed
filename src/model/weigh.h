/* SPDX-License-Identifier: MIT */
/*
 * weigh.h - the time that samples stand for.
 *
 * A sample of a thread weighs the time to the thread's next one (samples.h); the last one weighs
 * the median of all, which is found here. The kernel's samples have their weight already.
 */
#ifndef MODEL_WEIGH_H
#define MODEL_WEIGH_H

#include "model/model.h"

void model_weigh(struct model *model);

#endif
