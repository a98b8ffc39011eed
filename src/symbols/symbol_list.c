/* SPDX-License-Identifier: MIT */
/* Builds symbol tables. */
#include "symbols/symbol_table.h"

#include <string.h>
#include <sys/mman.h>

#include "base/alloc.h"
#include "symbols/table_layout.h"

/*
 * Small, since loading a table is sorting these. Names are at offsets in `names`, which is what
 * becomes the table: it begins with room for the header.
 */
struct listed_symbol {
	uint64_t start;
	uint32_t size; /* of one without a size, what is left up to its limit */
	uint32_t name : 29;
	uint32_t rank : 2;
	uint32_t sized : 1;
};

#define NAMES_MOST (1u << 29) /* bytes; no file with more of them is anything but hostile */

_Static_assert(sizeof(struct listed_symbol) == 16, "is packed");
_Static_assert(SYMBOL_MADE_UP < 4, "fits");

static uint32_t size_of(uint64_t value)
{
	return value < TABLE_SIZE_MOST ? (uint32_t)value : TABLE_SIZE_MOST;
}

#define HUGE_PAGE ((uintptr_t)2 * 1024 * 1024)

/*
 * For memory that was not used yet. Faulting in small pages takes as long as all the rest of
 * building a table, and a lookup in them misses the TLB. Advice only: where it is not followed,
 * nothing else changes.
 */
static void prefer_huge_pages(void *bytes, size_t size)
{
	const uintptr_t begin = ((uintptr_t)bytes + HUGE_PAGE - 1) & ~(HUGE_PAGE - 1);
	const uintptr_t end = ((uintptr_t)bytes + size) & ~(HUGE_PAGE - 1);

	if (begin < end)
		madvise((void *)begin, end - begin, MADV_HUGEPAGE);
}

static void reserve_names(struct symbol_list *list, size_t size)
{
	if (!list->names_size)
		list->names_size = sizeof(struct table_header);
	while (list->names_capacity < list->names_size + size)
		list->names = xdouble(list->names, &list->names_capacity, 1);
}

void symbol_list_reserve(struct symbol_list *list, size_t count, size_t names_size)
{
	if (list->count || list->names_size || names_size >= NAMES_MOST)
		return;
	list->symbols = xrealloc(list->symbols, count + 1, sizeof(*list->symbols));
	list->capacity = count + 1;
	prefer_huge_pages(list->symbols, count * sizeof(*list->symbols));
	list->names_size = sizeof(struct table_header);
	list->names_capacity = list->names_size + names_size;
	list->names = xrealloc(list->names, list->names_capacity, 1);
	prefer_huge_pages(list->names, list->names_capacity);
}

void symbol_list_add(struct symbol_list *list, const struct symbol *symbol)
{
	const uint64_t left = symbol->limit > symbol->start ? symbol->limit - symbol->start : 0;
	const size_t size = strlen(symbol->name) + 1;

	if (list->names_size + size >= NAMES_MOST)
		return;
	reserve_names(list, size);
	list->symbols = xgrow(list->symbols, list->count, &list->capacity, sizeof(*list->symbols));
	list->symbols[list->count++] = (struct listed_symbol){
		.start = symbol->start,
		.size = size_of(symbol->size ? symbol->size : left),
		.name = (uint32_t)(list->names_size - sizeof(struct table_header)) &
			(NAMES_MOST - 1),
		.rank = symbol->rank & 3,
		.sized = symbol->size > 0,
	};
	memcpy(list->names + list->names_size, symbol->name, size);
	list->names_size += size;
}

void symbol_list_release(struct symbol_list *list)
{
	xfree(list->symbols);
	xfree(list->names);
	*list = (struct symbol_list){ 0 };
}

#define DIGIT_BITS_MOST 12

/* One pass of a radix sort, by the digit of `bits` bits at `shift`. */
static void sort_by_digit(const struct listed_symbol *from, struct listed_symbol *to, size_t count,
			  const unsigned place[2])
{
	const unsigned shift = place[0];
	const uint64_t mask = (1u << place[1]) - 1;
	uint32_t places[1u << DIGIT_BITS_MOST] = { 0 };
	uint32_t next = 0;

	for (size_t i = 0; i < count; i++)
		places[from[i].start >> shift & mask]++;
	for (uint64_t digit = 0; digit <= mask; digit++) {
		const uint32_t digits = places[digit];

		places[digit] = next;
		next += digits;
	}
	for (size_t i = 0; i < count; i++)
		to[places[from[i].start >> shift & mask]++] = from[i];
}

/* Which bits of the starts differ at all; 0: they are sorted already. */
static uint64_t bits_to_sort(const struct symbol_list *list)
{
	uint64_t different = 0;
	bool sorted = true;

	for (size_t i = 1; i < list->count; i++) {
		different |= list->symbols[i].start ^ list->symbols[0].start;
		sorted = sorted && list->symbols[i - 1].start <= list->symbols[i].start;
	}
	return sorted ? 0 : different;
}

/* By start; those of equal starts stay in their order. */
static void sort_symbols(struct symbol_list *list)
{
	const uint64_t different = bits_to_sort(list);
	const unsigned bits = different ? 64 - (unsigned)__builtin_clzll(different) : 0;
	const unsigned passes = (bits + DIGIT_BITS_MOST - 1) / DIGIT_BITS_MOST;
	struct listed_symbol *other;

	if (!passes)
		return;
	other = xrealloc(NULL, list->capacity, sizeof(*other));
	prefer_huge_pages(other, list->count * sizeof(*other));
	for (unsigned i = 0; i < passes; i++) {
		const unsigned digit = (bits + passes - 1) / passes;
		struct listed_symbol *sorted = other;

		sort_by_digit(list->symbols, other, list->count,
			      (const unsigned[2]){ i * digit, digit });
		other = list->symbols;
		list->symbols = sorted;
	}
	xfree(other);
}

static const char *name_of(const struct symbol_list *list, const struct listed_symbol *symbol)
{
	return list->names + sizeof(struct table_header) + symbol->name;
}

/* malloc rather than __libc_malloc, and free rather than cfree. */
static bool is_better_name(const char *a, const char *b)
{
	const size_t a_lines = strspn(a, "_"), b_lines = strspn(b, "_");
	const size_t a_size = strlen(a), b_size = strlen(b);

	if (a_lines != b_lines)
		return a_lines < b_lines;
	return a_size != b_size ? a_size < b_size : strcmp(a, b) < 0;
}

static bool is_better(const struct symbol_list *list, const struct listed_symbol *a,
		      const struct listed_symbol *b)
{
	if (a->rank != b->rank)
		return a->rank < b->rank;
	if (a->sized != b->sized)
		return a->sized;
	return is_better_name(name_of(list, a), name_of(list, b));
}

/* The best name of those at one start, with the largest size that any of them has. */
static struct listed_symbol best_of(const struct symbol_list *list, size_t first, size_t count)
{
	struct listed_symbol best = list->symbols[first];
	uint32_t size = best.sized ? best.size : 0;

	for (size_t i = first + 1; i < first + count; i++) {
		const struct listed_symbol *other = &list->symbols[i];

		if (other->sized && other->size > size)
			size = other->size;
		if (is_better(list, other, &best))
			best = *other;
	}
	if (size) {
		best.size = size;
		best.sized = true;
	}
	return best;
}

static uint64_t end_of(const struct listed_symbol *symbol)
{
	const uint64_t end = symbol->start + symbol->size;

	return end < symbol->start ? UINT64_MAX : end;
}

static size_t count_same_start(const struct symbol_list *list, size_t first)
{
	size_t count = 1;

	while (first + count < list->count &&
	       list->symbols[first + count].start == list->symbols[first].start)
		count++;
	return count;
}

/* One of each start, in place of all; and no labels inside of functions. */
static void keep_best(struct symbol_list *list)
{
	uint64_t covered = 0; /* up to here, by a symbol with a size */
	size_t kept = 0, same;

	for (size_t i = 0; i < list->count; i += same) {
		struct listed_symbol best;

		same = count_same_start(list, i);
		best = best_of(list, i, same);
		if (!best.sized && best.start < covered)
			continue;
		if (best.sized && end_of(&best) > covered)
			covered = end_of(&best);
		list->symbols[kept++] = best;
	}
	list->count = kept;
}

#define STUB_MOST 64 /* bytes */

/*
 * Those without a size end where the next one starts. Of a stripped file the next one may be far
 * away, and all that is in between would get one name: there they are taken for stubs, which
 * most are (3,000 of 32 bytes in libGL, of which the last would have 150 kB).
 */
static void find_ends(struct symbol_list *list)
{
	struct listed_symbol *kept = list->symbols;

	for (size_t i = 0; i < list->count; i++) {
		const uint64_t next =
			i + 1 < list->count ? kept[i + 1].start - kept[i].start : UINT64_MAX;
		const uint64_t most = list->whole ? UINT32_MAX : STUB_MOST;
		const uint64_t left = next < most ? next : most;

		if (!kept[i].sized && kept[i].size > left)
			kept[i].size = (uint32_t)left;
	}
}

/*
 * The last one before it that ends after it. Those in between end before it does, so that a search
 * can go from one to the next; and so does this one.
 */
static uint32_t enclosing_of(const struct listed_symbol *kept, const uint32_t *enclosing,
			     size_t number)
{
	uint32_t before = number ? (uint32_t)number - 1 : TABLE_NONE;

	while (before != TABLE_NONE && end_of(&kept[before]) <= end_of(&kept[number]))
		before = enclosing[before];
	return before;
}

static void put_enclosing(uint8_t *to, const struct symbol_list *list)
{
	uint32_t *enclosing = (uint32_t *)to;

	for (size_t i = 0; i < list->count; i++)
		enclosing[i] = enclosing_of(list->symbols, enclosing, i);
}

static void put_records(uint8_t *bytes, const struct table_layout *layout,
			const struct symbol_list *list, const struct table_header *header)
{
	struct table_record *narrow = (struct table_record *)(bytes + layout->records);
	struct wide_record *wide = (struct wide_record *)(bytes + layout->records);
	const uint32_t *enclosing = (const uint32_t *)(bytes + layout->enclosing);

	for (size_t i = 0; i < list->count; i++) {
		const struct listed_symbol *symbol = &list->symbols[i];
		const uint64_t key = symbol->start - header->base;
		const uint32_t enclosed = enclosing[i] == TABLE_NONE ? 0 : TABLE_ENCLOSED;
		const uint32_t size = symbol->size | enclosed;

		if (header->wide)
			wide[i] = (struct wide_record){ key, size, symbol->name };
		else
			narrow[i] = (struct table_record){ (uint32_t)key, size, symbol->name };
	}
}

/* The keys of every `stride`th symbol. */
static void put_level(uint8_t *to, const struct symbol_list *list,
		      const struct table_header *header, size_t stride)
{
	uint32_t *narrow = (uint32_t *)to;
	uint64_t *wide = (uint64_t *)to;

	for (size_t i = 0; i < list->count; i += stride) {
		const uint64_t key = list->symbols[i].start - header->base;

		if (header->wide)
			*wide++ = key;
		else
			*narrow++ = (uint32_t)key;
	}
}

static void release_sealed(void *bytes, size_t size)
{
	(void)size;
	xfree(bytes);
}

static struct table_header header_of(const struct symbol_list *list)
{
	struct table_header header = { .magic = TABLE_MAGIC,
				       .count = (uint32_t)list->count,
				       .whole = list->whole,
				       .names_size = list->names_size - sizeof(header) };

	if (list->count) {
		header.base = list->symbols[0].start;
		header.wide = list->symbols[list->count - 1].start - header.base >= UINT32_MAX;
	}
	return header;
}

/* After the names, in the memory that already has them. */
static struct symbol_table write_table(struct symbol_list *list)
{
	const struct table_header header = header_of(list);
	struct table_layout layout;
	size_t stride = TABLE_GROUP;
	uint8_t *bytes;

	table_layout_of(&layout, &header);
	bytes = xrealloc(list->names, (size_t)layout.end, 1);
	list->names = NULL;
	prefer_huge_pages(bytes + list->names_size, (size_t)layout.end - list->names_size);
	memcpy(bytes, &header, sizeof(header));
	/* padding: after the last key there are only larger ones */
	memset(bytes + list->names_size, 0xff, (size_t)layout.end - list->names_size);
	for (unsigned i = 0; i < layout.level_count; i++, stride <<= layout.line_bits)
		put_level(bytes + layout.levels[i], list, &header, stride);
	put_enclosing(bytes + layout.enclosing, list);
	put_records(bytes, &layout, list, &header);
	return (struct symbol_table){ bytes, (size_t)layout.end, release_sealed };
}

struct symbol_table symbol_list_seal(struct symbol_list *list)
{
	struct symbol_table table;

	reserve_names(list, 0);
	sort_symbols(list);
	keep_best(list);
	find_ends(list);
	table = write_table(list);
	symbol_list_release(list);
	return table;
}
