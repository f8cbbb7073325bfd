# Sourced by ./lambdafs test --planted-stores, --planted-blocks and --planted-doors: each patch of these folders takes away what the tests that it names must miss.

planted_bug() { # the patch, a copy of the checkout: whether the test that the patch names fails
    local module class name log status=0
    read -r module class <<EOF
$(sed -n 's/^Caught by //p' "$1")
EOF
    name=$(basename "$1" .patch)
    log=${2%/tree}/$name.log
    if [ "$module" = store-ndb ] && [ -z "${CLUSTERJ_JAR:-}" ]; then echo "skipped $name: CLUSTERJ_JAR is not set"; return 0; fi
    patch -d "$2" -p1 -s <"$1" || { echo "$name does not fit the sources"; return 1; }
    mvn -q -B -f "$2/pom.xml" -Dlauncher -pl "$module" -am -Dtest="$class" -Dsurefire.failIfNoSpecifiedTests=false test \
        >"$log" 2>&1 || status=$?
    patch -d "$2" -p1 -s -R <"$1"
    if [ "$status" = 0 ]; then echo "NOT CAUGHT $name by $class"; return 1; fi
    if ! grep -q 'Tests run: .*\(Failures: [1-9]\|Errors: [1-9]\)' "$log"; then echo "$name: no test ran; see $log"; return 1; fi
    echo "caught $name by $(sed -n "s/^\\[ERROR\\] *\\($class\\.[A-Za-z]*\\).*/\\1/p; s/^\\[ERROR\\] .*\\.\\($class\\.[A-Za-z]*\\).*FAILURE.*/\\1/p" "$log" | sort -u | head -n 3 | paste -sd' ' -)"
}

test_planted() { # a folder of patches, names of some; all where there are none
    local folder=$ROOT/testing/src/test/$1 tree=$ROOT/target/$1/tree each status=0
    has patch || fail "test --$1 needs patch" "$EXIT_USAGE"
    shift
    for each in "$@"; do
        [ -f "$folder/$each.patch" ] || { say "lambdafs test: no planted bug '$each' in $folder"; exit "$EXIT_USAGE"; }
    done
    need_build_tools
    rm -rf "$tree"
    mkdir -p "$tree"
    tar -C "$ROOT" --exclude=target --exclude=.git --exclude=node_modules -cf - . | tar -C "$tree" -xf -
    if [ $# = 0 ]; then
        for each in "$folder"/*.patch; do planted_bug "$each" "$tree" || status=$?; done
    else
        for each in "$@"; do planted_bug "$folder/$each.patch" "$tree" || status=$?; done
    fi
    [ "$status" = 0 ] || exit "$EXIT_FAILED"
}
