# Part of the launcher: test --kubernetes. A release on a cluster whose pods really run, from the image to nothing left.
# Needs LAMBDAFS_TEST_CLUSTER: a program with "start --run" (prints a kubeconfig), "load FILE" (an image archive) and "stop".

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
        kubectl get pods -o wide >&2 2>/dev/null || true
        kubernetes_logs
        fail "$name failed; logs of its pods are in $KUBE_LOGS"
    fi
    echo "  $name: $((SECONDS - begun)) s"
}

kubernetes_logs() {
    local pod
    for pod in $(kubectl get pods -o name 2>/dev/null || true); do
        kubectl logs --all-containers "$pod" >"$KUBE_LOGS/$(basename "$pod").log" 2>&1 || true
        kubectl describe "$pod" >>"$KUBE_LOGS/$(basename "$pod").log" 2>&1 || true
    done
}

pods_by_deployment() { # how many pods serve each deployment, the most first, as the gateway knows
    curl -sf -u "$(cat "$KUBE_DIR/managementkey")" "$KUBE_GATEWAY/lambdafs/v1/instances" |
        grep -o '"deployment":"namenode[0-9]*"' | sort | uniq -c | sort -rn | awk '{ print $1 }'
}

until_true() { # seconds, then a command
    local end=$((SECONDS + $1))
    shift
    until "$@"; do
        [ "$SECONDS" -lt "$end" ] || return 1
        sleep 1
    done
}

no_instances() { [ "$(pods_by_deployment | head -n 1)" = "" ]; }

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
        now=$(pods_by_deployment | head -n 1)
        if [ "${now:-0}" -gt "$most" ]; then most=$now; echo "$most" >"$KUBE_LOGS/most"; fi
        sleep 1
    done
}

kill_instances() { # a pod every five seconds, at once, until it is ended
    local pod
    while :; do
        sleep 5
        pod=$(kubectl get pods -l "lambdafs.io/gateway=$KUBERNETES_RELEASE-gateway" --field-selector status.phase=Running -o name 2>/dev/null | shuf -n 1)
        if [ -n "$pod" ] && kubectl delete "$pod" --grace-period=0 --force >/dev/null 2>&1; then echo "$pod" >>"$KUBE_LOGS/killed"; fi
    done
}

kill_leader() { # the gateway that leads, once; then notes the one that leads next
    local leader next=""
    sleep 10
    leader=$(leading_gateway)
    kubectl delete "$leader" --grace-period=0 --force >/dev/null 2>&1
    until [ -n "$next" ] && [ "$next" != "$leader" ]; do sleep 1; next=$(leading_gateway); done
    echo "$leader, then $next" >"$KUBE_LOGS/leaders"
}

leading_gateway() {
    kubectl get pods -l app.kubernetes.io/component=gateway,lambdafs.io/leader=true --field-selector status.phase=Running -o name 2>/dev/null | head -n 1
}

upgrade_image() { # another image for everything
    sleep 10
    helm upgrade "$KUBERNETES_RELEASE" "$ROOT/helm/lambdafs" --reuse-values --set image.tag=next --wait --timeout 5m >"$KUBE_LOGS/upgrade.log" 2>&1 && touch "$KUBE_LOGS/upgraded"
}

replay_beside() { # a name, seconds, and what is done meanwhile: no operation may fail
    local name=$1 seconds=$2 beside status=0 failed
    shift 2
    "$@" &
    beside=$!
    (run replay --dir "$KUBE_DIR" --tree "$ROOT/docs" --seconds "$seconds" --base-ops "$KUBE_OPS" --report "$KUBE_LOGS/$name" --json) >"$KUBE_LOGS/$name.json" 2>"$KUBE_LOGS/$name.log" || status=$?
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
    sed 's|localhost/lambdafs:test|localhost/lambdafs:next|' "$work/manifest.json" >"$work/renamed" && mv "$work/renamed" "$work/manifest.json"
    tar -C "$work" -cf "$2" .
    rm -rf "$work"
}

test_kubernetes() {
    local seconds=30 keep=no most node
    KUBE_OPS=500
    while [ $# -gt 0 ]; do
        case $1 in
            -h | --help) test_usage; exit 0 ;;
            --keep) keep=yes; shift; continue ;;
            --seconds | --base-ops) [ $# -gt 1 ] || { say "lambdafs test: $1 takes a value"; exit "$EXIT_USAGE"; } ;;
            *) say "lambdafs test: --kubernetes does not take '$1'"; test_usage >&2; exit "$EXIT_USAGE" ;;
        esac
        if [ "$1" = --seconds ]; then seconds=$2; else KUBE_OPS=$2; fi
        shift 2
    done
    [ -x "${LAMBDAFS_TEST_CLUSTER:-}" ] || fail "test --kubernetes needs LAMBDAFS_TEST_CLUSTER, a program that starts a cluster whose pods run: start --run, load FILE, stop" "$EXIT_USAGE"
    HELM=$(kubernetes_tool helm) || fail "test --kubernetes needs helm on the PATH" "$EXIT_USAGE"
    KUBECTL=$(kubernetes_tool kubectl) || fail "test --kubernetes needs kubectl on the PATH" "$EXIT_USAGE"
    KUBE_LOGS=$ROOT/target/kubernetes
    KUBE_DIR=$KUBE_LOGS/client
    rm -rf "$KUBE_LOGS"
    mkdir -p "$KUBE_LOGS"
    # shellcheck source=cli/src/main/launcher/image.sh
    . "$ROOT/cli/src/main/launcher/image.sh"
    image --tag localhost/lambdafs:test --out "$KUBE_LOGS/lambdafs.tar" >/dev/null
    renamed_image "$KUBE_LOGS/lambdafs.tar" "$KUBE_LOGS/next.tar"
    echo "  image: $(($(wc -c <"$KUBE_LOGS/lambdafs.tar") / 1000000)) MB"
    if [ "$keep" = no ]; then trap '"$LAMBDAFS_TEST_CLUSTER" stop >/dev/null 2>&1 || true' EXIT; fi
    trap 'exit 130' INT TERM
    KUBE=$("$LAMBDAFS_TEST_CLUSTER" start --run | tail -n 1) || fail "the test cluster did not start"
    step "load" "$LAMBDAFS_TEST_CLUSTER" load "$KUBE_LOGS/lambdafs.tar" "$KUBE_LOGS/next.tar"
    node=$(kubectl get nodes -o 'jsonpath={.items[0].status.addresses[?(@.type=="InternalIP")].address}')
    KUBE_GATEWAY=http://$node:$KUBERNETES_PORT
    step "helm install" helm install "$KUBERNETES_RELEASE" "$ROOT/helm/lambdafs" --wait --timeout 5m -f "$ROOT/system-tests/src/test/kubernetes/values.yaml" \
        --set "gateway.service.nodePort=$KUBERNETES_PORT" --set "clients.gateway=$KUBE_GATEWAY" --set "fileSystem.superuser=$(id -un)" \
        --set "clients.ranges=$(own_address "$node")/32"
    client_directory
    step "first operations" run_quietly fs --dir "$KUBE_DIR" -mkdir -p /first/directory
    replay_beside "replay" "$seconds" watch_instances
    most=$(cat "$KUBE_LOGS/most" 2>/dev/null || echo 0)
    echo "  most pods of a deployment: $most"
    [ "$most" -ge 3 ] || kubernetes_fail "a deployment had at most $most pods, and 3 are expected"
    step "back to no instance" until_true 90 no_instances
    replay_beside "pods killed" 60 kill_instances
    echo "  pods killed: $(wc -l <"$KUBE_LOGS/killed" | tr -d ' ')"
    replay_beside "gateway killed" 40 kill_leader
    [ -s "$KUBE_LOGS/leaders" ] || kubernetes_fail "no gateway took over from the one that was killed"
    replay_beside "helm upgrade" 120 upgrade_image
    [ -e "$KUBE_LOGS/upgraded" ] || { cat "$KUBE_LOGS/upgrade.log" >&2; kubernetes_fail "helm upgrade did not end within the replay"; }
    [ -z "$(kubectl get pods -o 'jsonpath={.items[*].spec.containers[*].image}' | tr ' ' '\n' | grep -v ':next$')" ] || kubernetes_fail "pods of the image before are left"
    step "back to no instance" until_true 90 no_instances
    step "helm uninstall" helm uninstall "$KUBERNETES_RELEASE" --wait --timeout 2m
    step "nothing left" until_true 60 nothing_left
    echo "passed"
}

own_address() { # of this machine, towards the host $1
    ip -4 route get "$1" | sed -n 's/.* src \([0-9.]*\).*/\1/p' | head -n 1
}

run_quietly() { (run "$@"); }
