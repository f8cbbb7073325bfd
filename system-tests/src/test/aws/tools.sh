#!/usr/bin/env bash
# tools.sh FOLDER [REQUIREMENTS]: moto's server and cfn-lint, which stand for AWS, or what REQUIREMENTS lists, from the Python package index into
# FOLDER, unless these versions are there.
# FOLDER/bin is there once all are. Says what is missing, and fails, where they cannot be had.
set -eu
folder=$1
versions=${2:-$(dirname "${BASH_SOURCE[0]}")/requirements.txt}
tools=$folder/$(cksum < "$versions" | cut -d' ' -f1)

link() { rm -f "$folder/bin" && ln -s "$tools/bin" "$folder/bin"; }

mkdir -p "$folder"
# One at a time: another run may be at it.
if command -v flock > /dev/null; then exec 9> "$folder/lock" && flock 9; fi
if [ -e "$tools/complete" ]; then link; exit; fi
rm -rf "$folder/bin" "$tools"
command -v python3 > /dev/null || { echo "there is no python3"; exit 1; }
python3 -m venv "$tools" > "$folder/log" 2>&1 || { echo "python3 makes no virtual environment with pip; see $folder/log"; exit 1; }
"$tools/bin/pip" -q install --no-compile --disable-pip-version-check --retries 1 --timeout 15 -r "$versions" >> "$folder/log" 2>&1 ||
    { echo "the package index does not give them; see $folder/log"; exit 1; }
touch "$tools/complete"
link
