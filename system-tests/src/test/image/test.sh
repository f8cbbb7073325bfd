# Part of the launcher: test --image. Each role of the image in a container of its own, as a platform runs them: user 10001, a read-only file
# system, no capabilities, secrets of root's that the group may read.

IMAGE_PORT=${LAMBDAFS_IMAGE_PORT:-17700} # and the nine after it, on loopback
INSTANCE_IMAGE_MB=250
IMAGE_JAVA='"java"' # how containers start Java, as JSON strings with commas
IMAGE_KIND=container
IMAGE_SLOWNESS=1 # what limits of time are multiplied by
IMAGE_API=       # the process that stands for Lambda's runtime API
IMAGE_TIMES=     # of the function's configuration, as JSON members

container_spec() { # name, MB, environment as JSON strings with commas, arguments as JSON strings with commas
    cat <<EOF
{"ociVersion": "1.0.2", "root": {"path": "$IMAGE_ROOT", "readonly": true},
 "process": {"user": {"uid": 10001, "gid": 10001}, "cwd": "/app", "noNewPrivileges": true, "args": [$IMAGE_JAVA, $4],
   "env": ["PATH=/opt/java/bin"${3:+, $3}], "capabilities": {}},
 "linux": {"namespaces": [{"type": "pid"}, {"type": "ipc"}, {"type": "uts"}, {"type": "mount"}], "resources": {"memory": {"limit": $(($2 << 20))}}},
 "mounts": [{"destination": "/proc", "type": "proc", "source": "proc"},
   {"destination": "/dev", "type": "tmpfs", "source": "tmpfs", "options": ["nosuid", "strictatime", "mode=755", "size=65536k"]},
   {"destination": "/tmp", "type": "tmpfs", "source": "tmpfs", "options": ["nosuid", "nodev", "size=256m", "mode=1777"]},
   {"destination": "/sys/fs/cgroup", "type": "cgroup", "source": "cgroup", "options": ["nosuid", "noexec", "nodev", "ro"]},
   {"destination": "/data", "type": "bind", "source": "$IMAGE_WORK/data", "options": ["bind", "rw"]},
   {"destination": "/etc/lambdafs", "type": "bind", "source": "$IMAGE_WORK/conf", "options": ["bind", "ro"]},
   {"destination": "/etc/lambdafs-secret", "type": "bind", "source": "$IMAGE_WORK/secret", "options": ["bind", "ro"]}]}
EOF
}

container() { # as container_spec: starts one; its output goes to NAME.log, its exit code to NAME.code
    local name=$1
    mkdir -p "$IMAGE_WORK/$name"
    rm -f "$IMAGE_WORK/$name.code"
    container_spec "$@" >"$IMAGE_WORK/$name/config.json"
    (
        code=0
        runc run -b "$IMAGE_WORK/$name" "lambdafs-$$-$name" >"$IMAGE_WORK/$name.log" 2>&1 </dev/null || code=$?
        echo "$code" >"$IMAGE_WORK/$name.code"
    ) &
}

remove_containers() {
    local name
    if [ -n "$IMAGE_API" ]; then kill "$IMAGE_API" 2>/dev/null || true; fi
    for name in store format datanode instance start0 start1 start2 start3 lambda; do runc delete -f "lambdafs-$$-$name" >/dev/null 2>&1 || true; done
}

image_fail() { # what is wrong, with the log of container $2
    tail -n 15 "$IMAGE_WORK/$2.log" >&2 || true
    fail "$1; logs are in $IMAGE_WORK"
}

serves() { curl -sf -m 5 -o "$IMAGE_WORK/page" "http://127.0.0.1:$1/healthz"; }

await_image() { # seconds, container, what, command
    local end=$((SECONDS + $1 * IMAGE_SLOWNESS)) name=$2 what=$3
    shift 3
    until "$@"; do
        if [ "$SECONDS" -ge "$end" ] || [ -s "$IMAGE_WORK/$name.code" ]; then image_fail "$name: $what did not happen" "$name"; fi
        sleep 0.05
    done
}

is_member() { serves "$((IMAGE_PORT + 8))" && grep -q '"status":"ready"' "$IMAGE_WORK/page"; }

await_code() { # of container $1, which ends
    local end=$((SECONDS + 60 * IMAGE_SLOWNESS))
    until [ -s "$IMAGE_WORK/$1.code" ]; do [ "$SECONDS" -lt "$end" ] || image_fail "$1 does not end" "$1"; sleep 0.05; done
}

ends() { # container $1, by SIGTERM, with code 143
    runc kill "lambdafs-$$-$1" TERM
    await_code "$1"
    [ "$(cat "$IMAGE_WORK/$1.code")" = 143 ] || image_fail "$1 ended with code $(cat "$IMAGE_WORK/$1.code") after SIGTERM, not 143" "$1"
}

bearer() { # what a holder of the action key $1 shows
    local key
    key=$(printf %s "$1" | openssl dgst -sha256 -r | cut -d' ' -f1)
    printf %s 'derive:HTTP client' | openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -r | cut -d' ' -f1
}

unpack_image() { # the archive $1 into the folder $2
    local layer
    mkdir -p "$IMAGE_WORK/layers" "$2"
    tar -C "$IMAGE_WORK/layers" -xf "$1"
    for layer in $(sed 's/.*"Layers": *\[\([^]]*\)\].*/\1/; s/[",]/ /g' "$IMAGE_WORK/layers/manifest.json"); do
        tar -C "$2" --warning=no-unknown-keyword -xf "$IMAGE_WORK/layers/$layer"
    done
    rm -rf "$IMAGE_WORK/layers"
}

image_files() { # configurations and secrets, as the chart gives them
    local secret='"secretFile": "/etc/lambdafs-secret/secret"' store="127.0.0.1:$IMAGE_PORT"
    rm -rf "$IMAGE_WORK/data"
    mkdir -p "$IMAGE_WORK/data" "$IMAGE_WORK/conf" "$IMAGE_WORK/secret"
    chown 10001:10001 "$IMAGE_WORK/data"
    openssl rand -hex 32 >"$IMAGE_WORK/secret/secret"
    chown 0:10001 "$IMAGE_WORK/secret/secret"
    chmod 440 "$IMAGE_WORK/secret/secret"
    echo "{\"directory\": \"/data/store\", \"port\": $IMAGE_PORT, \"metricsPort\": $((IMAGE_PORT + 1)), $secret}" >"$IMAGE_WORK/conf/store.json"
    echo "{\"store\": \"$store\", \"blockStore\": \"blocks\", \"blocks\": \"/data/blocks\", \"port\": $((IMAGE_PORT + 2)), \"metricsPort\": $((IMAGE_PORT + 3)), $secret}" >"$IMAGE_WORK/conf/datanode.json"
    echo "{\"store\": \"$store\", \"coordinator\": \"store\", \"deployments\": 2, \"superuser\": \"lambdafs\", ${IMAGE_TIMES:+\"times\": {$IMAGE_TIMES\}, }$secret}" >"$IMAGE_WORK/conf/function.json"
}

# A stat of the root by a user whom a cluster without identities believes, good until 2100.
STAT_CALL='"v": 1, "request": "ZAAAAAAAAAAAAQAAAAAAAAABAAICgOCezOXuAQEBbgEv", "token": "lfs0.AYrgnszl7gEIbGFtYmRhZnMBCGxhbWJkYWZzDNl0P7UkKpCHd1tCtg.", "tcp": []'

now_millis() { date +%s%3N; }

resident_mb() { # of process $1
    sed -n 's/^VmRSS:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$1/status" | awk '{ printf "%d", $1 / 1024 }'
}

is_status() { # the reply in the file $1 is the root's status, not a failure: its group is there
    [ -s "$1" ] && sed -n 's/.*"reply" *: *"\([^"]*\)".*/\1/p' "$1" | base64 -d | grep -aq supergroup
}

gets_status() { # of the root, by what curl's arguments $* post, as a client that asks again where it gets a failure
    curl -s -o "$IMAGE_WORK/reply.new" "$@" && mv "$IMAGE_WORK/reply.new" "$IMAGE_WORK/reply" && is_status "$IMAGE_WORK/reply"
}

container_pid() { runc state "lambdafs-$$-$1" | sed -n 's/.*"pid": *\([0-9]*\).*/\1/p'; }

container_start() { # number: milliseconds until a container listens, and until its first reply; its memory
    local name=start$1 begun listens replied port=$((IMAGE_PORT + 8)) url key=none
    url=http://127.0.0.1:$port
    key=$(openssl rand -hex 32)
    begun=$(now_millis)
    container "$name" 320 "\"LAMBDAFS_CONF=/etc/lambdafs/insecure.json\", \"LAMBDAFS_ACTION_PORT=$port\", \"LAMBDAFS_ACTION_KEY=$key\", \"LAMBDAFS_INSTANCE_ID=c-$1\"" \
        '"@/app/roles/instance"'
    await_image 60 "$name" "listening" serves "$port"
    listens=$(now_millis)
    curl -sf -o /dev/null -H "Authorization: Bearer $(bearer "$key")" -d "{\"value\": {\"name\": \"namenode$1\"}}" "$url/init" || image_fail "/init is refused" "$name"
    await_image 30 "$name" "a status" gets_status -H "Authorization: Bearer $(bearer "$key")" -d "{\"value\": {$STAT_CALL}}" "$url/run"
    replied=$(now_millis)
    printf '  %-22s %6d ms until it listens, %6d ms to the first reply, %4d MB resident\n' "$IMAGE_KIND $1" "$((listens - begun))" "$((replied - begun))" \
        "$(resident_mb "$(container_pid "$name")")"
    ends "$name"
}

process_start() { # number: the same of a process that the local gateway starts for a call
    local begun replied pid gateway end=$((SECONDS + 30))
    gateway=http://127.0.0.1:$(cat "$IMAGE_WORK/local/run/gateway.port")
    begun=$(now_millis)
    until gets_status -u "$(cat "$IMAGE_WORK/local/apikey")" -H 'Content-Type: application/json' -d "{$STAT_CALL}" \
        "$gateway/api/v1/namespaces/_/actions/namenode$1?blocking=true&result=true"; do
        [ "$SECONDS" -lt "$end" ] || fail "a call of the local gateway is answered with $(head -c 200 "$IMAGE_WORK/reply")"
    done
    replied=$(now_millis)
    pid=$(curl -s -u "$(cat "$IMAGE_WORK/local/managementkey")" "$gateway/lambdafs/v1/instances" | tr '{' '\n' | grep "\"namenode$1\"" | sed -n 's/.*"pid": *\([0-9]*\).*/\1/p')
    printf '  %-22s %32d ms to the first reply, %4d MB resident\n' "local process $1" "$((replied - begun))" "$(resident_mb "$pid")"
}

image_size() { # of what, archive, unpacked
    echo "the image of $1: $(($(wc -c <"$2") >> 20)) MB; Java $(sed -n 's/^JAVA_VERSION="\(.*\)"/\1/p' "$3/opt/java/release"), $(du -sm "$3/opt/java" | cut -f1) MB; jars $(du -sm "$3/app/libs" | cut -f1) MB; archive of classes $(du -cm "$3"/app/roles/instance.[aj]* 2>/dev/null | tail -n 1 | cut -f1) MB"
}

compare_starts() { # containers of the instance's image and processes of a local gateway, in turns, on one store
    local number
    echo '{"deployments": 3, "coordinator": "store", "inv": "relayed", "instance": {"memoryMb": 320}, "pool": {"prewarm": 0, "keepAliveMillis": 600000}, "blocks": {"datanodes": 0}}' >"$IMAGE_WORK/local.json"
    (run cluster start --dir "$IMAGE_WORK/local" --conf "$IMAGE_WORK/local.json" --insecure) >"$IMAGE_WORK/local.log" 2>&1 || { tail -n 5 "$IMAGE_WORK/local.log" >&2; fail "no local cluster"; }
    trap 'remove_containers; (run cluster stop --dir "$IMAGE_WORK/local") >/dev/null 2>&1 || true' EXIT
    sed 's|"listenHost":"[^"]*"|"listenHost":"127.0.0.1"|' "$IMAGE_WORK/local/conf/function.json" >"$IMAGE_WORK/conf/insecure.json"
    for number in 0 1 2; do
        process_start "$number"
        container_start "$number"
    done
}

plain_post() { # an instance that the environment tells its deployment serves whoever posts to it, as on Knative
    local name=start3 port=$((IMAGE_PORT + 8))
    container "$name" 320 "\"LAMBDAFS_CONF=/etc/lambdafs/insecure.json\", \"PORT=$port\", \"LAMBDAFS_DEPLOYMENT=1\", \"LAMBDAFS_INSTANCE_ID=c-3\"" '"@/app/roles/instance"'
    await_image 60 "$name" "joining" is_member
    await_image 30 "$name" "a status" gets_status -H 'Content-Type: application/json' -d "{$STAT_CALL}" "http://127.0.0.1:$port/"
    ends "$name"
    echo "an instance told its deployment by its environment answers a plain POST: passed"
}

on_lambda() { # the image for Lambda serves what a runtime API hands it, on the store of the local cluster
    local port=$((IMAGE_PORT + 7))
    image --role lambda --out "$IMAGE_WORK/lambda.tar" >/dev/null
    IMAGE_ROOT=$IMAGE_WORK/lambda-root
    unpack_image "$IMAGE_WORK/lambda.tar" "$IMAGE_ROOT"
    image_size "a function on Lambda" "$IMAGE_WORK/lambda.tar" "$IMAGE_ROOT"
    small_enough "$IMAGE_WORK/lambda.tar"
    "$JAVA_HOME/bin/java" "$ROOT/system-tests/src/test/image/RuntimeApi.java" "$port" "{$STAT_CALL}" "$IMAGE_WORK/lambda.reply" &
    IMAGE_API=$!
    await_image 60 lambda "the runtime API's start" curl -s -o /dev/null "http://127.0.0.1:$port/"
    container lambda 512 "\"AWS_LAMBDA_RUNTIME_API=127.0.0.1:$port\", \"AWS_LAMBDA_FUNCTION_NAME=namenode2\", \"AWS_LAMBDA_FUNCTION_VERSION=1\", \"AWS_LAMBDA_FUNCTION_MEMORY_SIZE=512\", \"AWS_REGION=eu-north-1\", \"LAMBDAFS_CONF=/etc/lambdafs/insecure.json\"" \
        '"@/app/roles/lambda"'
    await_image 60 lambda "a status" is_status "$IMAGE_WORK/lambda.reply"
    kill "$IMAGE_API"
    IMAGE_API=
    runc delete -f "lambdafs-$$-lambda"
    echo "the image for Lambda serves what a runtime API hands it: passed"
}

test_distribution() { # twice the same file, whose sums are right, and which runs
    local one two
    one=$(dist --out "$IMAGE_WORK/dist-1")
    two=$(dist --out "$IMAGE_WORK/dist-2")
    cmp "$one" "$two" || fail "two distributions of the same sources differ"
    (cd "$IMAGE_WORK/dist-1" && sha256sum --quiet -c "$(basename "$one").sha256" && tar -xzf "$one") || fail "the distribution's sum is wrong"
    cd "$IMAGE_WORK/dist-1/$(basename "$one" .tar.gz)"
    sha256sum --quiet -c SHA256SUMS || fail "sums within the distribution are wrong"
    grep -q '"bomFormat"' sbom.json || fail "the distribution has no list of its parts"
    bin/lambdafs --version >/dev/null || fail "the distribution does not run"
    cd "$ROOT"
    echo "dist makes the same $(($(wc -c <"$one") / 1000000)) MB twice, whose sums are right, and which runs: passed"
}

all_roles() { # of the image, each in a container
    local key url status
    image_files
    container store 768 "" '"@/app/roles/store", "/etc/lambdafs/store.json"'
    await_image 60 store "serving" serves $((IMAGE_PORT + 1))
    container format 384 "" '"@/app/roles/lambdafs", "format", "--conf", "/etc/lambdafs/function.json"'
    await_code format
    [ "$(cat "$IMAGE_WORK/format.code")" = 0 ] || image_fail "format ended with code $(cat "$IMAGE_WORK/format.code")" format
    container datanode 384 '"LAMBDAFS_DATANODE_ID=datanode-0"' '"@/app/roles/datanode", "/etc/lambdafs/datanode.json"'
    await_image 60 datanode "serving" serves $((IMAGE_PORT + 3))
    key=$(openssl rand -hex 32)
    container instance 320 "\"LAMBDAFS_CONF=/etc/lambdafs/function.json\", \"LAMBDAFS_ACTION_PORT=$((IMAGE_PORT + 8))\", \"LAMBDAFS_ACTION_KEY=$key\", \"LAMBDAFS_INSTANCE_ID=i-1\"" \
        '"@/app/roles/instance"'
    await_image 60 instance "listening" serves $((IMAGE_PORT + 8))
    url=http://127.0.0.1:$((IMAGE_PORT + 8))
    status=$(curl -s -o /dev/null -w '%{http_code}' -d '{"value": {"name": "namenode1"}}' "$url/init")
    [ "$status" = 401 ] || image_fail "/init without the key is answered $status, not 401" instance
    status=$(curl -s -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $(bearer "$key")" -d '{"value": {"name": "namenode1"}}' "$url/init")
    [ "$status" = 200 ] || image_fail "/init is answered $status" instance
    await_image 30 instance "joining" is_member
    curl -sf -o /dev/null "$url/metrics" || image_fail "/metrics is not answered" instance
    grep -q netty_transport_native_epoll "/proc/$(container_pid instance)/maps" || image_fail "the instance has not loaded the native library of its processor" instance
    ends instance
    grep -q "The instance has left" "$IMAGE_WORK/instance.log" || image_fail "the instance did not leave in order" instance
    ends datanode
    ends store
    echo "store, format, datanode and instance run in ${IMAGE_KIND}s, and leave in order: passed"
}

small_enough() { # the archive of an instance's image
    local bytes
    bytes=$(wc -c <"$1")
    [ "$bytes" -le $((INSTANCE_IMAGE_MB * 1000000)) ] || fail "the image of an instance has $bytes bytes, more than $INSTANCE_IMAGE_MB MB"
}

test_image() {
    case ${1:-} in "") ;; *) say "lambdafs test: --image does not take '$1'"; test_usage >&2; exit "$EXIT_USAGE" ;; esac
    if [ "$(id -u)" != 0 ] || ! has runc || ! has curl || ! has openssl; then
        fail "test --image needs root, runc, curl and openssl" "$EXIT_USAGE"
    fi
    IMAGE_WORK=$ROOT/target/image-test
    rm -rf "$IMAGE_WORK"
    mkdir -p "$IMAGE_WORK"
    # shellcheck source=cli/src/main/launcher/image.sh
    . "$ROOT/cli/src/main/launcher/image.sh"
    # shellcheck source=system-tests/src/test/image/foreign.sh
    . "$ROOT/system-tests/src/test/image/foreign.sh"
    image --out "$IMAGE_WORK/lambdafs.tar" >/dev/null
    IMAGE_ROOT=$IMAGE_WORK/root
    unpack_image "$IMAGE_WORK/lambdafs.tar" "$IMAGE_ROOT"
    trap remove_containers EXIT
    trap 'exit 130' INT TERM
    all_roles
    image --role instance --out "$IMAGE_WORK/instance.tar" >/dev/null
    IMAGE_ROOT=$IMAGE_WORK/instance-root
    unpack_image "$IMAGE_WORK/instance.tar" "$IMAGE_ROOT"
    image_size "all roles" "$IMAGE_WORK/lambdafs.tar" "$IMAGE_WORK/root"
    image_size "an instance" "$IMAGE_WORK/instance.tar" "$IMAGE_ROOT"
    small_enough "$IMAGE_WORK/instance.tar"
    compare_starts
    plain_post
    on_lambda
    refuses_architectures
    foreign_images
    test_distribution
}
