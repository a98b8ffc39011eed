/* SPDX-License-Identifier: MIT */
/*
 * An entry is
 *
 *	u32 length (0xffffffff: a u64 follows), then that many bytes:
 *	u32 or u64 id: of a CIE 0 in .eh_frame and all ones in .debug_frame; of an FDE, where its
 *CIE is, in .eh_frame back from here
 *
 * and the rest as "Call Frame Information" in DWARF, and "Eh Frame" in the Linux Standard Base.
 */
#include "unwind/cfi_section.h"

#include <string.h>

/* How an address is encoded: the low four bits say its format, the next three to what it adds. */
enum {
	ENCODED_ADDRESS = 0x00,
	ENCODED_ULEB = 0x01,
	ENCODED_U16 = 0x02,
	ENCODED_U32 = 0x03,
	ENCODED_U64 = 0x04,
	ENCODED_SLEB = 0x09,
	ENCODED_S16 = 0x0a,
	ENCODED_S32 = 0x0b,
	ENCODED_S64 = 0x0c,
	FROM_ZERO = 0x00,
	FROM_HERE = 0x10,
	FROM_TEXT = 0x20,
	FROM_DATA = 0x30,
	INDIRECT = 0x80,
};

struct entry {
	struct cursor rest; /* after its id */
	uint64_t id;
	size_t id_at;
	bool is_wide; /* 64-bit DWARF */
};

static size_t offset_of(const struct cfi_section *section, const uint8_t *at)
{
	return (size_t)(at - section->bytes);
}

static struct cursor from(const struct cfi_section *section, size_t offset)
{
	struct cursor c = cursor_over(section->bytes, section->size);

	cursor_bytes(&c, offset);
	return c;
}

/* The bytes of the entry that the cursor is at; it goes on after them. */
static struct cursor take_entry(struct cursor *c, bool *is_wide)
{
	uint64_t length = cursor_u32(c);

	*is_wide = length == UINT32_MAX;
	if (*is_wide)
		length = cursor_u64(c);
	return cursor_within(c, length > SIZE_MAX ? SIZE_MAX : (size_t)length);
}

/* An empty entry ends a list, but linkers put one list after another. */
bool cfi_next(const struct cfi_section *section, size_t *offset, size_t *at)
{
	struct cursor c;
	bool is_wide;

	if (*offset >= section->size)
		return false;
	c = from(section, *offset);
	*at = *offset;
	take_entry(&c, &is_wide);
	if (c.failed)
		return false;
	*offset = offset_of(section, c.at);
	return true;
}

static bool read_entry(const struct cfi_section *section, size_t at, struct entry *entry)
{
	struct cursor c = from(section, at);

	entry->rest = take_entry(&c, &entry->is_wide);
	entry->id_at = offset_of(section, entry->rest.at);
	entry->id = entry->is_wide ? cursor_u64(&entry->rest) : cursor_u32(&entry->rest);
	return !entry->rest.failed;
}

static bool entry_is_cie(const struct cfi_section *section, const struct entry *entry)
{
	if (!section->is_debug_frame)
		return !entry->id;
	return entry->id == (entry->is_wide ? UINT64_MAX : UINT32_MAX);
}

static uint64_t read_number(struct cursor *c, uint8_t format)
{
	switch (format) {
	case ENCODED_ULEB:
		return cursor_varint64(c);
	case ENCODED_SLEB:
		return (uint64_t)cursor_sleb64(c);
	case ENCODED_U16:
		return cursor_u16(c);
	case ENCODED_S16:
		return (uint64_t)(int16_t)cursor_u16(c);
	case ENCODED_U32:
		return cursor_u32(c);
	case ENCODED_S32:
		return (uint64_t)cursor_i32(c);
	case ENCODED_ADDRESS:
	case ENCODED_U64:
	case ENCODED_S64:
		return cursor_u64(c);
	default:
		cursor_fail(c);
		return 0;
	}
}

uint64_t cfi_read_address(const struct cfi_section *section, struct cursor *c, uint8_t encoding)
{
	const uint64_t here = section->address + offset_of(section, c->at);
	const uint64_t number = read_number(c, encoding & 0x0f);

	switch (encoding & 0x70) {
	case FROM_ZERO:
		return number;
	case FROM_HERE:
		return here + number;
	case FROM_TEXT:
		return section->text + number;
	case FROM_DATA:
		return section->data + number;
	default:
		cursor_fail(c);
		return 0;
	}
}

/* Letters after the "z", in the order of the data they announce. */
static void read_augmentation(const struct cfi_section *section, struct cfi_cie *cie,
			      const char *letters, struct cursor *c)
{
	struct cursor data = cursor_within(c, (size_t)cursor_varint64(c));

	cie->has_augmentation = true;
	for (const char *letter = letters + 1; *letter; letter++)
		switch (*letter) {
		case 'R':
			cie->encoding = cursor_u8(&data);
			break;
		case 'P': {
			const uint8_t encoding = cursor_u8(&data);

			cfi_read_address(section, &data, encoding & (uint8_t)~INDIRECT);
			break;
		}
		case 'L':
			cursor_u8(&data);
			break;
		case 'S':
			cie->is_signal_frame = true;
			break;
		default: /* 'B', a key of pointer authentication, has no data; others end the list
			  */
			if (*letter != 'B')
				return;
		}
}

static const char *read_letters(struct cursor *c)
{
	const char *letters = (const char *)c->at;
	const uint8_t *end = memchr(c->at, 0, cursor_left(c));

	if (!end) {
		cursor_fail(c);
		return "";
	}
	c->at = end + 1;
	return letters;
}

static bool read_cie(const struct cfi_section *section, size_t at, struct cfi_cie *cie)
{
	struct entry entry;
	struct cursor *c = &entry.rest;
	const char *letters;
	uint8_t version;

	if (!read_entry(section, at, &entry) || !entry_is_cie(section, &entry))
		return false;
	version = cursor_u8(c);
	letters = read_letters(c);
	if (version > 3) /* the sizes of addresses and of segments */
		cursor_u16(c);
	else if (!strcmp(letters, "eh")) /* of old compilers */
		cursor_u64(c);
	*cie = (struct cfi_cie){ .code_alignment = cursor_varint64(c),
				 .encoding = ENCODED_ADDRESS };
	cie->data_alignment = cursor_sleb64(c);
	cie->return_register = version == 1 ? cursor_u8(c) : cursor_varint64(c);
	if (*letters == 'z')
		read_augmentation(section, cie, letters, c);
	cie->instructions = *c;
	return !c->failed && version >= 1 && version <= 4;
}

bool cfi_read_fde(const struct cfi_section *section, size_t at, struct cfi_fde *fde)
{
	struct entry entry;
	struct cursor *c = &entry.rest;
	size_t cie_at;

	if (!read_entry(section, at, &entry) || entry_is_cie(section, &entry))
		return false;
	if (entry.id > (section->is_debug_frame ? section->size : entry.id_at))
		return false;
	cie_at = section->is_debug_frame ? (size_t)entry.id : entry.id_at - (size_t)entry.id;
	/* what an indirect address points to is only known at run time */
	if (!read_cie(section, cie_at, &fde->cie) || fde->cie.encoding & INDIRECT)
		return false;
	fde->start = cfi_read_address(section, c, fde->cie.encoding);
	fde->end = fde->start + read_number(c, fde->cie.encoding & 0x0f);
	if (fde->cie.has_augmentation)
		cursor_within(c, (size_t)cursor_varint64(c));
	fde->instructions = *c;
	return !c->failed && fde->start < fde->end;
}
