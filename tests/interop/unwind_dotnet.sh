# Stacks of the C# compiler go to the start of their threads, unless they are larger than what was captured. Who called is right by
# what others know: return addresses follow calls, the runtime's perf map names every method and stub, and a chain of frame
# pointers has nobody else. TUPLES=10000 takes more samples of each. When it starts, the JIT compiler runs on large stacks, of which
# one in sixty does not fit in 32 KB; of a whole run, with STACK=32768 TUPLES=10000, more than 99 % do.
watch=$(dirname "$PERFPIPE")/tests/unwind_dotnet
: "${TUPLES:=2000}" "${STACK:=65528}"
bad=0
export TMPDIR="$PWD" # where a runtime that is killed leaves its sockets
command -v dotnet > /dev/null || { echo "skipped: there is no dotnet"; exit 77; }
[ "$(uname -m)" = x86_64 ] || { echo "skipped: this is not x86-64"; exit 77; }
compiler=$(dotnet --list-sdks | sed -n 's,^\([^ ]*\) \[\(.*\)\]$,\2/\1/Roslyn/bincore/csc.dll,p' | tail -n 1)
[ -f "$compiler" ] || { echo "skipped: there is no SDK of .NET with a compiler"; exit 77; }
runtime=$(dotnet --list-runtimes | sed -n 's,^Microsoft.NETCore.App \([^ ]*\) \[\(.*\)\]$,\2/\1,p' | tail -n 1)

# source COUNT - as many classes, of many kinds of statements
source()
{
	for i in $(seq "$1"); do
		cat <<- END
			namespace N$i { using System; using System.Linq; using System.Collections.Generic;
			public record R(int A, string B);
			public class C : IComparable<C> { int f; Dictionary<string, List<R>> d = new();
			public int CompareTo(C other) => f.CompareTo(other.f);
			public string Get(int x) => x switch { 0 => "a", > 5 and < 10 => \$"c{x}", _ => throw new Exception("$i") };
			public async System.Threading.Tasks.Task<int> M(int a) { await System.Threading.Tasks.Task.Yield();
			return d.Values.SelectMany(v => v).Where(r => r.A > a).Select(r => r.A + r.B.Length).Sum(); }
			public IEnumerable<int> It() { foreach (var (k, v) in d) { if (k.Length > f) yield return v.Count; } } } }
		END
	done
}

# holds NAME PROGRAM - what awk says of the figures, which are v["key"]
holds()
{
	awk "{ v[\$1] += \$2 } /^end .* the captured stack/ { v[\"captured\"] += \$2 } END { exit !($2) }" found ||
		{ echo "$1 does not hold: $2"; bad=1; }
}

# compile NAME [VARIABLE=VALUE...] - samples the compiler
compile()
{
	name=$1
	shift
	mkdir "$name"
	env DOTNET_PerfMapEnabled=3 DOTNET_PerfMapJitDumpPath="$PWD/$name" "$@" "$watch" "$TUPLES" 997 "$STACK" "$PWD/$name" \
		dotnet "$compiler" @options many.cs > log
	code=$?
	[ $code -ne 77 ] || { cat log; exit 77; }
	grep -E '^[a-z_]+ [0-9]+' log > found
	echo "== $name"
	cat found
	[ $code -eq 0 ] || { echo "$name: failed"; bad=1; return; }
	holds "$name" 'v["samples"] >= '"$TUPLES"
	holds "$name" 'v["reached"] * 100 >= v["samples"] * 99'
	holds "$name" '(v["reached"] + v["captured"]) * 1000 >= v["samples"] * 998'
	holds "$name" 'v["after_no_call"] * 10000 <= v["after_call"] && v["after_call"] > 0'
	holds "$name" 'v["caller_named"] > 0 && v["caller_unnamed"] == 0'
	holds "$name" 'v["chain_lacks"] > 0 && v["chain_differs"] * 500 <= v["managed_samples"]'
	holds "$name" '(v["by_guess"] + v["by_frame_pointer"]) * 1000 <= v["frames"]'
	# the kinds of stubs agree with the runtime's names, where those say what they are
	awk '
		/VSD_VTable/ { kind = "vtable" }
		/VSD_Resolve/ { kind = "resolve" }
		/VSD_Dispatch/ { kind = "dispatch" }
		/VSD_Lookup/ { kind = "lookup" }
		/WriteBarrier/ { kind = "write barrier" }
		/Instantiating/ { kind = "instantiating" }
		/Unboxing/ { kind = "unboxing" }
		/Shuffle/ { kind = "delegate" }
		/^stub/ {
			all += $2
			if (kind ? !index($0, "[clr " kind) : /no name/ && /\[clr stub\]/)
				wrong += $2
		}
		{ kind = "" }
		END { if (wrong * 50 > all) { print wrong " of " all " stubs are of another kind"; exit 1 } }' found || bad=1
}

source $((TUPLES * 3 / 20)) > many.cs
{
	printf '%s\n' -nologo -target:library -nullable:enable "-out:$PWD/many.dll"
	printf -- '-r:%s\n' "$runtime"/System*.dll
} > options
compile tiered
compile optimized DOTNET_TieredCompilation=0
exit $bad
