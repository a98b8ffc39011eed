# A live program whose methods take known shares of its time: `report cpu` finds each within two
# points over twenty seconds, or four standard deviations if there are few samples. While the thread
# is preempted, a method is sampled repeatedly at the same place: ten samples are then worth one.
. "$SOURCE/tests/interop/targets"
shares=$("$SOURCE/tests/interop/dotnet_built" tests/interop/CpuShares)/CpuShares || exit $?

start "$shares" 60
await "process $started" runs_managed "$started"
ticks() { sed 's/.*) //' "/proc/$started/stat" | cut -d ' ' -f 12; }
before=$(ticks)
timeout 60 "$PERFPIPE" collect -q -p "$started" --duration 20s -o shares.nettrace || bad=1
had=$((($(ticks) - before) * 100 / (20 * $(getconf CLK_TCK)))) # percent of a processor
"$PERFPIPE" report shares.nettrace cpu --csv -n 1000 > shares.csv || bad=1

cat > expected << END
Shares.Most(int) 70
Shares.Some(int) 20
Shares.Little(int) 10
Shares.Generic(int) 5
Shares..cctor.lambda#0(int) 5
Shares.Deeper(int,int) 5
Spender.Through(int) 5
END
awk -v had=$had '
	NR == FNR { units[$1] = $2; next }
	FNR == 1 { next }
	{
		if (!match($0, /.*\)"?,/)) # the end of a name, which may contain commas
			next # not a method
		name = substr($0, 1, RLENGTH - 1)
		gsub(/[" ]/, "", name)
		split(substr($0, RLENGTH + 1), column, ",")
		time[name] = column[2]
		all += column[2]
		samples += column[3]
	}
	END {
		for (name in units) {
			share = 100 * units[name] / 120
			slack = 4 * sqrt(share * (100 - share) / (had < 95 ? samples / 10 : samples))
			found = 100 * time[name] / all
			printf "%-24s %6.2f %%, expected %6.2f %%\n", name, found, share
			off = found - share
			if (off * off > (slack > 2 ? slack * slack : 4))
				bad = 1
		}
		printf "%d samples, %d %% of a processor\n", samples, had
		exit bad
	}' expected shares.csv || { bad=1; cat shares.csv; }
exit $bad
