# Part of the launcher: test --openwhisk. λFS on a real OpenWhisk whose actions run in containers: deployed, loaded, killed at, looked over, changed, removed.
# Needs LAMBDAFS_OPENWHISK: a program with "start" (prints APIHOST=, AUTH_FILE=, HOST= and NETWORK= of the containers' network) and "stop"; and podman, which has the containers.

OPENWHISK_PORT=${LAMBDAFS_OPENWHISK_PORT:-17100}

on_openwhisk() { # a command on the cluster
    (run "$@" --dir "$OW_DIR")
}

ow_step() { # a name and a command: the seconds that it took, or the end
    local name=$1 begun=$SECONDS
    shift
    if ! "$@" >"$OW_LOGS/step.log" 2>&1; then
        tail -n 20 "$OW_LOGS/step.log" >&2
        fail "$name failed; logs are in $OW_LOGS"
    fi
    echo "  $name: $((SECONDS - begun)) s"
}

run_quietly() { (run "$@"); }

ow_containers() { podman ps -q --filter "ancestor=$OW_IMAGE" 2>/dev/null; }

kill_containers() { # until it is ended, every ten seconds: one that serves, then one that has just been started for it
    local one before now
    while :; do
        sleep 10
        before=$(ow_containers)
        one=$(printf '%s\n' "$before" | shuf -n 1)
        if [ -n "$one" ] && podman kill "$one" >/dev/null 2>&1; then echo "$one" >>"$OW_LOGS/containers"; fi
        sleep 10
        now=$(ow_containers)
        one=$(printf '%s\n' "$now" | grep -vxF "${before:-none}" | head -n 1) || one=
        if [ -n "$one" ] && podman kill "$one" >/dev/null 2>&1; then echo "$one while it started" >>"$OW_LOGS/containers"; fi
    done
}

ow_replay() { # a name, seconds, and what is done meanwhile: no operation may fail
    local name=$1 seconds=$2 beside status=0 failed operations
    shift 2
    "$@" &
    beside=$!
    on_openwhisk replay --tree "$ROOT/docs" --profile "$OW_LOGS/load.yaml" --seconds "$seconds" --base-ops "$OW_OPS" --report "$OW_LOGS/$name" --json >"$OW_LOGS/$name.json" 2>"$OW_LOGS/$name.log" || status=$?
    kill "$beside" 2>/dev/null || true
    wait "$beside" 2>/dev/null || true
    failed=$(sed -n 's/.*"failed":\([0-9]*\).*/\1/p' "$OW_LOGS/$name.json" | head -n 1)
    operations=$(sed -n 's/.*"operations":\([0-9]*\).*/\1/p' "$OW_LOGS/$name.json" | head -n 1)
    echo "  $name: ${operations:-?} operations, ${failed:-?} failed"
    if [ "$status" != 0 ] || [ "${failed:-1}" != 0 ]; then
        tail -n 5 "$OW_LOGS/$name.log" >&2
        fail "$name: exit code $status, ${failed:-?} operations failed; logs are in $OW_LOGS"
    fi
}

ow_serve() { # a name, the class and the port of its health page
    "$JAVA_HOME/bin/java" -Xmx384m -cp "$CLASS_PATH" "$2" "$OW_LOGS/conf/$1.json" >"$OW_LOGS/$1.log" 2>&1 &
    OW_PIDS="$OW_PIDS $!"
    local try
    for try in $(seq 60); do
        if curl -sf -o /dev/null "http://127.0.0.1:$3/healthz"; then return; fi
        sleep 1
    done
    fail "the $1 did not start in ${try} s; its log is $OW_LOGS/$1.log"
}

ow_end() {
    # shellcheck disable=SC2086 # a list of numbers
    [ -z "$OW_PIDS" ] || kill $OW_PIDS 2>/dev/null || true
    [ "$OW_KEEP" = yes ] || "$LAMBDAFS_OPENWHISK" stop >/dev/null 2>&1 || true
}

ow_configure() { # the files of a store server, a datanode and the functions
    local secret
    mkdir -p "$OW_LOGS/conf" "$OW_LOGS/blocks"
    (umask 077 && openssl rand -hex 32 >"$OW_LOGS/conf/secret")
    secret="\"secretFile\": \"$OW_LOGS/conf/secret\""
    echo "{\"directory\": \"$OW_LOGS/store\", \"listenAddress\": \"$HOST\", \"port\": $OPENWHISK_PORT, \"metricsAddress\": \"127.0.0.1\", \"metricsPort\": $((OPENWHISK_PORT + 1)), $secret}" >"$OW_LOGS/conf/store.json"
    echo "{\"store\": \"$HOST:$OPENWHISK_PORT\", \"blockStore\": \"blocks\", \"blocks\": \"$OW_LOGS/blocks\", \"listenAddress\": \"$HOST\", \"port\": $((OPENWHISK_PORT + 2)), \"metricsAddress\": \"127.0.0.1\", \"metricsPort\": $((OPENWHISK_PORT + 3)), \"id\": \"datanode-0\", $secret}" >"$OW_LOGS/conf/datanode.json"
    echo "{\"fileSystem\": \"proof\", \"deployments\": 2, \"superuser\": \"$(id -un)\", \"store\": \"$HOST:$OPENWHISK_PORT\", \"coordinator\": \"store\", \"listenHost\": \"0.0.0.0\", \"clientRanges\": \"$NETWORK\", $secret}" >"$OW_LOGS/conf/function.json"
    sed 's/burst-factor: 7/burst-factor: 1/' "$ROOT/hammer-bench/src/main/resources/io/lambdafs/hammer/workload/spotify.yaml" >"$OW_LOGS/load.yaml"
    head -c 20000000 /dev/urandom >"$OW_LOGS/data"
}

ow_deploy() {
    (run deploy --platform openwhisk --apihost "$APIHOST" --auth-file "$AUTH_FILE" --dir "$OW_DIR" --function "$OW_LOGS/conf/function.json" --image "$OW_IMAGE" "$@")
}

ow_actions() { curl -sf -u "$(cat "$AUTH_FILE")" "$APIHOST/api/v1/namespaces/_/actions" | grep -o '"name":"[^"]*"' | wc -l | tr -d ' '; }

ow_commands() { # the daily round: each must succeed
    on_openwhisk cluster status && on_openwhisk datanode list && on_openwhisk upgrade &&
        on_openwhisk fsck && on_openwhisk dump "$OW_LOGS/dump" && on_openwhisk blocks report &&
        on_openwhisk blocks check --blocks "$OW_LOGS/blocks" && on_openwhisk gc --dry-run --blocks "$OW_LOGS/blocks" &&
        on_openwhisk doctor --accept concurrency,quota,pause
}

test_openwhisk() {
    local seconds=60 killed
    OW_OPS=500 OW_KEEP=no OW_PIDS="" OW_IMAGE=localhost/lambdafs-instance:test
    while [ $# -gt 0 ]; do
        case $1 in
            -h | --help) test_usage; exit 0 ;;
            --keep) OW_KEEP=yes; shift; continue ;;
            --seconds | --base-ops) [ $# -gt 1 ] || { say "lambdafs test: $1 takes a value"; exit "$EXIT_USAGE"; } ;;
            *) say "lambdafs test: --openwhisk does not take '$1'"; test_usage >&2; exit "$EXIT_USAGE" ;;
        esac
        if [ "$1" = --seconds ]; then seconds=$2; else OW_OPS=$2; fi
        shift 2
    done
    if [ ! -x "${LAMBDAFS_OPENWHISK:-}" ] || ! type -P podman >/dev/null; then
        echo "skipped: test --openwhisk needs podman and LAMBDAFS_OPENWHISK, a program that starts an OpenWhisk: start, stop"
        return
    fi
    OW_LOGS=$ROOT/target/openwhisk
    OW_DIR=$OW_LOGS/client
    rm -rf "$OW_LOGS"
    mkdir -p "$OW_LOGS"
    # shellcheck source=cli/src/main/launcher/image.sh
    . "$ROOT/cli/src/main/launcher/image.sh"
    ow_step "image" image --role instance --tag "$OW_IMAGE" --out "$OW_LOGS/instance.tar"
    ow_step "load" podman load -q -i "$OW_LOGS/instance.tar"
    trap ow_end EXIT
    trap 'exit 130' INT TERM
    "$LAMBDAFS_OPENWHISK" stop >"$OW_LOGS/env" 2>&1 || true # what a run before has left
    "$LAMBDAFS_OPENWHISK" start >"$OW_LOGS/env" 2>"$OW_LOGS/openwhisk.log" || fail "OpenWhisk did not start: $(tail -n 1 "$OW_LOGS/openwhisk.log")"
    # shellcheck source=/dev/null # APIHOST, AUTH_FILE, HOST and NETWORK
    . "$OW_LOGS/env"
    ow_configure
    find_java java || fail "there is no JDK"
    class_path
    ow_serve store io.lambdafs.store.embedded.server.StoreMain $((OPENWHISK_PORT + 1))
    ow_step "format" run_quietly format --conf "$OW_LOGS/conf/function.json"
    ow_serve datanode io.lambdafs.datanode.DatanodeMain $((OPENWHISK_PORT + 3))
    ow_step "deploy" ow_deploy
    ow_step "deploy again" ow_deploy
    grep -q "changed 0 of 2 parts" "$OW_LOGS/step.log" || fail "the second deploy changed something: $(tail -n 1 "$OW_LOGS/step.log")"
    ow_step "fs -mkdir" run_quietly fs "--dir=$OW_DIR" -mkdir /proof
    ow_step "fs -put" run_quietly fs "--dir=$OW_DIR" -put "$OW_LOGS/data" /proof/data
    ow_step "fs -get" run_quietly fs "--dir=$OW_DIR" -get /proof/data "$OW_LOGS/back"
    cmp "$OW_LOGS/data" "$OW_LOGS/back" || fail "what -get has brought is not what -put took"
    ow_replay replay "$seconds" true
    ow_replay killed "$seconds" kill_containers
    killed=$(wc -l 2>/dev/null <"$OW_LOGS/containers" | tr -d ' ') || killed=0
    echo "  containers killed: $killed, of which while they started: $(grep -c started "$OW_LOGS/containers" 2>/dev/null || true)"
    [ "$killed" -ge $((seconds / 20)) ] || fail "only $killed containers were killed in $seconds s, and one every 20 s at least is expected"
    ow_step "the daily round" ow_commands
    ow_step "three functions" ow_deploy --deployments 3
    [ "$(ow_actions)" = 3 ] || fail "OpenWhisk has $(ow_actions) actions, and 3 are expected"
    ow_replay "three" 20 true
    ow_step "deploy --remove" run_quietly deploy --remove --dir "$OW_DIR"
    [ "$(ow_actions)" = 0 ] || fail "OpenWhisk has $(ow_actions) actions left"
    echo "passed"
}
