# Part of the launcher: test --kubernetes, a release under bursts, kills, a lost node, upgrade and rollback. Read by test.sh.

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

roll_back() { # to the images before
    sleep 10
    helm rollback "$KUBERNETES_RELEASE" --wait --timeout 5m >"$KUBE_LOGS/rollback.log" 2>&1 && touch "$KUBE_LOGS/rolled-back"
}

only_images() { # does every pod that serves have the tag $1?
    [ -z "$(kubectl get pods --field-selector status.phase=Running -o 'jsonpath={.items[*].spec.containers[*].image}' | tr ' ' '\n' | grep -v ":$1\$" || true)" ]
}

lose_node() { # what one node may have had, at once: the store, the datanode, the gateway that leads and every instance
    local pods
    sleep 10
    pods=$(leading_gateway; kubectl get pods -l "app.kubernetes.io/component in (store, datanode, instance)" --field-selector status.phase=Running -o name)
    # shellcheck disable=SC2086 # a list of pods
    kubectl delete $pods --grace-period=0 --force >"$KUBE_LOGS/node.log" 2>&1 && printf '%s\n' "$pods" >"$KUBE_LOGS/node"
}

daily_round() { # every command of the chart as a Job
    local command
    for command in status datanodes upgrade fsck blocks doctor; do
        echo "--- $command"
        job_of "$command" || return 1
    done
}

case_running() {
    local most killed
    KUBE_GATEWAY=http://$KUBE_NODE:$KUBERNETES_PORT
    step "helm install" install_release
    client_directory
    step "first operations" run_quietly fs --dir "$KUBE_DIR" -mkdir -p /first/directory
    replay_beside "steady load" 1 20 true
    replay_beside "replay" "$KUBE_BURST" "$KUBE_SECONDS" watch_instances
    most=$(cat "$KUBE_LOGS/most" 2>/dev/null || echo 0)
    echo "  most pods of a deployment: $most"
    [ "$most" -ge 3 ] || kubernetes_fail "a deployment had at most $most pods, and 3 are expected"
    step "back to no instance" until_true 90 no_instances
    step "helm test" helm test "$KUBERNETES_RELEASE" --logs --timeout 3m
    step "the daily round" daily_round
    replay_beside "pods killed" 1 60 kill_instances
    killed=$(wc -l 2>/dev/null <"$KUBE_LOGS/killed" | tr -d ' ') || killed=0
    echo "  pods killed: $killed"
    [ "$killed" -ge 8 ] || kubernetes_fail "only $killed pods were killed in a minute, and one every 5 s is expected"
    replay_beside "gateway killed" 1 60 kill_leader
    [ -s "$KUBE_LOGS/leaders" ] || kubernetes_fail "no gateway took over from the one that was killed"
    replay_beside "a node lost" 1 90 lose_node
    [ -s "$KUBE_LOGS/node" ] || { cat "$KUBE_LOGS/node.log" >&2; kubernetes_fail "no node's worth of pods was killed"; }
    echo "  pods killed at once: $(wc -l <"$KUBE_LOGS/node" | tr -d ' ')"
    replay_beside "helm upgrade" 1 180 upgrade_image
    [ -e "$KUBE_LOGS/upgraded" ] || { cat "$KUBE_LOGS/upgrade.log" >&2; kubernetes_fail "helm upgrade did not end within the replay"; }
    only_images next || kubernetes_fail "pods of the image before are left"
    replay_beside "helm rollback" 1 180 roll_back
    [ -e "$KUBE_LOGS/rolled-back" ] || { cat "$KUBE_LOGS/rollback.log" >&2; kubernetes_fail "helm rollback did not end within the replay"; }
    only_images test || kubernetes_fail "pods of the image that was left are there"
    remove_release
}

remove_release() { # and look that nothing is left but claims of the kinds $*
    step "back to no instance" until_true 90 no_instances
    kubectl delete pod "$KUBERNETES_RELEASE-test" --ignore-not-found >/dev/null # a hook's pod is not the release's, for helm
    step "helm uninstall" helm uninstall "$KUBERNETES_RELEASE" --wait --timeout 2m
    step "nothing left" until_true 60 nothing_left "$@"
}

no_instances() {
    local now
    now=$(pods_by_deployment) && [ -z "$now" ]
}

nothing_left() { # of the release, but the claims $*
    local left each
    left=$(kubectl get all,configmap,secret,pvc,role,rolebinding,networkpolicy,serviceaccount,poddisruptionbudget -o name -l "app.kubernetes.io/instance=$KUBERNETES_RELEASE" 2>/dev/null)
    for each in "$@"; do left=$(printf '%s\n' "$left" | grep -vx "persistentvolumeclaim/$each") || true; done
    printf '%s\n' "$left"
    [ -z "$left" ] && [ -z "$(kubectl get lease -o name)" ]
}
