// Shapes of C++ code, to be sampled: exceptions, virtual calls, templates, lambdas in algorithms.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

static volatile std::uint64_t result;
static std::uint64_t state = 88172645463325252u;

static std::uint64_t next_random()
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return state;
}

struct shape {
	virtual ~shape() = default;
	virtual std::uint64_t area(unsigned depth) const = 0;
};

struct square : shape {
	std::uint64_t area(unsigned depth) const override
	{
		return depth ? depth * 3 : next_random();
	}
};

struct nested : shape {
	std::unique_ptr<shape> inner;
	explicit nested(std::unique_ptr<shape> of) : inner(std::move(of)) {}
	std::uint64_t area(unsigned depth) const override { return inner->area(depth + 1) + depth; }
};

static std::unique_ptr<shape> make_shape(unsigned levels)
{
	if (!levels)
		return std::make_unique<square>();
	return std::make_unique<nested>(make_shape(levels - 1));
}

struct guard {
	~guard() { result = result + next_random() % 2; }
};

__attribute__((noinline)) static void throws_at(unsigned depth)
{
	guard on_the_way;

	if (!depth)
		throw std::runtime_error("deep");
	throws_at(depth - 1);
	result = result + 1; // no tail call
}

static void exceptions()
{
	try {
		throws_at(next_random() % 12);
	} catch (const std::exception &error) {
		result = result + std::string(error.what()).size();
	}
}

static void algorithms()
{
	std::vector<std::string> words;

	for (int i = 0; i < 200; i++)
		words.push_back(std::to_string(next_random()));
	std::sort(words.begin(), words.end(),
		  [](const std::string &a, const std::string &b) { return a > b; });
	std::map<std::string, std::function<std::uint64_t(unsigned)>> by_name;
	for (const auto &word : words)
		by_name[word] = [&word](unsigned n) { return word.size() + n; };
	for (const auto &entry : by_name)
		result = result + entry.second(1);
}

int main(int argc, char **argv)
{
	const unsigned long rounds = argc > 1 ? std::stoul(argv[1]) : 100000000;
	const auto shapes = make_shape(8);

	for (unsigned long i = 0; i < rounds; i++) {
		for (int j = 0; j < 1000; j++)
			result = result + shapes->area(0);
		for (int j = 0; j < 5; j++)
			exceptions();
		algorithms();
	}
}
