/* SPDX-License-Identifier: MIT */
/*
 * exceptions - exceptions that a program threw, by type, in C++.
 *
 *	c++ -std=c++17 exceptions.cpp $(pkg-config --cflags --libs perfpipe-trace) -o exceptions
 *	exceptions app.nettrace
 */
#include <perfpipe/report.h>

#include <cstdio>
#include <memory>
#include <stdexcept>

/* A view of a file, and its result, freed together. */
class Report {
public:
	Report(const char *view, const char *path) : report_(pp_report_new(view, nullptr, &err_))
	{
		if (report_ && pp_report_add_file(report_.get(), path, &err_) >= 0)
			result_ = pp_report_build(report_.get(), &err_);
		if (!result_)
			throw std::runtime_error(err_.text);
	}
	pp_object object() const { return pp_result_object(result_); }

private:
	struct Free {
		void operator()(pp_report *report) const { pp_report_free(report); }
	};
	pp_error err_{};
	std::unique_ptr<pp_report, Free> report_;
	const pp_result *result_ = nullptr;
};

int main(int argc, char **argv)
try {
	const Report report("exceptions", argc > 1 ? argv[1] : "-");
	const pp_rows types = pp_object_rows(report.object(), "types");

	for (std::size_t i = 0; i < types.count; i++)
		std::printf("%6lld  %s\n",
			    static_cast<long long>(pp_object_number(pp_row(types, i), "count", 0)),
			    pp_object_text(pp_row(types, i), "type"));
} catch (const std::runtime_error &error) {
	std::fprintf(stderr, "%s\n", error.what());
	return 1;
}
