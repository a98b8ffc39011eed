/* SPDX-License-Identifier: MIT */
/*
 * weigh.h - the weights of samples.
 *
 * A sample weighs the time to the next one of its thread (samples.h); the last one gets the median
 * weight, which is determined here. The kernel's samples have weights of their own.
 */
#ifndef MODEL_WEIGH_H
#define MODEL_WEIGH_H

#include "model/model.h"

void model_weigh(struct model *model);

#endif
