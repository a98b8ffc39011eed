/* SPDX-License-Identifier: MIT */
/*
 * Each step waits for the one before, so that it takes the same time wherever it stands. The
 * function gets a frame, which compilers omit where they can.
 */
#ifndef WORK_H
#define WORK_H

#define WORK(value_, steps_)                                                                       \
	do {                                                                                       \
		__asm__ volatile("" : : "r"(__builtin_frame_address(0)));                          \
		for (unsigned long step_ = 0; step_ < (steps_); step_++)                           \
			(value_) = ((value_) ^ (value_) >> 7) * 6364136223846793005u + 1;          \
	} while (0)

#endif
