/* SPDX-License-Identifier: MIT */
/*
 * perfetto.h - what perfetto.c and perfetto_events.c share: packets and tracks.
 */
#ifndef EXPORT_PERFETTO_H
#define EXPORT_PERFETTO_H

#include "base/protobuf.h"
#include "export/stack_table.h"
#include "export/format.h"
#include "export/string_table.h"
#include "export/tracks.h"

/* Fields of TracePacket, and of what several of its kinds have. */
enum {
	PACKET_CLOCK_SNAPSHOT = 6,
	PACKET_TIMESTAMP = 8,
	PACKET_SEQUENCE = 10,
	PACKET_TRACK_EVENT = 11,
	PACKET_INTERNED_DATA = 12,
	PACKET_SEQUENCE_FLAGS = 13,
	PACKET_DEFAULTS = 59,
	PACKET_TRACK_DESCRIPTOR = 60,
	PACKET_STACK_SAMPLE = 135,
	TRACK_UUID = 1,
	TRACK_NAME = 2,
	TRACK_PROCESS = 3,
	TRACK_THREAD = 4,
	TRACK_PARENT_UUID = 5,
	TRACK_COUNTER = 8,
};

struct perfetto_lane {
	uint64_t uuid;
	int64_t end_ns; /* of the last slice in it */
	uint32_t next;	/* of the same thread and kind; number + 1, 0 ends */
};

struct perfetto {
	struct export_source *source;
	struct output_buffer *out;
	struct proto proto; /* into `out` */
	struct stack_table all;
	struct string_table mappings;
	bool *frames_known; /* by frame: it was written */
	bool *stacks_known; /* by node of `all` */
	size_t stacks_room;
	uint32_t *path;
	size_t path_capacity;
	uint64_t last_uuid;
	uint64_t *processes;   /* by process: the uuid of its track, or 0 */
	struct map threads;    /* by process and id: the uuid */
	struct map lane_lists; /* by track and kind: the first lane's number + 1 */
	struct perfetto_lane *lanes;
	size_t lane_count, lane_capacity;
};

/* A packet that holds one message, without a time and with one. */
void perfetto_open(struct perfetto *p, uint32_t field);
void perfetto_open_at(struct perfetto *p, uint32_t field, int64_t time_ns);
void perfetto_close(struct perfetto *p);

/* The track of a process or thread, which is described when it is first asked for. */
uint64_t perfetto_process(struct perfetto *p, uint32_t process);
uint64_t perfetto_thread(struct perfetto *p, uint32_t process, int64_t id, const char *name);

void perfetto_put_spans(struct perfetto *p);
void perfetto_put_tasks(struct perfetto *p);
void perfetto_put_counters(struct perfetto *p);

#endif
