# perfpipe profile: a trace that is there already, and every wrong way to ask.
. "$SOURCE/tests/cli/show"
cp "$SOURCE/tests/data/orders.nettrace.gz" orders.nettrace
export COLUMNS=80

show profile --help
show profile orders.nettrace --root OrderService.Work --depth 3 --number 3
show profile orders.nettrace --csv --depth 1
"$PERFPIPE" profile orders.nettrace --json > profile.json
"$PERFPIPE" report orders.nettrace profile --json | cmp - profile.json && echo "the same as report"
"$PERFPIPE" profile --format html orders.nettrace | grep -c '<tr class="strong">'

echo text > not-a-trace
show profile missing.nettrace
show profile not-a-trace
show profile 4711
show profile orders.nettrace orders.nettrace
show profile orders.nettrace -p 1
show profile orders.nettrace --memory
show profile orders.nettrace --no-file
show profile orders.nettrace -- true
show profile -p 1,2
show profile -p 1 -- true
show profile -o - -- true
show profile --no-file -o x.nettrace -- true
show profile --duration soon -- true
show profile --cutoff 3x -- true
show profile --json --csv -- true
show profile --no-such-option -- true
show profile -- ./no-such-program
show profile -- true
show profile -- sh -c 'exit 7'
show collect --report=nothing -- true
show collect --report -o - -- true
show collect --report --json -- true
show collect --report gc --roll 1m -- true
ls
