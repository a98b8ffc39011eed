/* SPDX-License-Identifier: MIT */
/*
 * top_methods - the methods in which a trace spent most CPU time, in C++.
 *
 *	c++ top_methods.cpp $(pkg-config --cflags --libs perfpipe-trace) -o top_methods
 *	top_methods app.nettrace
 */
#include <algorithm>
#include <cstdio>
#include <memory>
#include <numeric>
#include <vector>

#include <perfpipe/samples.h>

struct close_samples {
	void operator()(pp_samples *samples) const { pp_samples_close(samples); }
};

int main(int argc, char **argv)
{
	pp_error err{};
	std::unique_ptr<pp_samples, close_samples> samples(
		pp_samples_open(argc > 1 ? argv[1] : "trace.nettrace", nullptr, &err));
	if (!samples) {
		std::fprintf(stderr, "%s\n", err.text);
		return 1;
	}

	std::vector<int64_t> self_ns(pp_frame_count(samples.get()));
	pp_sample sample;
	while (pp_samples_next(samples.get(), &sample, &err))
		if (sample.stack)
			self_ns[pp_stack_frame_number(samples.get(), sample.stack)] += sample.weight_ns;

	std::vector<uint32_t> frames(self_ns.size());
	std::iota(frames.begin(), frames.end(), 0);
	std::stable_sort(frames.begin(), frames.end(),
			 [&](auto a, auto b) { return self_ns[a] > self_ns[b]; });
	for (std::size_t i = 0; i < std::min<std::size_t>(10, frames.size()); i++)
		std::printf("%10.1f ms  %s\n", static_cast<double>(self_ns[frames[i]]) / 1e6,
			    pp_frame_at(samples.get(), frames[i])->name);
	if (err.code)
		std::fprintf(stderr, "%s\n", err.text);
	return err.code ? 1 : 0;
}
