# Filters of events that match nothing: names and fields that the trace does not have, and what may be meant.
. "$SOURCE/tests/cli/show"
cp "$SOURCE/tests/data/orders.nettrace.gz" orders.nettrace

show events orders.nettrace --json --name GC/Strat
show events orders.nettrace --json --provider Microsoft-Windows-DotNETRuntim
show events orders.nettrace --json --provider 'Nobody*' --name GC/Start
show events orders.nettrace --json --name GC/Start --where 'Dept == 1 || Reason == Induced'
show events orders.nettrace --json --name GC/Start --where 'Depth == 77'
show events orders.nettrace --json --name GC/Start --where 'not (Dept == 1)' --fields Type --to 0.3
show events orders.nettrace --json --name GC/Start --fields Reasn,Depth,ExceptionType --to 0.3
show events orders.nettrace --json --fields Reasn --to 0.01
show events orders.nettrace --json --name GC/Start --from 100
show events orders.nettrace --from 100 --format csv
# events that were not asked for are not missed
show events orders.nettrace --json --name GC/Start --fields Reasn -n 1
