// SPDX-License-Identifier: MIT
// What symbol_lines.sh compiles: much inlining, templates, constructors, lambdas, exceptions with
// their cold code, a class in a function, and a function that nobody calls.
#include <algorithm>
#include <cstdio>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace shapes {
struct shape {
	virtual ~shape() = default;
	virtual double area() const = 0;
};

template <typename T> struct square : shape {
	explicit square(T side) : side_(side) {}
	double area() const override { return static_cast<double>(side_ * side_); }
	T side_;
};

struct circle : shape {
	explicit circle(double radius);
	double area() const override { return 3.14159 * radius_ * radius_; }
	double radius_;
};

circle::circle(double radius) : radius_(radius)
{
	if (radius < 0)
		throw std::invalid_argument("negative radius " + std::to_string(radius));
}
}

static std::map<std::string, std::vector<int>> words(int argc, char **argv)
{
	std::map<std::string, std::vector<int>> found;

	for (int i = 1; i < argc; i++)
		found[argv[i]].push_back(i);
	return found;
}

int never_called(const std::string &text)
{
	struct local {
		static int count(const std::string &of)
		{
			return static_cast<int>(std::count(of.begin(), of.end(), 'x'));
		}
	};

	return local::count(text) * 3;
}

int main(int argc, char **argv)
{
	std::vector<std::unique_ptr<shapes::shape>> all;
	double sum = 0;

	try {
		all.push_back(std::make_unique<shapes::square<int>>(argc));
		all.push_back(std::make_unique<shapes::square<float>>(2.5f));
		all.push_back(std::make_unique<shapes::circle>(argc - 2));
	} catch (const std::exception &e) {
		std::fprintf(stderr, "%s\n", e.what());
	}
	std::sort(all.begin(), all.end(),
		  [](const auto &a, const auto &b) { return a->area() < b->area(); });
	for (const auto &shape : all)
		sum += shape->area();
	for (const auto &[word, places] : words(argc, argv))
		std::printf("%s %zu\n", word.c_str(), places.size());
	std::printf("%f\n", sum);
	return 0;
}
