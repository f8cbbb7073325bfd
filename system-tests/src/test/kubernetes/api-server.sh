# Part of the launcher: test --kubernetes, what needs an API server and no pod that runs. Read by test.sh.

# One way to install the chart a line.
KUBERNETES_WAYS='
gateway.replicas=2
gateway.enabled=false
tls.enabled=true
store.engine=postgres,store.postgres.url=jdbc:postgresql://database:5432/fs,store.postgres.user=fs,store.postgres.secret=database
store.engine=ndb,store.ndb.image=registry.example/ndb:8.4
coordinator.kind=zookeeper,coordinator.zookeeper=zookeeper:2181,coordinator.plain=true
datanode.replicas=2,datanode.blocks=s3://bucket/blocks,datanode.credentials=bucket,datanode.direct=true
image.tag=1,runAs=null,networkPolicy.egress.enabled=true,podLabels.team=7,podAnnotations.inject=false,nodeSelector.gpu=true,priorityClassName=system-cluster-critical
backup.enabled=true,restore.enabled=true,metrics.dashboards.enabled=true
backup.enabled=true,backup.place=s3://dumps/fs,datanode.credentials=bucket,networkPolicy.egress.enabled=true
gateway.ingress.enabled=true,gateway.ingress.host=fs.example.com,gateway.ingress.tlsSecret=web,clients.gateway=https://fs.example.com
gateway.service.type=LoadBalancer,gateway.service.loadBalancerClass=example.com/internal,gateway.service.externalTrafficPolicy=Local'

api_server_tests() { # deploys the gateway and Knative's services, twice, and removes them
    local reports=$ROOT/deploy/target
    find "$reports" -name 'TEST-*ApiServerTest.xml' -delete 2>/dev/null || true
    (
        take_lock
        export LAMBDAFS_TEST_KUBECONFIG=$KUBE
        run_maven "$KUBE_LOGS/api-server.log" -q -Dlauncher -pl deploy -am -Dtest=ApiServerTest -Dsurefire.failIfNoSpecifiedTests=false test
    ) || return 1
    find "$reports" -name 'TEST-*ApiServerTest.xml' -exec grep -q '<testsuite [^>]*skipped="0"' {} \; -print | grep -q . || { echo "ApiServerTest was skipped"; return 1; }
}

# A namespace that refuses pods which are not restricted, and says so of what makes them; with the accounts of pods that are tried alone.
restricted_namespace() {
    local account
    kubectl create namespace restricted || return 1
    kubectl label namespace restricted pod-security.kubernetes.io/warn=restricted pod-security.kubernetes.io/enforce=restricted || return 1
    for account in default lambdafs-datanode lambdafs-instance; do until_true 30 has_account "$account" || return 1; done
}

has_account() { kubectl -n restricted get serviceaccount "$1" || kubectl -n restricted create serviceaccount "$1"; }

chart_dry_runs() { # what the API server says of each way, without keeping any of it: no pod may break the restricted policy, an instance's neither
    local ways
    while IFS= read -r ways; do
        echo "chart with ${ways:-its defaults}"
        helm install lambdafs "$ROOT/helm/lambdafs" --dry-run=server --set "$ways" >/dev/null || return 1
        helm template lambdafs "$ROOT/helm/lambdafs" --validate --set "$ways" >"$KUBE_LOGS/rendered.yaml" || return 1
        admitted "$KUBE_LOGS/rendered.yaml" || return 1
        case $ways in *gateway.enabled=false*) continue ;; esac
        helm template lambdafs "$ROOT/helm/lambdafs" --validate --set "$ways" --show-only templates/config.yaml >"$KUBE_LOGS/config.yaml" || return 1
        kubectl create --dry-run=client -o 'jsonpath={.data.pod\.yaml}' -f "$KUBE_LOGS/config.yaml" | sed '0,/^  labels:/s//  name: instance\n  labels:/' >"$KUBE_LOGS/instance.yaml" || return 1
        admitted "$KUBE_LOGS/instance.yaml" || return 1
    done <<EOF
$KUBERNETES_WAYS
EOF
}

admitted() { # would everything in the file $1 be made, without a word about its security?
    kubectl -n restricted apply --dry-run=server --validate=strict -f "$1" >"$KUBE_LOGS/admitted.log" 2>&1 || { cat "$KUBE_LOGS/admitted.log"; return 1; }
    ! grep "would violate PodSecurity" "$KUBE_LOGS/admitted.log"
}

test_api_server() {
    trap '"$LAMBDAFS_TEST_CLUSTER" stop >/dev/null 2>&1 || true' EXIT
    KUBE=$("$LAMBDAFS_TEST_CLUSTER" start | tail -n 1) || fail "the test cluster's API server did not start"
    step "deploy on the API server" api_server_tests
    step "restricted namespace" restricted_namespace
    step "chart on the API server" chart_dry_runs
    "$LAMBDAFS_TEST_CLUSTER" stop >/dev/null
    trap - EXIT
}
