// SPDX-License-Identifier: MIT
// A part of the program whose lines are looked up: compiled several times, each with another PART. Many instances of
// templates, so that it has as much debug information as a large program.
#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <random>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

template <int N> struct tag {
	int value = N;
	bool operator<(const tag &other) const { return value < other.value; }
	bool operator==(const tag &other) const { return value == other.value; }
};

template <typename T> struct tag_hash {
	size_t operator()(const T &of) const { return std::hash<int>()(of.value); }
};

template <int N> static int use(int seed)
{
	using key = tag<N>;
	std::map<key, std::string> ordered;
	std::unordered_map<key, std::vector<std::string>, tag_hash<key>> hashed;
	std::set<std::tuple<key, std::string, int>> tuples;
	std::vector<std::pair<key, std::unique_ptr<std::string>>> owned;

	for (int i = 0; i < seed; i++) {
		const key at{ i * N };

		ordered[at] += std::to_string(i);
		hashed[at].push_back(ordered[at]);
		tuples.emplace(at, ordered[at], i);
		owned.emplace_back(at, std::make_unique<std::string>(ordered[at]));
	}
	std::sort(owned.begin(), owned.end(),
		  [](const auto &a, const auto &b) { return *a.second < *b.second || a.first < b.first; });
	std::stable_sort(owned.begin(), owned.end(),
			 [](const auto &a, const auto &b) { return b.first < a.first; });
	return static_cast<int>(ordered.size() + hashed.size() + tuples.size() + owned.size());
}

template <int... N> static int use_all(int seed, std::integer_sequence<int, N...>)
{
	return (use<N + 100 * PART>(seed) + ... + 0);
}

static bool matches(const std::string &text)
{
	std::ostringstream pattern;

	pattern << "(a|b)*" << text << "[0-9]+";
	return std::regex_search(text, std::regex(pattern.str()));
}

#define JOIN(a, b)   a##b
#define NAMED(a, b)  JOIN(a, b)

int NAMED(part, PART)(int seed);

int NAMED(part, PART)(int seed)
{
	return use_all(seed, std::make_integer_sequence<int, 4>()) + matches(std::to_string(seed));
}

#if PART == 0
int main(int argc, char **)
{
	std::printf("%d\n", part0(argc));
}
#endif
