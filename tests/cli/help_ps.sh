# The options of ps are interface: they come from its table, --help from the framework.
"$PERFPIPE" help ps | grep -e '^Usage' -e ' --'
