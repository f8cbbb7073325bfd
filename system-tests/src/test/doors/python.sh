#!/usr/bin/env bash
# python.sh PYTHON FOLDER DOOR [TEST…]: installs the package of python/ into FOLDER, as its users do, and runs its tests, or these, at a door.
set -eu
python=$1 folder=$2 door=$3
shift 3
sources=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../../../python" && pwd)
rm -rf "$folder"
mkdir -p "$folder/sources"
# A copy: the build leaves files beside its sources.
cp -R "$sources/pyproject.toml" "$sources/README.md" "$sources/lambdafs" "$folder/sources"
"$python" -m pip -q install --disable-pip-version-check --no-index --no-deps --no-build-isolation --no-compile --target "$folder/packages" "$folder/sources"
cd "$sources"
export LAMBDAFS_TEST_DOOR=$door PYTHONPATH=$folder/packages PYTHONDONTWRITEBYTECODE=1
exec "$python" -m pytest -p no:cacheprovider -q -rs "$@"
