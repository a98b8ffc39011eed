# .NET 10 with ASP.NET Core, and how ps sorts.
runtime=net10 version=10. aot=false
. "$SOURCE/tests/interop/runtime_lib"
run
listed
records
has_common
has_methods
has cpu '"name": "Rounds\.Burn'
has_requests
end
starves

# by current CPU use: one that burns comes before one that is stopped, whatever their lives were like
run
stopped=$pid
kill -STOP "$stopped"
run
busy_first()
{
	"$PERFPIPE" ps --sort cpu --json > sorted || return 1
	order=$(sed -n "s/^      \"process_id\": \($pid\|$stopped\),/\1/p" sorted | tr '\n' ' ')
	[ "$order" = "$pid $stopped " ] && [ "$(sed -n "/\"process_id\": $stopped,/,/cpu_percent/s/.*cpu_percent\": //p" sorted)" = "0," ]
}
wait_for 4 busy_first || { fail "--sort cpu lists:"; cat sorted; }
grep -q '"cpu_interval_ns": [1-9][0-9]\{8,9\},' sorted || fail "CPU use is not measured for 0.1 s"
end
finish
