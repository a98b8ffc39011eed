# What `perfpipe collect` and `stop` say when they are asked for what cannot be.
. "$SOURCE/tests/cli/show"

show collect -p 4711 --dsrouter ios
show collect --diagnostic-port /tmp/port
show collect --dport /tmp/port,connect
show collect -- dotnet run
show collect -p 4711 --show-child-io
show collect -p 4711 --format Speedscope
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
