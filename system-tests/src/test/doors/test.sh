# Part of the launcher: test --doors. Unchanged clients of other people at a door of a cluster of real processes.

DOORS=$ROOT/target/doors
DOORS_SOURCES=$ROOT/system-tests/src/test/doors

pom_version() { sed -n "s|.*<$1.version>\(.*\)</$1.version>.*|\1|p" "$ROOT/pom.xml"; }

client_of_hadoop() { # Hadoop's version: the shell, with a file of 7 MB
    local file=$DOORS/hadoop-$1.classpath
    mvn -q -B -ntp -f "$DOORS_SOURCES/pom.xml" "-Ddoors.hadoop.version=$1" "-Dmdep.outputFile=$file" \
        "org.apache.maven.plugins:maven-dependency-plugin:$(pom_version maven-dependency-plugin):build-classpath" || return 3
    mkdir -p "$DOORS/hadoop-$1"
    # shellcheck disable=SC2046 # a list of words
    "$JAVA_HOME/bin/java" $(opens) -Xmx512m -Dfile.encoding=UTF-8 -cp "$(cat "$file")" "$ROOT/system-tests/src/test/compat/HadoopShell.java" \
        "hdfs://$DOOR/hadoop-$1" "$DOORS/hadoop-$1" || return 1
}

client_of_rust() { "$PYTHON" "$ROOT/system-tests/src/test/python/hdfs_door.py" "hdfs://$DOOR" || return 1; }

client_of_go() {
    (cd "$DOORS_SOURCES/go" && go mod download && go build -o "$DOORS/go-client" .) || return 3
    "$DOORS/go-client" "$DOOR" /go || return 1
}

package_of_python() { "$DOORS_SOURCES/python.sh" "$PYTHON" "$DOORS/python" "$DOOR" || return 1; }

s3_key() { # of user $1: its two lines
    "$ROOT/lambdafs" door s3-key --dir "$DOORS/cluster" --user "$1" --groups s3
}

clients_of_s3() { # awscli and boto3
    local key
    key=$(s3_key "$(id -un)") || return 1
    AWS_ACCESS_KEY_ID=$(sed -n 's/^aws_access_key_id = //p' <<<"$key") \
        AWS_SECRET_ACCESS_KEY=$(sed -n 's/^aws_secret_access_key = //p' <<<"$key") \
        AWS_CONFIG_FILE=/dev/null "$S3_PYTHON" "$ROOT/system-tests/src/test/python/s3_door.py" "http://$S3_DOOR" "$DOORS" || return 1
}

suite_of_s3() { # Ceph's s3-tests, from the archive or the folder that LAMBDAFS_S3_TESTS names
    local suite=$DOORS/s3-tests user status=0
    mkdir -p "$suite" && rm -rf "${suite:?}"/*
    if [ -d "$LAMBDAFS_S3_TESTS" ]; then cp -r "$LAMBDAFS_S3_TESTS/." "$suite"; else tar -xf "$LAMBDAFS_S3_TESTS" -C "$suite" --strip-components=1; fi || return 1
    {
        echo "[DEFAULT]"
        echo "host = ${S3_DOOR%:*}"
        echo "port = ${S3_DOOR##*:}"
        echo "is_secure = False"
        echo "[fixtures]"
        echo "bucket prefix = lfs-{random}-"
        for user in main alt tenant; do
            echo "[s3 $user]"
            printf '%s = s3-%s\n' display_name "$user" user_id "$user" email "$user"
            [ "$user" != main ] || echo "api_name ="
            [ "$user" != tenant ] || echo "tenant = none"
            s3_key "s3-$user" | sed -e 's/^aws_access_key_id/access_key/' -e 's/^aws_secret_access_key/secret_key/'
        done
        for user in iam "iam root" "iam alt root"; do
            echo "[$user]"
            printf '%s = none\n' display_name user_id email access_key secret_key
        done
    } >"$suite/conf" || return 1
    (cd "$suite" && S3TEST_CONF=$suite/conf LAMBDAFS_SCORE=$DOORS PYTHONPATH=$ROOT/system-tests/src/test/python AWS_CONFIG_FILE=/dev/null \
        "$S3_PYTHON" -m pytest -q -p s3_tests_score -p no:cacheprovider --tb=short s3tests/functional/test_s3.py s3tests/functional/test_headers.py) || status=$?
    cat "$DOORS/score.txt" >&3 || return 1
    [ "$status" -le 1 ] || return 1
}

at_door() { # name, why it cannot run here or nothing, what runs it (3: it could not be fetched): told in a line
    local name=$1 lacking=$2 log=$DOORS/$1.log begun=$SECONDS status=0
    shift 2
    case " $DOORS_CHOSEN " in "  " | *" $name "*) ;; *) return 0 ;; esac
    if [ -z "$lacking" ]; then "$@" >"$log" 2>&1 || status=$?; fi
    if [ "$status" = 3 ]; then lacking="it could not be fetched; see $log"; fi
    if [ -n "$lacking" ]; then
        echo "$name: skipped: $lacking"
        SKIPPED=$((SKIPPED + 1))
    elif [ "$status" = 0 ]; then
        echo "$name: passed, $((SECONDS - begun)) s"
        PASSED=$((PASSED + 1))
    else
        echo "$name: failed; see $log"
        FAILED=$((FAILED + 1))
    fi
}

test_doors() {
    local name no_python='' no_go='' no_s3='' no_suite=''
    if [ "$*" = kills ]; then
        judge "two doors, each killed every 10 s for a minute, under HDFS's clients" "$ROOT/system-tests/target/door-kills" \
            -Dtest=DoorFailoverTest -Dlambdafs.doors.seconds=60
        return
    fi
    for name in "$@"; do
        case $name in
            -h | --help) test_usage; exit 0 ;;
            hadoop3.4 | hadoop2.10 | hdfs-native | go | python | s3 | s3-tests) ;;
            *) say "lambdafs test: --doors knows no client '$name': there are hadoop3.4, hadoop2.10, hdfs-native, go, python, s3 and s3-tests, and kills alone"; exit "$EXIT_USAGE" ;;
        esac
    done
    DOORS_CHOSEN=$*
    PASSED=0 FAILED=0 SKIPPED=0
    need_build_tools
    rm -rf "$DOORS"
    mkdir -p "$DOORS/conf"
    PYTHON=${DOORS_TOOLS_DIR:-${HOME:-/tmp}/.cache/lambdafs-door-tools}
    no_python=$("$ROOT/system-tests/src/test/aws/tools.sh" "$PYTHON" "$DOORS_SOURCES/requirements.txt") ||
        no_python=${no_python:-its packages cannot be installed}
    # Where the link leads: by the link Python does not find its packages.
    if [ -z "$no_python" ]; then PYTHON=$(cd -P "$PYTHON/bin" && pwd)/python; fi
    has go || no_go="there is no go"
    S3_PYTHON=${S3_TOOLS_DIR:-${HOME:-/tmp}/.cache/lambdafs-s3-tools}
    no_s3=$("$ROOT/system-tests/src/test/aws/tools.sh" "$S3_PYTHON" "$DOORS_SOURCES/s3-requirements.txt") ||
        no_s3=${no_s3:-its packages cannot be installed}
    if [ -z "$no_s3" ]; then S3_PYTHON=$(cd -P "$S3_PYTHON/bin" && pwd)/python; fi
    no_suite=$no_s3
    [ -e "${LAMBDAFS_S3_TESTS:-}" ] || no_suite="LAMBDAFS_S3_TESTS names no archive or folder of ceph/s3-tests"
    # Neither this machine's Hadoop nor its user's.
    export HADOOP_CONF_DIR=$DOORS/conf
    unset HADOOP_HOME HADOOP_USER_NAME
    trap '"$ROOT/lambdafs" cluster stop --dir "$DOORS/cluster" >"$DOORS/stop.log" 2>&1 || true' EXIT
    "$ROOT/lambdafs" cluster start --dir "$DOORS/cluster" --doors hdfs,s3 --deployments 1 --coordinator store >"$DOORS/start.log" 2>&1 ||
        fail "no cluster could be started; see $DOORS/start.log"
    DOOR=127.0.0.1:$(head -n 1 "$DOORS/cluster/run/hdfs.port")
    S3_DOOR=127.0.0.1:$(head -n 1 "$DOORS/cluster/run/s3.port")
    # Users of S3 make buckets in the root.
    LAMBDAFS_DIR=$DOORS/cluster "$ROOT/lambdafs" fs -chmod 1777 / || fail "the root's rights could not be changed"
    exec 3>&1
    at_door hadoop3.4 "" client_of_hadoop "$(pom_version hadoop)"
    at_door hadoop2.10 "" client_of_hadoop 2.10.2
    at_door hdfs-native "$no_python" client_of_rust
    at_door go "$no_go" client_of_go
    at_door python "$no_python" package_of_python
    at_door s3 "$no_s3" clients_of_s3
    at_door s3-tests "$no_suite" suite_of_s3
    echo "$PASSED passed, $FAILED failed, $SKIPPED skipped"
    [ "$FAILED" = 0 ] || exit "$EXIT_FAILED"
}
