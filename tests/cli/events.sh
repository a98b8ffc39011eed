# The output of `perfpipe events` for our own recording, in each format and with each filter.
. "$SOURCE/tests/cli/show"
cp "$SOURCE/tests/data/orders.nettrace.zst" orders.nettrace

show events orders.nettrace -n 5
show events orders.nettrace --json --name GC/Start -n 2
show events orders.nettrace --format csv --provider Orders -n 3
show events orders.nettrace --format csv --name 'Exception/*' -n 2 --fields ExceptionType,ExceptionMessage
show events orders.nettrace --id 81 --fields ContentionFlags -n 2
show events orders.nettrace --name gc/* --level 4 --from 100ms --to 0.2 --fields Reason
show events orders.nettrace --where 'Depth >= 1 && Reason == AllocSmall' --name GC/Start
show events orders.nettrace --keywords 0x8000 --fields ExceptionType -n 1
show events orders.nettrace --json --stacks --name Exception/Start -n 1
