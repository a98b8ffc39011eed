/* SPDX-License-Identifier: MIT */
/* The strict readers of format_readers.h accept valid files, and explain invalid ones. */
#include <string.h>

#include "format_readers.h"
#include "trace_reading.h"

#define SPEEDSCOPE(events)                                                                         \
	"{\"shared\":{\"frames\":[{\"name\":\"a\"},{\"name\":\"b\"}]},\"profiles\":[{\"name\":"    \
	"\"t\",\"startValue\":0,\"endValue\":9,\"events\":[" events "]}]}"
#define CHROMIUM(events)                                                                           \
	"{\"stackFrames\":{\"0\":{\"name\":\"a\",\"category\":\"\"}},\"traceEvents\":[" events "]" \
	"}"
#define EVENT(phase, more) "{\"name\":\"a\",\"ph\":\"" phase "\",\"pid\":1,\"tid\":1," more "}"
#define HEAD		   "app 1/2 [000] 0.000000001: 5 cpu:\n"
#define FRAME		   "\t0000000000010000 a (b)\n"

static const struct {
	const char *(*read)(const void *bytes, size_t size, stack_found *found, void *to);
	const char *text;
	const char *problem; /* NULL: none */
} cases[] = {
	{ read_speedscope,
	  SPEEDSCOPE("{\"type\":\"O\",\"frame\":1,\"at\":2},{\"type\":\"C\",\"frame\":1,\"at\":9}"),
	  NULL },
	{ read_speedscope, "[]", "it is not a JSON object" },
	{ read_speedscope, SPEEDSCOPE("{\"type\":\"O\",\"frame\":2,\"at\":2}"),
	  "a frame is not there" },
	{ read_speedscope, SPEEDSCOPE("{\"type\":\"O\",\"frame\":1,\"at\":-2}"), "time goes back" },
	{ read_speedscope, SPEEDSCOPE("{\"type\":\"O\",\"frame\":1,\"at\":2}"),
	  "a call is never closed" },
	{ read_speedscope, SPEEDSCOPE("{\"type\":\"C\",\"frame\":1,\"at\":2}"),
	  "a call is closed that is not the innermost" },
	{ read_chromium,
	  CHROMIUM(EVENT("B", "\"sf\":0,\"ts\":1") "," EVENT("E", "\"sf\":0,\"ts\":1.5")), NULL },
	{ read_chromium, CHROMIUM(EVENT("B", "\"sf\":0,\"ts\":-1")), "an event has no time" },
	{ read_chromium, CHROMIUM(EVENT("B", "\"sf\":0,\"ts\":1")), "a call is never closed" },
	{ read_chromium, CHROMIUM(EVENT("b", "\"id\":\"1\",\"cat\":\"c\",\"ts\":1")),
	  "a span never ends" },
	{ read_chromium, CHROMIUM(EVENT("e", "\"id\":\"1\",\"ts\":1")),
	  "a span does not begin once and end once" },
	{ read_chromium, CHROMIUM(EVENT("C", "\"ts\":1,\"args\":{\"x\":null}")),
	  "a counter has no value" },
	{ read_folded, "a;b 5\na 1\n", NULL },
	{ read_folded, "a;b 5\na", "the last line does not end" },
	{ read_folded, "a;b\n", "a line has no weight" },
	{ read_folded, "a -1\n", "a line has no weight" },
	{ read_folded, "a \xFF 1\n", "it is not UTF-8" },
	{ read_folded, "a\xE2\x80\xA8 1\n", "a line contains a line break" },
	{ read_perf_script, HEAD FRAME "\n", NULL },
	{ read_perf_script, HEAD FRAME, "the last sample is not complete" },
	{ read_perf_script, FRAME "\n", "a frame is out of place" },
	{ read_perf_script, HEAD "\t10000 a (b)\n\n", "a frame has no address, name or module" },
	{ read_perf_script, "a b 1/2 [000] 0.000000001: 5 cpu:\n\n", "a header has no numbers" },
	{ read_xml, "<?xml version=\"1.0\"?>\n<a b=\"c\">&lt;<d/></a>\n", NULL },
	{ read_xml, "<a></b>", "an element is closed that is not the innermost" },
	{ read_xml, "<a>", "an element is never closed" },
	{ read_xml, "<a>&b</a>", "a & does not start an entity" },
	{ read_xml, "<a>\x01</a>", "text has a control character" },
	{ read_xml, "<a>\xEF\xBF\xBF</a>", "text has an invalid character" },
	{ read_xml, "<a b=c></a>", "an attribute has no value" },
	{ read_page, "<!DOCTYPE html>\n<p><script>a</b></script><br></p>\n", NULL },
	{ read_page, "<!DOCTYPE html>\n<script>\"</script>\"</script>\n",
	  "an element is closed that is not the innermost" },
	{ read_perfview, "no archive", "it is not an archive" },
	{ read_jsonl, "{}\n{\"a\":18446744073709551615}\n", NULL },
	{ read_jsonl, "{}\n{\n", "a line is not a JSON object" },
	{ read_csv, "a,b\r\n\"c,\"\"\n\",d\r\n", NULL },
	{ read_csv, "a,b\r\nc\r\n", "a row has more or fewer cells than the first" },
	{ read_csv, "a\"b\r\n", "a cell is not quoted correctly" },
	{ read_csv, "a,", "the last row does not end" },
	{ read_event_text, "a\n", NULL },
	{ read_event_text, "\x80\n", "it is not UTF-8" },
};

static void invalid_files_are_rejected_with_a_reason(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT(cases); i++) {
		const char *problem =
			cases[i].read(cases[i].text, strlen(cases[i].text), NULL, NULL);

		if (strcmp(problem ? problem : "", cases[i].problem ? cases[i].problem : "") != 0)
			fail_msg("%s: %s, wanted %s", cases[i].text, problem, cases[i].problem);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(invalid_files_are_rejected_with_a_reason),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
