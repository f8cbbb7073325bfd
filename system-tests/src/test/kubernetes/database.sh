# Part of the launcher: test --kubernetes, a PostgreSQL for its pods: this machine's, in an image. Read by test.sh.

database_image() { # an archive $1 of the image $2: PostgreSQL, what initdb starts it by, and chmod, which opens volumes
    local work=$1.work home share file
    home=$(resolve_link "$(type -P postgres || ls /usr/lib/postgresql/*/bin/postgres /usr/pgsql-*/bin/postgres 2>/dev/null | tail -n 1)")
    home=${home%/bin/postgres}
    for share in "$home/share/postgresql" "$home/share" "/usr/share/postgresql/${home##*/}" ""; do
        if [ -e "$share/postgres.bki" ]; then break; fi
    done
    [ -x "$home/bin/initdb" ] && [ -n "$share" ] || fail "the case restricted needs PostgreSQL here (postgres on the PATH)" "$EXIT_USAGE"
    rm -rf "$work"
    mkdir -p "$work/root"/{app,bin,etc,tmp,proc,sys,dev} "$work/root$home/bin" "$work/root$(dirname "$share")"
    cp "$home"/bin/{postgres,initdb} "$work/root$home/bin/"
    cp -R "$home/lib" "$work/root$home/"
    cp -R "$share" "$work/root$share"
    rm -rf "$work/root$home/lib"/{bitcode,llvmjit*,pgxs}
    cp -L /bin/sh /bin/chmod "$work/root/bin/"
    for file in $(libraries "$home"/bin/{postgres,initdb} "$work/root$home/lib"/*.so /bin/sh /bin/chmod); do
        mkdir -p "$work/root$(dirname "$file")"
        cp -L "$file" "$work/root$file"
    done
    if [ -d /usr/share/zoneinfo ]; then mkdir -p "$work/root/usr/share" && cp -RL /usr/share/zoneinfo "$work/root/usr/share/"; fi
    printf 'root:x:0:0::/:/bin/sh\npostgres:x:10001:10001::/:/bin/sh\n' >"$work/root/etc/passwd"
    packed "$work/root" 0 >"$work/layer.tar"
    image_config "$(own_architecture)" '"/bin/sh"' "$work/layer.tar" | sed "s|\"PATH=[^\"]*\"|\"PATH=/bin:$home/bin\"|" >"$work/config.json"
    archived "$1" "$2" "$work"
    rm -rf "$work"
}

database() { # a Deployment "database" of the image $1, its Service, and the Secret with its password
    kubectl create secret generic database --from-literal=password=test-database || return 1
    kubectl apply -f - <<YAML || return 1
apiVersion: v1
kind: Service
metadata: {name: database}
spec: {selector: {app: database}, ports: [{port: 5432}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: database}
spec:
  selector: {matchLabels: {app: database}}
  template:
    metadata: {labels: {app: database}}
    spec:
      securityContext: {runAsNonRoot: true, runAsUser: 10001, runAsGroup: 10001, fsGroup: 10001, seccompProfile: {type: RuntimeDefault}}
      containers:
        - name: database
          image: $1
          imagePullPolicy: Never
          command: [sh, -ec]
          args:
            - |
              initdb -D /data/db -U lambdafs --auth=scram-sha-256 --pwfile=/etc/database/password --no-locale -E UTF8
              echo 'host all all all scram-sha-256' >>/data/db/pg_hba.conf
              exec postgres -D /data/db -c 'listen_addresses=*' -c unix_socket_directories= -c jit=off
          resources: {requests: {cpu: 500m, memory: 512Mi}, limits: {memory: 512Mi}}
          securityContext: {allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: {drop: [ALL]}}
          readinessProbe: {tcpSocket: {port: 5432}, periodSeconds: 2}
          volumeMounts: [{name: data, mountPath: /data}, {name: password, mountPath: /etc/database}, {name: tmp, mountPath: /tmp}]
      volumes:
        - {name: data, emptyDir: {}}
        - {name: tmp, emptyDir: {}}
        - {name: password, secret: {secretName: database}}
YAML
    kubectl rollout status deployment/database --timeout=120s
}

open_claim() { # a claim $1 of 1 GB whose volume anybody may write, by the image $2: those of hostPath do not take the pod's group
    local volume
    kubectl apply -f - <<YAML || return 1
apiVersion: v1
kind: PersistentVolumeClaim
metadata: {name: $1}
spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
YAML
    until_true 60 bound "$1" || return 1
    volume=$(kubectl get pv "$(kubectl get pvc "$1" -o 'jsonpath={.spec.volumeName}')" -o 'jsonpath={.spec.hostPath.path}')
    if [ -z "$volume" ]; then return; fi
    "$KUBECTL" --kubeconfig "$KUBE" -n kube-system run "open-$1" --image="$2" --image-pull-policy=Never --restart=Never --overrides="{\"spec\": {\"containers\": [{\"name\": \"open\", \"image\": \"$2\", \"imagePullPolicy\": \"Never\", \"securityContext\": {\"runAsUser\": 0},
        \"command\": [\"chmod\", \"0777\", \"/volume\"], \"volumeMounts\": [{\"name\": \"volume\", \"mountPath\": \"/volume\"}]}], \"volumes\": [{\"name\": \"volume\", \"hostPath\": {\"path\": \"$volume\"}}]}}" || return 1
    "$KUBECTL" --kubeconfig "$KUBE" -n kube-system wait --for=jsonpath='{.status.phase}'=Succeeded "pod/open-$1" --timeout=60s
}

bound() { [ "$(kubectl get pvc "$1" -o 'jsonpath={.status.phase}')" = Bound ]; }
