# The version, the commit (masked) and the libraries (masked), each on its line.
"$PERFPIPE" --version | sed -E -e 's/[0-9]+\.[0-9]+\.[0-9]+/X.Y.Z/' \
	-e 's/commit ([0-9a-f]{12}|unknown)/commit COMMIT/' -e 's/^(built with:) .+/\1 LIBRARIES/'
