# Part of the launcher: the container image and the distribution. Read by it where one of them is asked for.

image_usage() {
    cat <<'EOF'
Usage: ./lambdafs image [--tag NAME:TAG] [--out FILE] [--role ROLE] [--architecture ARCHITECTURE]
                        [--root DIR | --base IMAGE [--java VERSION]]
Makes a container image of all roles (instance, gateway, store server, datanode, command line) as an archive
that docker, podman and containerd load. Needs no Docker. It runs as user 10001, on a read-only file system.
  --tag NAME:TAG   name of the image (default: lambdafs:VERSION)
  --out FILE       archive to write (default: target/image/lambdafs.tar)
  --role ROLE      role to start if the platform gives no command, as OpenWhisk: instance, lambda, store, datanode,
                   gateway (default: lambdafs, the command line). The image of an instance has nothing else in it
                   but, for this machine's architecture, an archive of its classes; that of lambda has the function
                   for AWS Lambda, and Lambda's runtime client
  --architecture ARCHITECTURE
                   amd64 or arm64 (default: this machine's; another one needs --root or --base)
  --root DIR       a Linux of that architecture with a whole JDK, as mmdebstrap unpacks it: supplies the C library, and
                   the modules from which this machine's JDK of that version links the runtime; nothing of it runs
  --base IMAGE     base image with a Java runtime, in a registry or as tar://FILE (default: a runtime linked
                   from a JDK 25, or this one, with the C library of this machine; Linux only)
  --java VERSION   version of the base's Java (default: 17, which starts on newer ones too)
EOF
}

dist_usage() {
    cat <<'EOF'
Usage: ./lambdafs dist [--out DIR]
Makes DIR/lambdafs-VERSION.tar.gz (default: target/dist): the program with everything it needs except a JDK,
a list of its parts (CycloneDX), and SHA-256 sums. The same sources and JDK give the same file.
EOF
}

project_version() { sed -n 's|^  <version>\(.*\)</version>|\1|p' "$ROOT/pom.xml" | head -n 1; }

need_gnu_linux() { # what needs it
    [ "$(uname -s)" = Linux ] && tar --version 2>/dev/null | grep -q GNU || fail "$1 needs Linux and GNU tar" "$EXIT_USAGE"
}

level_modes() { # of the files in the folder $1, which everybody may then read, whatever the umask they were made under
    find "$1" \( -type d -o -type f -perm -u+x \) -exec chmod 755 {} + -o -type f -exec chmod 644 {} +
    if [ -d "$1/tmp" ]; then chmod 1777 "$1/tmp"; fi
}

packed() { # the folder $1 as a tar, always the same for the same files; its owner is $2
    level_modes "$1"
    tar -C "$1" --sort=name --mtime=@0 --format=gnu --numeric-owner --owner="$2" --group="$2" -cf - .
}

own_architecture() { # this machine's, as images name it
    case $(uname -m) in x86_64 | amd64) echo amd64 ;; aarch64 | arm64) echo arm64 ;; *) uname -m ;; esac
}

elf_architecture() { # that of the program or library $1, nothing where it is none
    case $(od -An -v -tx1 -N 20 "$1" 2>/dev/null | tr -d ' \n') in
        7f454c46*3e00) echo amd64 ;;
        7f454c46*b700) echo arm64 ;;
        7f454c46*) echo another ;;
    esac
}

library() { # where the Linux at $1 has the library $3 for architecture $2, or nothing
    local folder
    for folder in "$1"/{lib,usr/lib}/*-linux-gnu "$1"/{lib,usr/lib}{64,}; do
        if [ "$(elf_architecture "$folder/$3")" = "$2" ]; then
            printf '%s\n' "$folder/$3"
            return
        fi
    done
}

foreign_libraries() { # the shared libraries of the Linux at $1 for architecture $2 that the files $3… need, and that those need
    local root=$1 architecture=$2 seen=" " name file
    shift 2
    while [ $# -gt 0 ]; do
        for name in $(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\].*/\1/p'); do
            case $seen in *" $name "*) continue ;; esac
            seen="$seen$name "
            file=$(library "$root" "$architecture" "$name")
            if [ -n "$file" ]; then
                printf '%s\n' "$file"
                set -- "$@" "$file"
            else
                # The runtime's own have no version.
                case $name in *.so.*) fail "$root has no $name for $architecture, which the Java runtime needs" ;; esac
            fi
        done
        shift
    done
}

libraries() { # the shared libraries that programs and libraries $* of this machine need
    local file
    { for file in "$@"; do ldd "$file" 2>/dev/null || true; done; } | sed -n -e 's/.* => \(\/[^ ]*\) .*/\1/p' -e 's/^[[:space:]]*\(\/[^ ]*\) (.*/\1/p' | sort -u
}

jdk_in() { # the home of the newest JDK with its modules in the Linux at $1, or nothing
    local module home
    find -H "$1" -path '*/jmods/java.base.jmod' -type f 2>/dev/null | while IFS= read -r module; do
        home=${module%/jmods/*}
        if [ -r "$home/release" ] && [ -x "$home/bin/java" ]; then printf '%s %s\n' "$(jdk_major "$home")" "$home"; fi
    done | sort -n | tail -n 1 | cut -d' ' -f2-
}

java_modules() { # those of this JDK, or in the folder $1, that the program needs
    local have wanted="" module
    have=$(if [ -n "$1" ]; then ls "$1"; else "$JAVA_HOME/bin/java" --list-modules; fi | sed -e 's/@.*//' -e 's/\.jmod$//')
    for module in java.se jdk.crypto.ec jdk.httpserver jdk.jfr jdk.management jdk.naming.dns jdk.net jdk.security.auth jdk.security.jgss jdk.unsupported jdk.zipfs; do
        if printf '%s\n' "$have" | grep -qx "$module"; then wanted=$wanted,$module; fi
    done
    printf '%s' "${wanted#,}"
}

image_labels() { # those of the Open Container Initiative for a role's image, as JSON; cli/pom.xml has them for the image of all roles
    printf '{"org.opencontainers.image.description":"%s","org.opencontainers.image.licenses":"Apache-2.0","org.opencontainers.image.title":"lambdafs","org.opencontainers.image.version":"%s"}' \
        "$(sed -n 's|^ *<org.opencontainers.image.description>\(.*\)</.*|\1|p' "$ROOT/cli/pom.xml")" "$(project_version)"
}

image_config() { # the configuration of an image: its architecture; its command as JSON strings, or nothing; and the tar of its layer
    printf '{"architecture":"%s","os":"linux","created":"1970-01-01T00:00:00Z","config":{"Env":["PATH=/opt/java/bin","JAVA_HOME=/opt/java"],"User":"10001:10001"%s},"rootfs":{"type":"layers","diff_ids":["sha256:%s"]},"history":[{"created":"1970-01-01T00:00:00Z","created_by":"lambdafs image"}]}' \
        "$1" "${2:+,\"WorkingDir\":\"/app\",\"Entrypoint\":[$2],\"Labels\":$(image_labels)}" "$(sha256sum <"$3" | cut -d' ' -f1)"
}

archived() { # the image archive $1 of a name, $2, and the configuration and layer in the folder $3
    printf '[{"Config":"config.json","RepoTags":["%s"],"Layers":["layer.tar"]}]' "$2" >"$3/manifest.json"
    tar -C "$3" --sort=name --mtime=@0 --format=gnu --mode=644 --numeric-owner --owner=0 --group=0 -cf "$1" config.json layer.tar manifest.json
}

make_base() { # an image archive $1 for architecture $2: a Java runtime, the C library, and nothing else; of the Linux at $3 and its JDK $4, or of this machine
    local work=$1.work root=$3 jmods=${4:+$4/jmods} java found file loader name major compress=2 strip=--strip-debug
    need_gnu_linux "an image without --base"
    [ -x "$JAVA_HOME/bin/jlink" ] || fail "the JDK at $JAVA_HOME has no jlink: install a whole one, or give --base"
    major=$(jdk_major "$JAVA_HOME")
    if [ "$major" -ge 21 ]; then compress=zip-6; fi
    # Native symbols are stripped by a tool that knows this machine's alone.
    if [ -n "$root" ]; then strip=--strip-java-debug-attributes; fi
    rm -rf "$work"
    mkdir -p "$work/root/opt" "$work/root/etc" "$work/root/tmp" "$work/root/proc" "$work/root/sys" "$work/root/dev"
    java=$work/root/opt/java
    "$JAVA_HOME/bin/jlink" ${jmods:+--module-path "$jmods"} --output "$java" --add-modules "$(java_modules "$jmods")" "$strip" --no-header-files --no-man-pages \
        --compress "$compress" >"$work/jlink.log" 2>&1 || fail "jlink failed: $(tail -n 1 "$work/jlink.log")"
    if [ "$2" = "$(own_architecture)" ]; then "$java/bin/java" -Xshare:dump >/dev/null 2>&1 || true; fi
    # What the C library looks up by itself, and native libraries inside jars ask for.
    found=$(for name in libpthread.so.0 libdl.so.2 librt.so.1 libutil.so.1 libstdc++.so.6 libgcc_s.so.1 libnss_dns.so.2 libnss_files.so.2 libresolv.so.2; do
        library "$root" "$2" "$name"
    done)
    # Libraries for windows and sound need more than a server has.
    set -- "$1" "$2" "$java/bin/java" "$java/lib/server/libjvm.so" "$java"/lib/lib{java,jimage,jli,management,net,nio,verify,zip}.so
    # shellcheck disable=SC2086 # a list of files
    found="$found $(if [ -n "$root" ]; then foreign_libraries "$root" "${@:2}" $found; else libraries "${@:3}" $found; fi)"
    for file in $found; do
        case $file in "$work"/*) continue ;; esac
        mkdir -p "$work/root$(dirname "${file#"$root"}")"
        cp -L "$file" "$work/root${file#"$root"}"
    done
    # The loader is asked for by the path that programs name, which may be a link here.
    case $2 in amd64) loader=/lib64/ld-linux-x86-64.so.2 ;; *) loader=/lib/ld-linux-aarch64.so.1 ;; esac
    file=$(library "$root" "$2" "${loader##*/}")
    [ -n "$file" ] || fail "${root:-this machine} has no ${loader##*/}, the loader for $2"
    mkdir -p "$work/root${loader%/*}"
    cp -L "$file" "$work/root$loader"
    printf 'root:x:0:0::/:/sbin/nologin\nlambdafs:x:10001:10001::/app:/sbin/nologin\n' >"$work/root/etc/passwd"
    printf 'root:x:0:\nlambdafs:x:10001:\n' >"$work/root/etc/group"
    echo 'hosts: files dns' >"$work/root/etc/nsswitch.conf"
    packed "$work/root" 0 >"$work/layer.tar"
    image_config "$2" "" "$work/layer.tar" >"$work/config.json"
    archived "$1" "localhost/lambdafs-base:$major" "$work"
    rm -rf "$work"
}

image() {
    local name out=$ROOT/target/image/lambdafs.tar base="" java="" role=lambdafs root="" architecture log=$ROOT/target/image-build.log folder=$ROOT/target/image release home jdk="" linked
    architecture=$(own_architecture)
    name=lambdafs:$(project_version)
    while [ $# -gt 0 ]; do
        case $1 in
            -h | --help) image_usage; return ;;
            --tag | --out | --base | --java | --role | --root | --architecture) [ $# -gt 1 ] || { say "lambdafs image: $1 takes a value"; exit "$EXIT_USAGE"; } ;;
            *) say "lambdafs image: unknown option '$1'"; image_usage >&2; exit "$EXIT_USAGE" ;;
        esac
        case $1 in
            --tag) name=$2 ;; --out) out=$2 ;; --base) base=$2 ;; --role) role=$2 ;; --root) root=${2%/} ;; --java) java=$2 ;; *) architecture=$2 ;;
        esac
        shift 2
    done
    case $role in
        instance | lambda | store | datanode | gateway | lambdafs) ;;
        *) say "lambdafs image: there is no role '$role'"; image_usage >&2; exit "$EXIT_USAGE" ;;
    esac
    case $architecture in
        amd64 | arm64) ;;
        *) say "lambdafs image: there is no architecture '$architecture'; there are amd64 and arm64"; exit "$EXIT_USAGE" ;;
    esac
    [ -z "$root" ] || [ -z "$base" ] || fail "an image is made of --root or of --base, not of both" "$EXIT_USAGE"
    if [ -n "$base" ]; then
        release=${java:-17}
    elif [ -n "$root" ]; then
        jdk=$(jdk_in "$root")
        [ -n "$jdk" ] || fail "--root $root has no JDK with its modules (jmods): Debian's package is openjdk-25-jdk-headless" "$EXIT_USAGE"
        release=$(elf_architecture "$jdk/lib/server/libjvm.so")
        [ "$release" = "$architecture" ] || fail "the JDK in --root $root is for ${release:-no known architecture}, not for $architecture" "$EXIT_USAGE"
        release=$(jdk_major "$jdk")
        home=$(find_jdk "$release")
        [ -n "$home" ] || fail "the JDK in --root $root is a $release, whose modules are linked by a JDK $release here: install it, or set JAVA_HOME to it"
        has readelf || fail "--root needs readelf (binutils) here"
    elif [ "$architecture" != "$(own_architecture)" ]; then
        fail "an image for $architecture on this machine takes --root DIR, a Linux for $architecture with a JDK, or --base IMAGE; docs/DEPLOY.md says how" "$EXIT_USAGE"
    fi
    case $out in /*) ;; *) out=$PWD/$out ;; esac
    if is_current; then need_build_tools; else build; fi
    if [ -z "$base$root" ]; then
        home=$(find_jdk 25)
        if [ -z "$home" ] || [ ! -x "$home/bin/jlink" ]; then home=$JAVA_HOME; fi
        release=$(jdk_major "$home")
    fi
    linked=$folder/base-$release-$architecture${root:+-of-root}.tar
    mkdir -p "$folder" "$(dirname "$out")"
    if [ -z "$base" ] && { [ -n "$root" ] || [ ! "$linked" -nt "$home/release" ] || [ ! "$linked" -nt "$ROOT/cli/src/main/launcher/image.sh" ]; }; then
        say "lambdafs: linking a Java runtime"
        (JAVA_HOME=$home && make_base "$linked" "$architecture" "$root" "$jdk")
    fi
    class_path
    rm -rf "$folder/files"
    "$JAVA_HOME/bin/java" -XX:TieredStopAtLevel=1 -cp "$CLASS_PATH" io.lambdafs.cluster.process.ImageRoles "$folder/files/app/roles" "$release"
    if [ -z "$base" ] && { [ "$role" = instance ] || [ "$role" = lambda ]; }; then
        say "lambdafs: making the image $name of $role alone"
        # shellcheck source=cli/src/main/launcher/instance-image.sh
        . "$ROOT/cli/src/main/launcher/instance-image.sh"
        make_function "$linked" "$name" "$out" "$release" "$architecture" "$role"
        printf '%s\n' "$out"
        return
    fi
    base=${base:-tar://$linked}
    take_lock
    say "lambdafs: making the image $name"
    run_maven "$log" -T 1C -Dlauncher -Dmaven.test.skip=true -Pimage -pl cli -am "-Dimage.base=$base" "-Dimage.name=$name" "-Dimage.file=$out" \
        "-Dimage.files=$folder/files" "-Dimage.role=$role" "-Djib.from.platforms=linux/$architecture" -Djib.console=plain package >/dev/null || {
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
