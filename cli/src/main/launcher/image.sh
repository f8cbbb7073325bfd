# Part of the launcher: the container image and the distribution. Read by it where one of them is asked for.

image_usage() {
    cat <<'EOF'
Usage: ./lambdafs image [--tag NAME:TAG] [--out FILE] [--role ROLE] [--base IMAGE [--java VERSION]]
Makes a container image of all roles (instance, gateway, store server, datanode, command line) as an archive
that docker, podman and containerd load. Needs no Docker. It runs as user 10001, on a read-only file system.
  --tag NAME:TAG   its name (default: lambdafs:VERSION)
  --out FILE       where it goes (default: target/image/lambdafs.tar)
  --role ROLE      what it starts as where a platform gives no command, as OpenWhisk: instance, store, datanode,
                   gateway (default: lambdafs, the command line). That of an instance has nothing else in it, and
                   an archive of its classes
  --base IMAGE     a base with a Java runtime, of a registry or as tar://FILE; without, a runtime is linked
                   from a JDK 25, or this one, with the C library of this machine (Linux only)
  --java VERSION   of the base's Java (default: 17, which starts on newer ones too)
EOF
}

dist_usage() {
    cat <<'EOF'
Usage: ./lambdafs dist [--out DIR]
Makes DIR/lambdafs-VERSION.tar.gz (default: target/dist): the program with all that it needs but a JDK,
a list of its parts (CycloneDX), and SHA-256 sums. The same sources and JDK give the same file.
EOF
}

project_version() { sed -n 's|^  <version>\(.*\)</version>|\1|p' "$ROOT/pom.xml" | head -n 1; }

need_gnu_linux() { # what needs it
    [ "$(uname -s)" = Linux ] && tar --version 2>/dev/null | grep -q GNU || fail "$1 needs Linux and GNU tar" "$EXIT_USAGE"
}

packed() { # the folder $1 as a tar, always the same for the same files; its owner is $2
    tar -C "$1" --sort=name --mtime=@0 --format=gnu --numeric-owner --owner="$2" --group="$2" -cf - .
}

architecture() {
    case $(uname -m) in x86_64 | amd64) echo amd64 ;; aarch64 | arm64) echo arm64 ;; *) uname -m ;; esac
}

libraries() { # the shared libraries that programs and libraries $* need, and those of the JVM's own libraries
    local file
    { for file in "$@"; do ldd "$file" 2>/dev/null || true; done; } | sed -n -e 's/.* => \(\/[^ ]*\) .*/\1/p' -e 's/^[[:space:]]*\(\/[^ ]*\) (.*/\1/p' | sort -u
}

java_modules() { # those of this JDK that the program needs
    local have wanted="" module
    have=$("$JAVA_HOME/bin/java" --list-modules | sed 's/@.*//')
    for module in java.se jdk.crypto.ec jdk.httpserver jdk.jfr jdk.management jdk.naming.dns jdk.net jdk.security.auth jdk.security.jgss jdk.unsupported jdk.zipfs; do
        if printf '%s\n' "$have" | grep -qx "$module"; then wanted=$wanted,$module; fi
    done
    printf '%s' "${wanted#,}"
}

image_config() { # the configuration of an image: its command as JSON strings, or nothing; and the tar of its layer
    printf '{"architecture":"%s","os":"linux","created":"1970-01-01T00:00:00Z","config":{"Env":["PATH=/opt/java/bin","JAVA_HOME=/opt/java"],"User":"10001:10001"%s},"rootfs":{"type":"layers","diff_ids":["sha256:%s"]},"history":[{"created":"1970-01-01T00:00:00Z","created_by":"lambdafs image"}]}' \
        "$(architecture)" "${1:+,\"WorkingDir\":\"/app\",\"Entrypoint\":[$1]}" "$(sha256sum <"$2" | cut -d' ' -f1)"
}

make_base() { # an image archive $1: a Java runtime, the C library, and nothing else
    local work=$1.work file target major compress=2
    need_gnu_linux "an image without --base"
    [ -x "$JAVA_HOME/bin/jlink" ] || fail "the JDK at $JAVA_HOME has no jlink: install a whole one, or give --base"
    major=$(jdk_major "$JAVA_HOME")
    if [ "$major" -ge 21 ]; then compress=zip-6; fi
    rm -rf "$work"
    mkdir -p "$work/root/opt" "$work/root/etc" "$work/root/tmp" "$work/root/proc" "$work/root/sys" "$work/root/dev"
    "$JAVA_HOME/bin/jlink" --output "$work/root/opt/java" --add-modules "$(java_modules)" --strip-debug --no-header-files --no-man-pages \
        --compress "$compress" >"$work/jlink.log" 2>&1 || fail "jlink failed: $(tail -n 1 "$work/jlink.log")"
    "$work/root/opt/java/bin/java" -Xshare:dump >/dev/null 2>&1 || true
    # Libraries for windows and sound need more than a server has.
    for file in $(libraries "$work/root/opt/java/bin/java" "$work/root/opt/java/lib/server/libjvm.so" \
        "$work/root/opt/java"/lib/lib{java,jimage,jli,management,net,nio,verify,zip}.so "$(ldconfig -p | sed -n 's/.*libstdc++.so.6 .* => //p' | head -n 1)"); do
        case $file in "$work"/*) continue ;; esac
        target=$work/root$file
        mkdir -p "$(dirname "$target")"
        cp -L "$file" "$target"
    done
    # What the C library looks up by itself, and native libraries inside jars ask for.
    for file in libpthread.so.0 libdl.so.2 librt.so.1 libutil.so.1 libstdc++.so.6 libgcc_s.so.1 libnss_dns.so.2 libnss_files.so.2 libresolv.so.2; do
        file=$(ldconfig -p | sed -n "s|.*$file .* => ||p" | head -n 1)
        if [ -n "$file" ]; then mkdir -p "$work/root$(dirname "$file")"; cp -L "$file" "$work/root$file"; fi
    done
    # The loader is asked for by the path that programs name, which may be a link here.
    for file in /lib64/ld-linux-x86-64.so.2 /lib/ld-linux-aarch64.so.1; do
        if [ -e "$file" ]; then mkdir -p "$work/root$(dirname "$file")"; cp -L "$file" "$work/root$file"; fi
    done
    printf 'root:x:0:0::/:/sbin/nologin\nlambdafs:x:10001:10001::/app:/sbin/nologin\n' >"$work/root/etc/passwd"
    printf 'root:x:0:\nlambdafs:x:10001:\n' >"$work/root/etc/group"
    echo 'hosts: files dns' >"$work/root/etc/nsswitch.conf"
    chmod 1777 "$work/root/tmp"
    packed "$work/root" 0 >"$work/layer.tar"
    image_config "" "$work/layer.tar" >"$work/config.json"
    printf '[{"Config":"config.json","RepoTags":["localhost/lambdafs-base:%s"],"Layers":["layer.tar"]}]' "$major" >"$work/manifest.json"
    tar -C "$work" --sort=name --mtime=@0 --numeric-owner --owner=0 --group=0 -cf "$1" config.json layer.tar manifest.json
    rm -rf "$work"
}

image() {
    local name out=$ROOT/target/image/lambdafs.tar base="" java="" role=lambdafs log=$ROOT/target/image-build.log folder=$ROOT/target/image release home
    name=lambdafs:$(project_version)
    while [ $# -gt 0 ]; do
        case $1 in
            -h | --help) image_usage; return ;;
            --tag | --out | --base | --java | --role) [ $# -gt 1 ] || { say "lambdafs image: $1 takes a value"; exit "$EXIT_USAGE"; } ;;
            *) say "lambdafs image: unknown option '$1'"; image_usage >&2; exit "$EXIT_USAGE" ;;
        esac
        case $1 in --tag) name=$2 ;; --out) out=$2 ;; --base) base=$2 ;; --role) role=$2 ;; *) java=$2 ;; esac
        shift 2
    done
    case $role in
        instance | store | datanode | gateway | lambdafs) ;;
        *) say "lambdafs image: there is no role '$role'"; image_usage >&2; exit "$EXIT_USAGE" ;;
    esac
    case $out in /*) ;; *) out=$PWD/$out ;; esac
    if is_current; then need_build_tools; else build; fi
    mkdir -p "$folder" "$(dirname "$out")"
    if [ -n "$base" ]; then
        release=${java:-17}
    else
        home=$(find_jdk 25)
        if [ -z "$home" ] || [ ! -x "$home/bin/jlink" ]; then home=$JAVA_HOME; fi
        release=$(jdk_major "$home")
        if [ ! "$folder/base-$release.tar" -nt "$home/release" ] || [ ! "$folder/base-$release.tar" -nt "$ROOT/cli/src/main/launcher/image.sh" ]; then
            say "lambdafs: linking a Java runtime"
            (JAVA_HOME=$home && make_base "$folder/base-$release.tar")
        fi
    fi
    class_path
    rm -rf "$folder/files"
    "$JAVA_HOME/bin/java" -XX:TieredStopAtLevel=1 -cp "$CLASS_PATH" io.lambdafs.cluster.ImageRoles "$folder/files/app/roles" "$release"
    if [ -z "$base" ] && [ "$role" = instance ]; then
        say "lambdafs: making the image $name of an instance alone"
        # shellcheck source=cli/src/main/launcher/instance-image.sh
        . "$ROOT/cli/src/main/launcher/instance-image.sh"
        make_instance "$folder/base-$release.tar" "$name" "$out" "$release"
        printf '%s\n' "$out"
        return
    fi
    base=${base:-tar://$folder/base-$release.tar}
    take_lock
    say "lambdafs: making the image $name"
    run_maven "$log" -T 1C -Dlauncher -Dmaven.test.skip=true -Pimage -pl cli -am "-Dimage.base=$base" "-Dimage.name=$name" "-Dimage.file=$out" \
        "-Dimage.files=$folder/files" "-Dimage.role=$role" "-Djib.from.platforms=linux/$(architecture)" -Djib.console=plain package >/dev/null || {
        grep '^\[ERROR\]' "$log" | head -n 5 >&2 || true
        fail "the image was not made; the log is $log"
    }
    drop_lock
    printf '%s\n' "$out"
}

dist() {
    local out=$ROOT/target/dist log=$ROOT/target/dist-build.log version name work
    version=$(project_version)
    while [ $# -gt 0 ]; do
        case $1 in
            -h | --help) dist_usage; return ;;
            --out) [ $# -gt 1 ] || { say "lambdafs dist: $1 takes a value"; exit "$EXIT_USAGE"; } ;;
            *) say "lambdafs dist: unknown option '$1'"; dist_usage >&2; exit "$EXIT_USAGE" ;;
        esac
        out=$2
        shift 2
    done
    case $out in /*) ;; *) out=$PWD/$out ;; esac
    need_gnu_linux "a distribution"
    if is_current; then need_build_tools; else build; fi
    name=lambdafs-$version
    work=$out/$name
    rm -rf "$work"
    mkdir -p "$work/root/$name/bin" "$work/root/$name/lib"
    take_lock
    say "lambdafs: listing the parts"
    run_maven "$log" -T 1C -Dlauncher -Dmaven.test.skip=true -Psbom -pl cli -am package >/dev/null || fail "the parts were not listed; the log is $log"
    drop_lock
    cp "$ROOT/cli/target/launcher/sbom.json" "$work/root/$name/"
    cp "$DIST"/lib/*.jar "$work/root/$name/lib/"
    cp "$ROOT/LICENSE" "$ROOT/NOTICE" "$ROOT/README.md" "$ROOT/CHANGELOG.md" "$work/root/$name/"
    cp -R "$ROOT/docs" "$ROOT/helm" "$work/root/$name/"
    sed "s/@VERSION@/$version/" "$ROOT/cli/src/main/launcher/lambdafs" >"$work/root/$name/bin/lambdafs"
    find "$work/root" -type d -exec chmod 755 {} + -o -type f -exec chmod 644 {} +
    chmod 755 "$work/root/$name/bin/lambdafs"
    (cd "$work/root/$name" && find . -type f ! -name SHA256SUMS | LC_ALL=C sort | xargs sha256sum >SHA256SUMS)
    tar -C "$work/root" --sort=name --mtime=@0 --format=gnu --numeric-owner --owner=0 --group=0 -cf - "$name" | gzip -9n >"$out/$name.tar.gz"
    (cd "$out" && sha256sum "$name.tar.gz" >"$name.tar.gz.sha256")
    rm -rf "$work"
    printf '%s\n' "$out/$name.tar.gz"
}
