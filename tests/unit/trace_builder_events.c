/* SPDX-License-Identifier: MIT */
/* The events and definitions of trace_builder.h, in the form of each version. */
#include <string.h>

#include "trace_builder.h"

#define NOT_SORTED 0x80000000u

static void put_guid(struct builder *b, const char *guid)
{
	if (guid)
		put_bytes(b, (struct literal){ guid, 16 });
	else
		put_zeros(b, 16);
}

static void event_netperf(struct builder *b, const struct event_spec *e)
{
	const size_t at = open_u32(b);

	put_u32(b, e->kind);
	put_u32(b, (uint32_t)e->thread);
	put_u64(b, (uint64_t)e->ticks);
	put_guid(b, e->activity);
	put_guid(b, e->related);
	put_u32(b, (uint32_t)e->payload.size);
	put_bytes(b, e->payload);
	put_u32(b, (uint32_t)e->addresses.size);
	put_bytes(b, e->addresses);
	while (b->version == 3 && (b->size - at) % 4)
		put_u8(b, 0);
	close_u32(b, at);
}

static void event_plain(struct builder *b, const struct event_spec *e)
{
	const size_t at = open_u32(b);

	put_u32(b, e->kind | (e->sorted ? 0 : NOT_SORTED));
	put_u32(b, e->sequence);
	put_u64(b, e->thread);
	put_u64(b, e->capture);
	put_u32(b, e->cpu);
	put_u32(b, e->stack);
	put_u64(b, (uint64_t)e->ticks);
	if (b->version >= 6) {
		put_u32(b, e->labels);
	} else {
		put_guid(b, e->activity);
		put_guid(b, e->related);
	}
	put_u32(b, (uint32_t)e->payload.size);
	put_bytes(b, e->payload);
	close_u32(b, at);
}

static bool same_guid(const char *a, const char *b)
{
	static const char zero[16];

	return !memcmp(a ? a : zero, b ? b : zero, 16);
}

/* A field is written if its value differs from the previous one. */
static unsigned flags_of(const struct builder *b, const struct event_spec *e)
{
	const struct event_spec *last = &b->last;
	const bool labels = b->version >= 6 ? e->labels != last->labels
					    : !same_guid(e->activity, last->activity);
	const bool related = b->version < 6 && !same_guid(e->related, last->related);

	return (e->kind != last->kind ? 0x01u : 0) |
	       (e->capture != last->capture || e->sequence != last->sequence + 1 ||
				e->cpu != last->cpu
			? 0x02u
			: 0) |
	       (e->thread != last->thread ? 0x04u : 0) | (e->stack != last->stack ? 0x08u : 0) |
	       (labels ? 0x10u : 0) | (related ? 0x20u : 0) | (e->sorted ? 0x40u : 0) |
	       (e->payload.size != last->payload.size ? 0x80u : 0);
}

static void event_compressed(struct builder *b, const struct event_spec *e)
{
	const unsigned flags = flags_of(b, e);

	put_u8(b, flags);
	if (flags & 0x01)
		put_varint(b, e->kind);
	if (flags & 0x02) {
		put_varint(b, (uint32_t)(e->sequence - b->last.sequence - 1));
		put_varint(b, e->capture);
		put_varint(b, e->cpu);
	}
	if (flags & 0x04)
		put_varint(b, e->thread);
	if (flags & 0x08)
		put_varint(b, e->stack);
	put_varint(b, (uint64_t)e->ticks - (uint64_t)b->last.ticks);
	if (flags & 0x10 && b->version >= 6)
		put_varint(b, e->labels);
	else if (flags & 0x10)
		put_guid(b, e->activity);
	if (flags & 0x20)
		put_guid(b, e->related);
	if (flags & 0x80)
		put_varint(b, e->payload.size);
	put_bytes(b, e->payload);
	b->last = *e;
}

/* The sequence number after the last that this thread used. */
static uint32_t next_number(struct builder *b, uint64_t capture, uint32_t stated)
{
	size_t i = 0;

	while (i < 15 && b->numbers[i].sequence && b->numbers[i].thread != capture)
		i++;
	b->numbers[i].thread = capture;
	b->numbers[i].sequence = stated ? stated : b->numbers[i].sequence + 1;
	return b->numbers[i].sequence;
}

void build_event(struct builder *b, const struct event_spec *spec)
{
	struct event_spec e = *spec;

	e.capture = e.capture ? e.capture : e.thread;
	e.sequence = next_number(b, e.capture, e.sequence);
	if (b->version < 4)
		event_netperf(b, &e);
	else if (b->packing == PLAIN)
		event_plain(b, &e);
	else
		event_compressed(b, &e);
	if (b->event_count < sizeof(b->event_ends) / sizeof(b->event_ends[0]))
		b->event_ends[b->event_count++] = b->size;
}

static void kind_v6(struct builder *b, const struct kind_spec *k)
{
	const size_t row = open_u16(b);

	put_varint(b, k->id);
	put_string(b, k->provider);
	put_varint(b, k->event_id);
	put_string(b, k->name);
	if (k->fields.size)
		put_bytes(b, k->fields);
	else
		put_u16(b, 0);
	put_u16(b, (unsigned)k->optional.size);
	put_bytes(b, k->optional);
	put_bytes(b, k->tail);
	close_u16(b, row);
}

static void put_body(struct builder *b, const struct kind_spec *k)
{
	put_u32(b, k->event_id);
	put_utf16z(b, k->name);
	put_u64(b, k->keywords);
	put_u32(b, k->version);
	put_u32(b, k->level);
	put_bytes(b, k->fields);
}

/* The payload of a definition: versions 1 to 5. */
static struct builder kind_payload(const struct builder *b, const struct kind_spec *k)
{
	struct builder payload = { 0 };
	size_t at;

	if (b->version >= 3)
		put_u32(&payload, k->id);
	if (b->version == 1)
		put_bytes(&payload, (struct literal){ k->provider, 16 });
	else
		put_utf16z(&payload, k->provider);
	if (b->version >= 3) {
		put_body(&payload, k);
		return payload;
	}
	put_u32(&payload, k->event_id);
	put_u32(&payload, k->version);
	at = open_u32(&payload);
	put_body(&payload, k);
	close_u32(&payload, at);
	return payload;
}

static void put_record(struct builder *b, struct literal payload)
{
	const struct event_spec record = { .payload = payload };

	if (b->version < 4)
		event_netperf(b, &record);
	else if (b->packing == PLAIN)
		event_plain(b, &record);
	else
		event_compressed(b, &record);
}

uint32_t build_kind(struct builder *b, const struct kind_spec *spec)
{
	const uint32_t offset = (uint32_t)b->size;
	struct kind_spec k = *spec;
	struct builder payload;

	k.provider = k.provider ? k.provider : "TestProvider....";
	if (!spec->provider && b->version != 1)
		k.provider = "TestProvider";
	k.name = k.name ? k.name : "TestEvent1";
	k.event_id = k.event_id ? k.event_id : 15;
	k.version = k.version ? k.version : 1;
	k.level = k.level ? k.level : 5;
	if (b->version >= 6) {
		kind_v6(b, &k);
		return k.id;
	}
	payload = kind_payload(b, &k);
	put_record(b, built(&payload));
	builder_release(&payload);
	return b->version < 3 ? offset : k.id;
}

void field_v6(struct builder *b, const char *name, struct literal type)
{
	const size_t at = open_u16(b);

	put_string(b, name);
	put_bytes(b, type);
	close_u16(b, at);
}

void field_v5(struct builder *b, const char *name, struct literal type)
{
	put_u32(b, (uint32_t)(4 + 2 * (strlen(name) + 1) + type.size));
	put_utf16z(b, name);
	put_bytes(b, type);
}

void field_v1(struct builder *b, const char *name, uint32_t code)
{
	put_u32(b, code);
	put_utf16z(b, name);
}
