# The options of `report`.
. "$SOURCE/tests/cli/show"
cp "$SOURCE/tests/data/orders.nettrace.gz" orders.nettrace

show report orders.nettrace cpu --json -n 2 | short_timeline
show report orders.nettrace cpu --csv -n 2 --inclusive
show report orders.nettrace cpu --raw-names -n 3
show report orders.nettrace cpu --tiers -n 3
show report orders.nettrace cpu --group modules
show report orders.nettrace cpu --group just-my-code -n 4
show report orders.nettrace cpu --group '{%}!Orders.{%}.%(->$2' --fold System -n 4
show report orders.nettrace cpu --include Price -n 3
show report orders.nettrace cpu --exclude orders! -n 3
show report orders.nettrace cpu --fold-percent 20
show report orders.nettrace cpu --from 0.5 --to 1 -n 2
show report orders.nettrace cpu --by thread
show report orders.nettrace cpu --by class -n 3
show report orders.nettrace cpu --callers Price -n 3
show report orders.nettrace cpu --callees Price --json -n 1 | short_timeline
show report orders.nettrace cpu --callers Price --tree -n 8
show report orders.nettrace cpu --callees Serve --tree -n 8
show report orders.nettrace topN -n 3
show report orders.nettrace topN -n 3 --inclusive -v
show report orders.nettrace topN -n 3 --wall --raw-names
show report --help gc | head -5
show diff orders.nettrace orders.nettrace cpu
show events orders.nettrace --stacks --name Exception/Start -n 1
