# Part of the launcher: test --kubernetes, a release that is restored from its backup, and one in a restricted namespace with TLS and PostgreSQL. Read by test.sh.

KUBERNETES_LOOKS=10000

many_files() { # a tree of KUBERNETES_LOOKS empty files in folders of a hundred
    local folder
    rm -rf "$KUBE_LOGS/tree"
    for folder in $(seq $((KUBERNETES_LOOKS / 100))); do
        mkdir -p "$KUBE_LOGS/tree/$folder"
        (cd "$KUBE_LOGS/tree/$folder" && touch $(seq 100))
    done
}

looks() { # what every file looks like: mode, owner, size, time and path
    (run fs --dir "$KUBE_DIR" -ls -R /kept) >"$1" && [ "$(wc -l <"$1")" -ge "$KUBERNETES_LOOKS" ]
}

keep_files() { # files that a restored release must have
    many_files && head -c 20000000 /dev/urandom >"$KUBE_LOGS/data" &&
        (run replay --dir "$KUBE_DIR" --tree "$KUBE_LOGS/tree" --target /kept --seconds 5 --base-ops 20 --report "$KUBE_LOGS/kept") &&
        (run fs --dir "$KUBE_DIR" -put "$KUBE_LOGS/data" /kept/data)
}

same_files() {
    looks "$KUBE_LOGS/after" && cmp "$KUBE_LOGS/before" "$KUBE_LOGS/after" &&
        (run fs --dir "$KUBE_DIR" -get /kept/data "$KUBE_LOGS/back") && cmp "$KUBE_LOGS/data" "$KUBE_LOGS/back"
}

save_secret() { # as OPERATIONS has it
    (umask 077 && kubectl get secret "$KUBERNETES_RELEASE" -o yaml >"$KUBE_LOGS/secret.yaml")
}

lose_cluster() { # the release with its store and its keys: only the claims of the dumps and of the blocks are left
    kubectl delete pod "$KUBERNETES_RELEASE-test" --ignore-not-found &&
        helm uninstall "$KUBERNETES_RELEASE" --wait --timeout 2m && until_true 60 nothing_left lambdafs-backup data-lambdafs-datanode-0
}

case_restored() {
    KUBE_GATEWAY=http://$KUBE_NODE:$KUBERNETES_PORT
    step "helm install" install_release --set backup.enabled=true,datanode.persistence.keep=true
    client_directory
    step "$KUBERNETES_LOOKS files" keep_files
    step "looks" looks "$KUBE_LOGS/before"
    step "backup" job_of backup
    step "secret" save_secret
    step "cluster deleted" lose_cluster
    step "secret again" kubectl apply -f "$KUBE_LOGS/secret.yaml"
    step "restore" install_release --wait-for-jobs --set backup.enabled=true,datanode.persistence.keep=true,restore.enabled=true
    step "gateway" helm upgrade "$KUBERNETES_RELEASE" "$ROOT/helm/lambdafs" --reuse-values --set restore.enabled=false --wait --timeout 5m
    step "helm test" helm test "$KUBERNETES_RELEASE" --logs --timeout 3m
    client_directory
    step "the same looks" same_files
    echo "  looks that are equal: $(wc -l <"$KUBE_LOGS/after" | tr -d ' ')"
    step "the daily round" daily_round
    step "a second backup" job_of backup
    remove_release lambdafs-backup data-lambdafs-datanode-0
    kubectl delete pvc --all >/dev/null
}

active_store() { # the store server that serves, of two
    local pod
    for pod in $(kubectl get pods -l app.kubernetes.io/component=store --field-selector status.phase=Running -o name); do
        if kubectl logs "$pod" 2>/dev/null | grep -q "This server serves now"; then echo "$pod"; fi
    done
}

kill_store() { # the store server that serves; then notes the one that serves next
    local old next
    sleep 10
    until old=$(active_store) && [ -n "$old" ]; do sleep 1; done
    kubectl delete "$old" --grace-period=0 --force >/dev/null 2>&1
    until next=$(active_store) && [ -n "$next" ] && [ "$next" != "$old" ]; do sleep 1; done
    echo "$old, then $next" >>"$KUBE_LOGS/stores"
}

certificate() { openssl x509 -noout -fingerprint -sha256; }

presented() { # does the server at $1 show the certificate of the Secret?
    local secret
    secret=$(kubectl get secret "$KUBERNETES_RELEASE-tls" -o "jsonpath={.data.tls\.crt}" | base64 -d | certificate)
    [ "$(openssl s_client -connect "$1" </dev/null 2>/dev/null | certificate)" = "$secret" ]
}

all_presented() { # by the gateway, and by every pod that serves
    local address
    presented "$KUBE_NODE:$KUBERNETES_PORT" || return 1
    for address in $(addresses store 7000) $(addresses datanode 7100) $(addresses instance 8080); do presented "$address" || return 1; done
}

addresses() { # of the running pods of the component $1, with the port $2
    kubectl get pods -l "app.kubernetes.io/component=$1" --field-selector status.phase=Running -o "jsonpath={range .items[*]}{.status.podIP}:$2 {end}"
}

renew_certificates() { # again and again, until each service shows the one that is new
    while :; do
        sleep 5
        helm upgrade "$KUBERNETES_RELEASE" "$ROOT/helm/lambdafs" --reuse-values --wait --timeout 5m >"$KUBE_LOGS/renew.log" 2>&1 || return 1
        until all_presented; do sleep 1; done
        echo "$SECONDS" >>"$KUBE_LOGS/renewed"
    done
}

restarts() { # of containers that serve
    kubectl get pods -l app.kubernetes.io/component -o 'jsonpath={range .items[*].status.containerStatuses[*]}{.restartCount}{"\n"}{end}' | awk '{ all += $1 } END { print all + 0 }'
}

case_restricted() {
    local before
    database_image "$KUBE_LOGS/database.tar" localhost/database:test
    KUBE_NAMESPACE=restricted
    KUBE_GATEWAY=https://$KUBE_NODE:$KUBERNETES_PORT
    step "namespace" kubectl create namespace restricted
    step "pod security" kubectl label namespace restricted pod-security.kubernetes.io/enforce=restricted
    step "database's image" "$LAMBDAFS_TEST_CLUSTER" load "$KUBE_LOGS/database.tar"
    step "database" database localhost/database:test
    step "claim" open_claim data-lambdafs-datanode-0 localhost/database:test
    step "helm install" install_release -f "$ROOT/system-tests/src/test/kubernetes/restricted.yaml"
    client_directory
    step "first operations" run_quietly fs --dir "$KUBE_DIR" -mkdir -p /first/directory
    step "helm test" helm test "$KUBERNETES_RELEASE" --logs --timeout 3m
    step "the daily round" daily_round
    replay_beside "store server killed" 1 60 kill_store
    [ -s "$KUBE_LOGS/stores" ] || kubernetes_fail "no store server took over from the one that was killed"
    before=$(restarts)
    replay_beside "certificates renewed" 1 120 renew_certificates
    [ -s "$KUBE_LOGS/renewed" ] || { cat "$KUBE_LOGS/renew.log" >&2; kubernetes_fail "the certificates were not renewed within the replay"; }
    echo "  certificates renewed: $(wc -l <"$KUBE_LOGS/renewed" | tr -d ' ') times"
    [ "$(restarts)" = "$before" ] || kubernetes_fail "containers were started again: $before, then $(restarts)"
    remove_release data-lambdafs-datanode-0
    kubectl delete namespace restricted >/dev/null
    KUBE_NAMESPACE=default
}
