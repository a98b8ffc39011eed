# Impossible requests to `perfpipe collect` and `stop`: the messages.
. "$SOURCE/tests/cli/show"

show collect -p 4711 --dsrouter ios
show collect --diagnostic-port /tmp/port,suspend
show collect --dport tcp:localhost:9000
show collect --dport /tmp/no/such/port,connect
show collect --dport /tmp/no/such/folder/port
show collect --dport /tmp/port --diagnostic-port /tmp/port
show collect --dport /tmp/port -p 4711
show collect -p 4711 -- dotnet run
show collect -- ./no-such-program
show collect -- /tmp
show collect 4294967295
show collect no-such-name --duration 1s
show collect no-such-name -p 1
show collect -p 4711 --show-child-io
show collect --show-child-io --hide-child-io -- true
show collect --show-child-io -- true
show collect --show-child-io --quiet -- true
show collect -p 4711 --follow-children
show collect --wait
show collect --all-matching
show collect -p 4711,4712 -o both.nettrace
show collect -n orders --all-matching -o both.nettrace
show collect -p 4711,x
show collect -p 0
show collect -p 4711 --format Speedscope -o -
show collect -p 4711 --format pdf
show collect -p 4711 -o - --json
show collect -p 4711 -o - --roll 1MB
show collect -p 4711 -o '{date}.nettrace'
show collect -p 4711 --keep 3
show collect -p 4711 --compress lzma
show collect -p 4711 --duration 00:30
show collect -p 4711 --duration 0
show collect -p 4711 --duration soon
show collect -p 4711 --max-size 100
show collect -p 4711 --roll 10M
show collect -p 4711 --buffersize 0
show collect -p 4711 --buffersize -1
show collect -p 4711 --buffering-mode Sometimes
show collect -p 4711 --rundown=maybe
show collect -p 4711 --stopping-event-event-name GC/Start
show collect -p 4711 --stopping-event-provider-name A --stopping-event-payload-filter a:1
show collect -p 4711 --stopping-event-provider-name A --stopping-event-event-name B \
	--stopping-event-payload-filter a
show collect -p minus
show collect --nmae orders
show collect -p 4711 -n orders
show stop
show stop missing.nettrace
show stop 4294967295
show stop all --timeout never
show events
show events -p 4711 file.nettrace
