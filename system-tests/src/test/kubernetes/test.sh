# Part of the launcher: test --kubernetes. A release on a cluster whose pods really run, from the image to nothing left.
# Needs LAMBDAFS_TEST_CLUSTER: a program with "start" (an API server alone) and "start --run" (each prints a kubeconfig), "load FILE" (an image archive) and "stop".

KUBERNETES_RELEASE=lambdafs
KUBERNETES_PORT=30800

kubernetes_tool() { # the path of helm or kubectl: of the PATH, or beside what the test cluster was built into
    local place
    if type -P "$1"; then return; fi
    for place in "${LAMBDAFS_TEST_CLUSTER_BIN:-}" "${K8S_DIR:-${HOME:-}/.cache/lambdafs-k8s}/bin"; do
        if [ -x "$place/$1" ]; then printf '%s' "$place/$1"; return; fi
    done
    return 1
}

kubectl() { "$KUBECTL" --kubeconfig "$KUBE" "$@"; }
helm() { "$HELM" --kubeconfig "$KUBE" "$@"; }

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
    local name phase
    mkdir -p "$KUBE_LOGS/pods"
    timeout 3600 "$KUBECTL" --kubeconfig "$KUBE" get events --watch --no-headers >"$KUBE_LOGS/events.log" 2>&1 &
    timeout 3600 "$KUBECTL" --kubeconfig "$KUBE" get pods --watch --no-headers -o custom-columns=N:.metadata.name,P:.status.phase 2>"$KUBE_LOGS/follow.log" |
        while read -r name phase; do
            [ "$phase" = Running ] && [ ! -e "$KUBE_LOGS/pods/$name.log" ] || continue
            timeout 3600 "$KUBECTL" --kubeconfig "$KUBE" logs -f --timestamps --all-containers "$name" >"$KUBE_LOGS/pods/$name.log" 2>&1 </dev/null &
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
    told=$(curl -sf -m 10 -u "$(cat "$KUBE_DIR/managementkey")" "$KUBE_GATEWAY/lambdafs/v1/instances") || return 1
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

no_instances() {
    local now
    now=$(pods_by_deployment) && [ -z "$now" ]
}

nothing_left() { # of the release
    [ -z "$(kubectl get all,configmap,secret,pvc,role,rolebinding,networkpolicy,serviceaccount,poddisruptionbudget -o name -l "app.kubernetes.io/instance=$KUBERNETES_RELEASE" 2>/dev/null)" ] && [ -z "$(kubectl get lease -o name)" ]
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
}

watch_instances() { # writes the most pods that a deployment had, until it is ended
    local most=0 now
    while :; do
        now=$(pods_by_deployment | sed -n 1p) || now=0
        if [ "${now:-0}" -gt "$most" ]; then most=$now; echo "$most" >"$KUBE_LOGS/most"; fi
        sleep 1
    done
}

kill_instances() { # a pod every five seconds, at once, until it is ended
    local pod
    while :; do
        sleep 5
        pod=$(kubectl get pods -l "lambdafs.io/gateway=$KUBERNETES_RELEASE-gateway" --field-selector status.phase=Running -o name 2>/dev/null | shuf -n 1) || pod=
        if [ -n "$pod" ] && kubectl delete "$pod" --grace-period=0 --force >/dev/null 2>&1; then echo "$pod" >>"$KUBE_LOGS/killed"; fi
    done
}

kill_leader() { # the gateway that leads, once; then notes the one that leads next
    local leader next=""
    sleep 10
    until leader=$(leading_gateway) && [ -n "$leader" ]; do sleep 1; done
    until kubectl delete "$leader" --grace-period=0 --force >/dev/null 2>&1; do sleep 1; done
    until [ -n "$next" ] && [ "$next" != "$leader" ]; do sleep 1; next=$(leading_gateway) || next=; done
    echo "$leader, then $next" >"$KUBE_LOGS/leaders"
}

leading_gateway() {
    kubectl get pods -l app.kubernetes.io/component=gateway,lambdafs.io/leader=true --field-selector status.phase=Running -o name 2>/dev/null | sed -n 1p
}

upgrade_image() { # another image for everything
    sleep 10
    helm upgrade "$KUBERNETES_RELEASE" "$ROOT/helm/lambdafs" --reuse-values --set image.tag=next --set instance.image=localhost/lambdafs-instance:next --wait --timeout 5m >"$KUBE_LOGS/upgrade.log" 2>&1 && touch "$KUBE_LOGS/upgraded"
}

workload() { # the Spotify mix, whose bursts go up to $1 times the base throughput: 1 for the same load all the time
    sed "s/burst-factor: 7/burst-factor: $1/" "$ROOT/hammer-bench/src/main/resources/io/lambdafs/hammer/load/spotify.yaml" >"$KUBE_LOGS/load-$1.yaml"
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

test_kubernetes() {
    local seconds=60 keep=no only="" most node archive killed
    KUBE_OPS=500
    KUBE_BURST=4
    while [ $# -gt 0 ]; do
        case $1 in
            -h | --help) test_usage; exit 0 ;;
            --keep) keep=yes; shift; continue ;;
            --only)
                case ${2:-} in api-server | running) ;; *) say "lambdafs test: --only takes api-server or running"; exit "$EXIT_USAGE" ;; esac
                only=$2
                shift 2
                continue
                ;;
            --seconds | --base-ops) [ $# -gt 1 ] || { say "lambdafs test: $1 takes a value"; exit "$EXIT_USAGE"; } ;;
            *) say "lambdafs test: --kubernetes does not take '$1'"; test_usage >&2; exit "$EXIT_USAGE" ;;
        esac
        if [ "$1" = --seconds ]; then seconds=$2; else KUBE_OPS=$2; fi
        shift 2
    done
    [ -x "${LAMBDAFS_TEST_CLUSTER:-}" ] || fail "test --kubernetes needs LAMBDAFS_TEST_CLUSTER, a program that starts a cluster: start, start --run, load FILE, stop" "$EXIT_USAGE"
    HELM=$(kubernetes_tool helm) || fail "test --kubernetes needs helm on the PATH" "$EXIT_USAGE"
    KUBECTL=$(kubernetes_tool kubectl) || fail "test --kubernetes needs kubectl on the PATH" "$EXIT_USAGE"
    KUBE_LOGS=$ROOT/target/kubernetes
    KUBE_DIR=$KUBE_LOGS/client
    rm -rf "$KUBE_LOGS"
    mkdir -p "$KUBE_LOGS"
    # shellcheck source=system-tests/src/test/kubernetes/api-server.sh
    . "$ROOT/system-tests/src/test/kubernetes/api-server.sh"
    if [ "$only" != running ]; then test_api_server; fi
    if [ "$only" = api-server ]; then echo "passed"; return; fi
    # shellcheck source=cli/src/main/launcher/image.sh
    . "$ROOT/cli/src/main/launcher/image.sh"
    image --tag localhost/lambdafs:test --out "$KUBE_LOGS/lambdafs.tar" >/dev/null
    image --role instance --tag localhost/lambdafs-instance:test --out "$KUBE_LOGS/instance.tar" >/dev/null
    for archive in lambdafs instance; do
        renamed_image "$KUBE_LOGS/$archive.tar" "$KUBE_LOGS/$archive-next.tar"
        echo "  image $archive: $(($(wc -c <"$KUBE_LOGS/$archive.tar") / 1000000)) MB"
    done
    if [ "$keep" = no ]; then trap '"$LAMBDAFS_TEST_CLUSTER" stop >/dev/null 2>&1 || true' EXIT; fi
    trap 'exit 130' INT TERM
    KUBE=$("$LAMBDAFS_TEST_CLUSTER" start --run | tail -n 1) || fail "the test cluster did not start"
    weigh
    step "load" "$LAMBDAFS_TEST_CLUSTER" load "$KUBE_LOGS"/{lambdafs,lambdafs-next,instance,instance-next}.tar
    step "names" steady_names
    follow_logs
    node=$(kubectl get nodes -o 'jsonpath={.items[0].status.addresses[?(@.type=="InternalIP")].address}')
    KUBE_GATEWAY=http://$node:$KUBERNETES_PORT
    step "helm install" helm install "$KUBERNETES_RELEASE" "$ROOT/helm/lambdafs" --wait --timeout 5m -f "$ROOT/system-tests/src/test/kubernetes/values.yaml" \
        --set "gateway.service.nodePort=$KUBERNETES_PORT" --set "clients.gateway=$KUBE_GATEWAY" --set "fileSystem.superuser=$(id -un)" \
        --set "clients.ranges=$(own_address "$node")/32"
    client_directory
    step "first operations" run_quietly fs --dir "$KUBE_DIR" -mkdir -p /first/directory
    replay_beside "steady load" 1 20 true
    replay_beside "replay" "$KUBE_BURST" "$seconds" watch_instances
    most=$(cat "$KUBE_LOGS/most" 2>/dev/null || echo 0)
    echo "  most pods of a deployment: $most"
    [ "$most" -ge 3 ] || kubernetes_fail "a deployment had at most $most pods, and 3 are expected"
    step "back to no instance" until_true 90 no_instances
    replay_beside "pods killed" 1 60 kill_instances
    killed=$(wc -l 2>/dev/null <"$KUBE_LOGS/killed" | tr -d ' ') || killed=0
    echo "  pods killed: $killed"
    [ "$killed" -ge 8 ] || kubernetes_fail "only $killed pods were killed in a minute, and one every 5 s is expected"
    replay_beside "gateway killed" 1 60 kill_leader
    [ -s "$KUBE_LOGS/leaders" ] || kubernetes_fail "no gateway took over from the one that was killed"
    replay_beside "helm upgrade" 1 180 upgrade_image
    [ -e "$KUBE_LOGS/upgraded" ] || { cat "$KUBE_LOGS/upgrade.log" >&2; kubernetes_fail "helm upgrade did not end within the replay"; }
    [ -z "$(kubectl get pods -o 'jsonpath={.items[*].spec.containers[*].image}' | tr ' ' '\n' | grep -v ':next$' || true)" ] || kubernetes_fail "pods of the image before are left"
    step "back to no instance" until_true 90 no_instances
    step "helm uninstall" helm uninstall "$KUBERNETES_RELEASE" --wait --timeout 2m
    step "nothing left" until_true 60 nothing_left
    echo "passed"
}

own_address() { # of this machine, towards the host $1
    ip -4 route get "$1" | sed -n 's/.* src \([0-9.]*\).*/\1/p' | head -n 1
}

run_quietly() { (run "$@"); }
