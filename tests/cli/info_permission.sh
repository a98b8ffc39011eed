# A file without read permission. Root may read it, unless it drops its capabilities.
. "$SOURCE/tests/cli/show"
if [ "$(id -u)" -eq 0 ]; then
	setpriv --bounding-set=-all --inh-caps=-all true 2> /dev/null || {
		echo "skipped: root may read everything"
		exit 77
	}
	printf '#!/bin/sh\nexec setpriv --bounding-set=-all --inh-caps=-all "%s" "$@"\n' "$PERFPIPE" > as_user
	chmod +x as_user
	PERFPIPE=$PWD/as_user
fi
printf 'Nettrace' > private.nettrace
chmod 000 private.nettrace
show info private.nettrace
