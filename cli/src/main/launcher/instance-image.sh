# Part of the launcher: a function's own image, a Java runtime with what it needs; an instance's has an archive of its classes. Read by image.sh.

make_function() { # the base's archive, the name, the file, the version of its Java, its architecture, its role: an archive as docker, podman and containerd load
    local work=$3.work libs=$ROOT/target/image/files/app/roles/$6 jar
    need_gnu_linux "a function's image"
    rm -rf "$work"
    mkdir -p "$work/base" "$work/root/app/roles" "$work/root/app/libs"
    tar -C "$work/base" -xf "$1"
    tar -C "$work/root" -xf "$work/base/layer.tar"
    for jar in $(sed -n '/^-cp$/{n;p;}' "$libs" | tr : ' '); do cp "$DIST/lib/$(basename "$jar")" "$work/root/app/libs/"; done
    cp "$libs" "$work/root/app/roles/$6"
    find "$work/root" -exec touch -h -d @0 {} +
    if [ "$6" = lambda ]; then
        : # The recorded run is an instance's.
    elif [ "$5" != "$(own_architecture)" ]; then
        say "lambdafs: the image has no archive of classes: only a machine for $5 records one"
    elif ! archive_classes "$work/root" "$4"; then
        say "lambdafs: the image has no archive of classes, and its instances start without: that needs root, unshare and curl here"
    fi
    rm -rf "$work/root/tmp"/* "$work/root/tmp"/.[!.]*
    packed "$work/root" 0 >"$work/layer.tar"
    image_config "$5" "\"java\",\"@/app/roles/$6\"" "$work/layer.tar" >"$work/config.json"
    archived "$3" "$2" "$work"
    rm -rf "$work"
}

java_in() { # the image's file system $1, options of the JVM, and variables: an instance there, in this process
    local root=$1 options=$2
    shift 2
    # shellcheck disable=SC2016 # expanded by that shell
    exec env "$@" "JDK_JAVA_OPTIONS=-Xmx160m $options" unshare -m sh -c \
        'mount --rbind /dev "$0/dev" && mount --rbind /proc "$0/proc" && exec chroot "$0" /opt/java/bin/java @/app/roles/instance' "$root"
}

# An instance serves a client in the image's file system, and records which classes it used; of that the JVM makes its archive, which is held
# against paths, sizes and times of the jars.
archive_classes() { # the image's file system, the version of its Java
    local root=$1 archive record create use work=$1/tmp/train status=0
    [ "$(id -u)" = 0 ] && has unshare && has curl || return 1
    if [ "$2" -ge 25 ]; then
        archive=/app/roles/instance.aot
        record="-XX:AOTMode=record -XX:AOTConfiguration=/tmp/recording"
        create="-XX:AOTMode=create -XX:AOTConfiguration=/tmp/recording -XX:AOTCache=$archive"
        use=-XX:AOTCache=$archive
    else
        archive=/app/roles/instance.jsa
        record=-XX:DumpLoadedClassList=/tmp/recording
        create="-Xshare:dump -XX:SharedClassListFile=/tmp/recording -XX:SharedArchiveFile=$archive"
        use=-XX:SharedArchiveFile=$archive
    fi
    mkdir -p "$work"
    (exercise_instance "$root" "$work" "$record") >"$root/tmp/train.log" 2>&1 || status=$?
    if [ "$status" = 0 ] && [ -s "$root/tmp/recording" ]; then (java_in "$root" "$create" A=) >>"$root/tmp/train.log" 2>&1 || true; fi
    if [ ! -s "$root$archive" ]; then
        tail -n 5 "$root/tmp/train.log" >&2
        return 1
    fi
    # It is to start as ever, and to say nothing, whatever becomes of the archive.
    awk -v use="$use" '/^-cp$/ { print use; print "-Xlog:disable"; print "-Xlog:all=error:stderr" } { print }' "$root/app/roles/instance" >"$root/tmp/role"
    cat "$root/tmp/role" >"$root/app/roles/instance"
    touch -d @0 "$root$archive" "$root/app/roles/instance"
}

exercise_instance() { # the image's file system, a folder in it, options that record; in a shell of its own, at whose end its processes end
    local root=$1 work=$2 port end
    instance=
    end=$((SECONDS + 120))
    echo "{\"directory\": \"$work/store\", \"port\": 0, \"portFile\": \"$work/store.port\", \"metricsPort\": 0, \"insecure\": true}" >"$work/store.json"
    "$JAVA_HOME/bin/java" -Xmx256m -cp "$CLASS_PATH" io.lambdafs.store.embedded.server.StoreMain "$work/store.json" &
    store=$!
    trap 'kill $store $instance 2>/dev/null || true' EXIT
    until [ -s "$work/store.port" ]; do [ "$SECONDS" -lt "$end" ] && kill -0 $store || return 1; sleep 0.1; done
    echo "{\"fileSystem\": \"image\", \"deployments\": 1, \"superuser\": \"$(id -un)\", \"store\": \"127.0.0.1:$(cat "$work/store.port")\", \"coordinator\": \"store\", \"listenHost\": \"127.0.0.1\", \"clientRanges\": \"127.0.0.0/8\", \"insecure\": true}" >"$work/function.json"
    (run format --conf "$work/function.json")
    java_in "$root" "$3" LAMBDAFS_CONF=/tmp/train/function.json LAMBDAFS_ACTION_PORT=0 LAMBDAFS_ACTION_PORT_FILE=/tmp/train/instance.port LAMBDAFS_DEPLOYMENT=0 &
    instance=$!
    until [ -s "$work/instance.port" ]; do [ "$SECONDS" -lt "$end" ] && kill -0 $instance || return 1; sleep 0.1; done
    port=$(cat "$work/instance.port")
    until curl -sf -m 5 "http://127.0.0.1:$port/healthz" | grep -q '"status":"ready"'; do [ "$SECONDS" -lt "$end" ] || return 1; sleep 0.2; done
    echo "{\"schema\": 1, \"api\": \"http\", \"gateway\": \"http://127.0.0.1:$port\", \"functionUrl\": \"http://127.0.0.1:$port/\", \"namespace\": \"_\", \"actionPrefix\": \"image\", \"deployments\": 1, \"transport\": \"netty\", \"superuser\": \"$(id -un)\", \"insecure\": true}" >"$work/client.json"
    echo "{\"fileSystem\": \"image\", \"deployments\": 1, \"superuser\": \"$(id -un)\"}" >"$work/cluster.json"
    (run fs --dir "$work" -mkdir -p /a/b)
    (run fs --dir "$work" -put "$work/function.json" /a/b/f)
    (run fs --dir "$work" -cat /a/b/f) >/dev/null
    (run fs --dir "$work" -mv /a/b/f /a/b/g)
    (run fs --dir "$work" -ls -R /) >/dev/null
    (run fs --dir "$work" -rm -r -f /a)
    kill -TERM $instance
    wait $instance || true
    instance=
}
