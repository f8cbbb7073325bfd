# Part of the launcher: test --kubernetes. A release on a cluster whose pods really run, from the image to nothing left.
# Its cases: api-server (api-server.sh), running (running.sh), restored and restricted (variants.sh).
# Needs LAMBDAFS_TEST_CLUSTER: a program with "start" (an API server alone) and "start --run" (each prints a kubeconfig), "load FILE" (an image archive) and "stop".

KUBERNETES_RELEASE=lambdafs
KUBERNETES_PORT=30800
KUBERNETES_CASES="api-server running restored restricted"
KUBE_NAMESPACE=default

kubernetes_tool() { # the path of helm or kubectl: of the PATH, or beside what the test cluster was built into
    local place
    if type -P "$1"; then return; fi
    for place in "${LAMBDAFS_TEST_CLUSTER_BIN:-}" "${K8S_DIR:-${HOME:-}/.cache/lambdafs-k8s}/bin"; do
        if [ -x "$place/$1" ]; then printf '%s' "$place/$1"; return; fi
    done
    return 1
}

kubectl() { "$KUBECTL" --kubeconfig "$KUBE" -n "$KUBE_NAMESPACE" "$@"; }
helm() { "$HELM" --kubeconfig "$KUBE" -n "$KUBE_NAMESPACE" "$@"; }

step() { # a name and a command: the seconds that it took, or the end
    local name=$1 begun=$SECONDS
    shift
    if ! "$@" >"$KUBE_LOGS/step.log" 2>&1; then
        tail -n 20 "$KUBE_LOGS/step.log" >&2
        kubectl get pods -o wide >&2 || true
        kubernetes_logs
        fail "$name failed; logs of its pods are in $KUBE_LOGS"
    fi
    echo "  $name: $((SECONDS - begun)) s"
}

follow_logs() { # of every pod from its start on, and what happens to them: pods that have gone tell nothing any more
    local space name uid phase log
    mkdir -p "$KUBE_LOGS/pods"
    timeout 7200 "$KUBECTL" --kubeconfig "$KUBE" get events -A --watch --no-headers >"$KUBE_LOGS/events.log" 2>&1 &
    timeout 7200 "$KUBECTL" --kubeconfig "$KUBE" get pods -A --watch --no-headers -o custom-columns=S:.metadata.namespace,N:.metadata.name,U:.metadata.uid,P:.status.phase 2>"$KUBE_LOGS/follow.log" |
        while read -r space name uid phase; do
            log=$KUBE_LOGS/pods/$name-${uid%%-*}.log
            [ "$phase" != Pending ] && [ ! -e "$log" ] || continue
            timeout 7200 "$KUBECTL" --kubeconfig "$KUBE" -n "$space" logs -f --timestamps --all-containers "$name" >"$log" 2>&1 </dev/null &
        done >/dev/null 2>&1 &
}

kubernetes_logs() {
    kubectl get pods -o wide >"$KUBE_LOGS/pods.txt" 2>&1 || true
    kubectl describe pods >"$KUBE_LOGS/describe.txt" 2>&1 || true
}

# Linux weighs a cluster on this machine as much as one process of a terminal: its pods together, and what runs them.
weigh() {
    local file process
    for file in /sys/fs/cgroup/cpu/lambdafs-k8s-*/cpu.shares; do
        if [ -w "$file" ]; then echo 16384 >"$file" || true; fi
    done
    for file in /sys/fs/cgroup/lambdafs-k8s-*/cpu.weight; do
        if [ -w "$file" ]; then echo 1600 >"$file" || true; fi
    done
    for process in $(pgrep -x kube-apiserver || true); do
        if [ -w "/proc/$process/autogroup" ]; then (echo -10 >"/proc/$process/autogroup") 2>/dev/null || true; fi
    done
    if [ -w /proc/self/autogroup ]; then (echo -5 >/proc/self/autogroup) 2>/dev/null || true; fi
}

steady_names() { # CoreDNS, which clients of services ask: it requests nothing of its own
    kubectl -n kube-system set resources deployment coredns --requests=cpu=500m && kubectl -n kube-system rollout status deployment coredns --timeout=90s
}

pods_by_deployment() { # how many pods serve each deployment, the most first, as the gateway knows; fails where it does not say
    local told
    told=$(curl -sf -m 10 ${KUBE_CA:+--cacert "$KUBE_CA"} -u "$(cat "$KUBE_DIR/managementkey")" "$KUBE_GATEWAY/lambdafs/v1/instances") || return 1
    { printf '%s' "$told" | grep -o '"deployment":"namenode[0-9]*"' || true; } | sort | uniq -c | sort -rn | awk '{ print $1 }'
}

until_true() { # seconds, then a command
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        [ "$SECONDS" -lt "$end" ] || return 1
        sleep 1
    done
}

client_directory() { # what the chart's notes say
    local file
    rm -rf "$KUBE_DIR"
    mkdir -m 700 "$KUBE_DIR"
    for file in secret apikey managementkey; do
        (umask 077 && kubectl get secret "$KUBERNETES_RELEASE" -o "jsonpath={.data.$file}" | base64 -d >"$KUBE_DIR/$file")
    done
    for file in client cluster; do
        kubectl get configmap "$KUBERNETES_RELEASE-client" -o "jsonpath={.data.$file\.json}" >"$KUBE_DIR/$file.json"
    done
    KUBE_CA=
    case $KUBE_GATEWAY in
        https:*)
            KUBE_CA=$KUBE_DIR/ca.crt
            kubectl get secret "$KUBERNETES_RELEASE-tls" -o "jsonpath={.data['ca\.crt']}" | base64 -d >"$KUBE_CA"
            ;;
    esac
}

job_of() { # runs the CronJob $1 of the release now; fails where its command does
    local job=$1-$SECONDS
    kubectl create job "$job" --from="cronjob/$KUBERNETES_RELEASE-$1" || return 1
    until_true 180 job_ended "$job" || return 1
    kubectl logs "job/$job"
    [ "$(kubectl get job "$job" -o 'jsonpath={.status.succeeded}')" = 1 ]
}

job_ended() { kubectl get job "$1" -o 'jsonpath={.status.conditions[*].type}' | grep -qE 'Complete|Failed'; }

workload() { # the Spotify mix, whose bursts go up to $1 times the base throughput: 1 for the same load all the time
    sed "s/burst-factor: 7/burst-factor: $1/" "$ROOT/hammer-bench/src/main/resources/io/lambdafs/hammer/workload/spotify.yaml" >"$KUBE_LOGS/load-$1.yaml"
    printf '%s' "$KUBE_LOGS/load-$1.yaml"
}

replay_beside() { # a name, how high bursts go, seconds, and what is done meanwhile: no operation may fail
    local name=$1 profile seconds=$3 beside status=0 failed
    profile=$(workload "$2")
    shift 3
    "$@" &
    beside=$!
    (run replay --dir "$KUBE_DIR" --tree "$ROOT/docs" --profile "$profile" --seconds "$seconds" --base-ops "$KUBE_OPS" --report "$KUBE_LOGS/$name" --json) >"$KUBE_LOGS/$name.json" 2>"$KUBE_LOGS/$name.log" || status=$?
    kill "$beside" 2>/dev/null || true
    wait "$beside" 2>/dev/null || true
    failed=$(sed -n 's/.*"failed":\([0-9]*\).*/\1/p' "$KUBE_LOGS/$name.json" | head -n 1)
    echo "  $name: $(sed -n 's/.*"operations":\([0-9]*\).*/\1/p' "$KUBE_LOGS/$name.json" | head -n 1) operations, ${failed:-?} failed"
    if [ "$status" != 0 ] || [ "${failed:-1}" != 0 ]; then
        tail -n 5 "$KUBE_LOGS/$name.log" >&2
        kubernetes_fail "$name: exit code $status, ${failed:-?} operations failed"
    fi
}

kubernetes_fail() {
    kubernetes_logs
    fail "$1; logs are in $KUBE_LOGS"
}

# The same image under another name: what an upgrade changes to.
renamed_image() { # from the archive $1 to $2
    local work=$2.work
    mkdir -p "$work"
    tar -C "$work" -xf "$1"
    sed 's|:test"|:next"|' "$work/manifest.json" >"$work/renamed" && mv "$work/renamed" "$work/manifest.json"
    tar -C "$work" -cf "$2" .
    rm -rf "$work"
}

install_release() { # with what else helm takes, by the gateway's address for clients
    helm install "$KUBERNETES_RELEASE" "$ROOT/helm/lambdafs" --wait --timeout 5m -f "$ROOT/system-tests/src/test/kubernetes/values.yaml" \
        --set "gateway.service.nodePort=$KUBERNETES_PORT" --set "clients.gateway=$KUBE_GATEWAY" --set "fileSystem.superuser=$(id -un)" \
        --set "clients.ranges=$(own_address "$KUBE_NODE")/32" "$@"
}

make_images() {
    local archive
    # shellcheck source=cli/src/main/launcher/image.sh
    . "$ROOT/cli/src/main/launcher/image.sh"
    image --tag localhost/lambdafs:test --out "$KUBE_LOGS/lambdafs.tar" >/dev/null
    image --role instance --tag localhost/lambdafs-instance:test --out "$KUBE_LOGS/instance.tar" >/dev/null
    for archive in lambdafs instance; do
        renamed_image "$KUBE_LOGS/$archive.tar" "$KUBE_LOGS/$archive-next.tar"
        echo "  image $archive: $(($(wc -c <"$KUBE_LOGS/$archive.tar") / 1000000)) MB"
    done
}

kubernetes_options() {
    while [ $# -gt 0 ]; do
        case $1 in
            -h | --help) test_usage; exit 0 ;;
            --keep) KUBE_KEEP=yes; shift; continue ;;
            --only | --seconds | --base-ops) [ $# -gt 1 ] || { say "lambdafs test: $1 takes a value"; exit "$EXIT_USAGE"; } ;;
            *) say "lambdafs test: --kubernetes does not take '$1'"; test_usage >&2; exit "$EXIT_USAGE" ;;
        esac
        case $1 in --only) KUBE_CASES=$2 ;; --seconds) KUBE_SECONDS=$2 ;; *) KUBE_OPS=$2 ;; esac
        shift 2
    done
    case $KUBE_CASES in
        "$KUBERNETES_CASES" | api-server | running | restored | restricted) ;;
        *) say "lambdafs test: --only takes one of $KUBERNETES_CASES"; exit "$EXIT_USAGE" ;;
    esac
}

test_kubernetes() {
    local each
    KUBE_OPS=500 KUBE_BURST=4 KUBE_SECONDS=60 KUBE_KEEP=no KUBE_CASES=$KUBERNETES_CASES
    kubernetes_options "$@"
    [ -x "${LAMBDAFS_TEST_CLUSTER:-}" ] || fail "test --kubernetes needs LAMBDAFS_TEST_CLUSTER, a program that starts a cluster: start, start --run, load FILE, stop" "$EXIT_USAGE"
    HELM=$(kubernetes_tool helm) || fail "test --kubernetes needs helm on the PATH" "$EXIT_USAGE"
    KUBECTL=$(kubernetes_tool kubectl) || fail "test --kubernetes needs kubectl on the PATH" "$EXIT_USAGE"
    KUBE_LOGS=$ROOT/target/kubernetes
    KUBE_DIR=$KUBE_LOGS/client
    rm -rf "$KUBE_LOGS"
    mkdir -p "$KUBE_LOGS"
    for each in api-server database running variants; do
        # shellcheck source=/dev/null # beside this one
        . "$ROOT/system-tests/src/test/kubernetes/$each.sh"
    done
    case $KUBE_CASES in *api-server*) test_api_server ;; esac
    if [ "$KUBE_CASES" = api-server ]; then echo "passed"; return; fi
    make_images
    if [ "$KUBE_KEEP" = no ]; then trap '"$LAMBDAFS_TEST_CLUSTER" stop >/dev/null 2>&1 || true' EXIT; fi
    trap 'exit 130' INT TERM
    KUBE=$("$LAMBDAFS_TEST_CLUSTER" start --run | tail -n 1) || fail "the test cluster did not start"
    weigh
    step "load" "$LAMBDAFS_TEST_CLUSTER" load "$KUBE_LOGS"/{lambdafs,lambdafs-next,instance,instance-next}.tar
    step "names" steady_names
    follow_logs
    KUBE_NODE=$(kubectl get nodes -o 'jsonpath={.items[0].status.addresses[?(@.type=="InternalIP")].address}')
    for each in $KUBE_CASES; do
        if [ "$each" = api-server ]; then continue; fi
        echo "$each"
        "case_$each"
    done
    echo "passed"
}

own_address() { # of this machine, towards the host $1
    ip -4 route get "$1" | sed -n 's/.* src \([0-9.]*\).*/\1/p' | head -n 1
}

run_quietly() { (run "$@"); }
