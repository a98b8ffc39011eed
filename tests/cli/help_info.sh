# The options of info are interface: they come from its table, --help from the framework.
"$PERFPIPE" help info | grep -e '^Usage' -e ' --'
