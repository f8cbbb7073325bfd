# Part of the launcher: what test --image does with images for arm64 that an amd64 machine makes. Read by test.sh.

refuses() { # what image says of the arguments that follow
    local said=$1
    shift
    if (image "$@") >"$IMAGE_WORK/refused.log" 2>&1; then fail "image $* makes an image"; fi
    grep -qF -- "$said" "$IMAGE_WORK/refused.log" || fail "image $* says $(head -n 1 "$IMAGE_WORK/refused.log"), not: $said"
}

refuses_architectures() {
    local jdk=$IMAGE_WORK/no-linux/jdk own other
    own=$(own_architecture)
    case $own in amd64) other=arm64 ;; *) other=amd64 ;; esac
    mkdir -p "$jdk/jmods" "$jdk/lib/server" "$jdk/bin"
    refuses "there is no architecture 'sparc'" --architecture sparc
    refuses "takes --root DIR" --architecture "$other"
    refuses "not of both" --architecture "$other" --root "$IMAGE_WORK/no-linux" --base anything
    refuses "has no JDK with its modules" --architecture "$other" --root "$IMAGE_WORK/no-linux"
    touch "$jdk/jmods/java.base.jmod"
    cp "$JAVA_HOME/release" "$jdk/"
    install /dev/null "$jdk/bin/java"
    head -c 20 "$JAVA_HOME/bin/java" >"$jdk/lib/server/libjvm.so"
    refuses "is for $own, not for $other" --architecture "$other" --root "$IMAGE_WORK/no-linux"
    echo "image refuses unknown architectures, and a Linux without a JDK or of the wrong architecture: passed"
}

foreign_linux() { # a Linux for arm64 with a JDK, in the folder LINUX, or why there is none in the variable WHY
    LINUX=${LAMBDAFS_ARM64_ROOT:-$ROOT/target/arm64-linux}
    WHY=
    if [ "$(own_architecture)" != amd64 ]; then WHY="this machine is not an amd64 one"
    elif ! has qemu-aarch64-static; then WHY="there is no qemu-aarch64-static (Debian's qemu-user-static)"
    elif [ -d "$LINUX" ]; then return
    elif ! has mmdebstrap; then WHY="there is no mmdebstrap, and LAMBDAFS_ARM64_ROOT names no Linux for arm64"
    elif mmdebstrap --architectures=arm64 --variant=extract --include=openjdk-25-jdk-headless trixie "$IMAGE_WORK/linux" >"$IMAGE_WORK/mmdebstrap.log" 2>&1; then
        mv "$IMAGE_WORK/linux" "$LINUX"
    else
        WHY="mmdebstrap fails: $(sed -n '/^E:/{p;q;}' "$IMAGE_WORK/mmdebstrap.log")"
    fi
}

of_architecture() { # the architecture $2 is what the archive $1 says
    local config
    config=$(tar -xOf "$1" manifest.json | sed 's/.*"Config": *"\([^"]*\)".*/\1/')
    tar -xOf "$1" "$config" | grep -q "\"architecture\":\"$2\"" || fail "the configuration of $1 is not for $2"
}

# All roles, and an instance's cold start, of images for arm64 made here, whose programs qemu runs. The local cluster of compare_starts is there still.
foreign_images() {
    foreign_linux
    if [ -n "$WHY" ]; then
        echo "the images for arm64: skipped, since $WHY"
        return
    fi
    # A build ends with no traps; those here are to stay.
    (image --architecture arm64 --root "$LINUX" --out "$IMAGE_WORK/arm64.tar") >/dev/null
    (image --architecture arm64 --root "$LINUX" --role instance --out "$IMAGE_WORK/arm64-instance.tar") >/dev/null
    of_architecture "$IMAGE_WORK/arm64.tar" arm64
    of_architecture "$IMAGE_WORK/arm64-instance.tar" arm64
    IMAGE_JAVA='"/opt/qemu", "/opt/java/bin/java"'
    IMAGE_KIND="arm64 container"
    IMAGE_SLOWNESS=5
    IMAGE_TIMES='"leaseMillis": 9000, "sessionMillis": 20000, "lockWaitMillis": 15000, "transactionMillis": 25000, "attemptMillis": 35000'
    IMAGE_ROOT=$IMAGE_WORK/arm64
    unpack_image "$IMAGE_WORK/arm64.tar" "$IMAGE_ROOT"
    cp "$(command -v qemu-aarch64-static)" "$IMAGE_ROOT/opt/qemu"
    all_roles
    IMAGE_ROOT=$IMAGE_WORK/arm64-instance
    unpack_image "$IMAGE_WORK/arm64-instance.tar" "$IMAGE_ROOT"
    image_size "all roles for arm64" "$IMAGE_WORK/arm64.tar" "$IMAGE_WORK/arm64"
    image_size "an instance for arm64" "$IMAGE_WORK/arm64-instance.tar" "$IMAGE_ROOT"
    small_enough "$IMAGE_WORK/arm64-instance.tar"
    cp "$(command -v qemu-aarch64-static)" "$IMAGE_ROOT/opt/qemu"
    sed -i "s/\"leaseMillis\" *: *[0-9]*/$IMAGE_TIMES/" "$IMAGE_WORK/conf/insecure.json"
    container_start 0
}
