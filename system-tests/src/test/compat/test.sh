# Part of the launcher: test --compat. The client's jar under other people's releases, each run in processes of its own.

COMPAT=$ROOT/target/compat
COMPAT_SOURCES=$ROOT/system-tests/src/test/compat

version_of() { sed -n "s|.*<$1.version>\(.*\)</$1.version>.*|\1|p" "$ROOT/pom.xml"; }

class_path() { # a profile of the POM, and Hadoop's version: sets PROGRAM_PATH, or fails
    local file=$COMPAT/$1-$2.classpath options name
    options=("-Dcompat.hadoop.version=$2" "-Dmdep.outputFile=$file" "-Dspark.version=$(version_of spark)")
    for name in delta3 delta4 flink slf4j spark3; do options[${#options[@]}]=-Dcompat.$name.version=$(version_of "compat.$name"); done
    mvn -q -B -ntp -f "$COMPAT_SOURCES/pom.xml" -P "$1" "${options[@]}" \
        "org.apache.maven.plugins:maven-dependency-plugin:$(version_of maven-dependency-plugin):build-classpath" >"$file.log" 2>&1 || return 1
    PROGRAM_PATH=$COMPAT/conf:$(cat "$file"):$JAR
}

java_program() { # one of the sources here, and its arguments
    local program=$1
    shift
    # shellcheck disable=SC2046 # a list of words
    "$HOME_OF_PROGRAM/bin/java" $(opens) -Xmx1g -Dfile.encoding=UTF-8 "-Djava.io.tmpdir=$HERE" -cp "$PROGRAM_PATH" "$COMPAT_SOURCES/$program.java" "$@"
}

run_hadoop() { java_program HadoopShell "$THERE" "$HERE"; }

run_spark() {
    local one two status=0
    java_program SparkTables parquet "$THERE" "$HERE" &&
        java_program SparkTables delta "$THERE" "$HERE" || return 1
    java_program SparkTables append "$THERE" "$HERE" & one=$!
    java_program SparkTables append "$THERE" "$HERE" & two=$!
    wait "$one" || status=1
    wait "$two" || status=1
    [ "$status" = 0 ] && java_program SparkTables check "$THERE" "$HERE" 2
}

run_flink() { java_program FlinkFiles "$THERE/sales"; }

compat() { # name, title, profile, Hadoop's version, what runs it, what is checked, why not on JDK 25 or nothing
    local name=$1 title=$2 profile=$3 hadoop=$4 run=$5 what=$6 not25=$7 jdk log begun
    case " $COMPAT_CHOSEN " in "  " | *" $name "*) ;; *) return 0 ;; esac
    if ! class_path "$profile" "$hadoop"; then
        echo "$title: skipped: Maven cannot resolve it; see $COMPAT/$profile-$hadoop.classpath.log"
        SKIPPED=$((SKIPPED + 1))
        return
    fi
    for jdk in 17 25; do
        if [ "$jdk" = 25 ] && [ -n "$not25" ]; then
            echo "$title on JDK $jdk: skipped: $not25"
            SKIPPED=$((SKIPPED + 1))
            continue
        fi
        HOME_OF_PROGRAM=$(find_jdk "$jdk")
        if [ -z "$HOME_OF_PROGRAM" ]; then
            echo "$title on JDK $jdk: skipped: no such JDK here"
            SKIPPED=$((SKIPPED + 1))
            continue
        fi
        log=$COMPAT/$name-$jdk.log
        HERE=$COMPAT/$name-$jdk
        THERE=lambdafs://local/compat/$name-$jdk
        mkdir -p "$HERE"
        begun=$SECONDS
        if "$run" >"$log" 2>&1; then
            echo "$title on JDK $jdk: $what: passed, $((SECONDS - begun)) s"
            PASSED=$((PASSED + 1))
        else
            echo "$title on JDK $jdk: $what: failed; see $log"
            FAILED=$((FAILED + 1))
        fi
    done
}

test_compat() {
    local name hadoop3 hadoop spark3_hadoop
    for name in "$@"; do
        case $name in
            -h | --help) test_usage; exit 0 ;;
            hadoop3.3 | hadoop3.4 | spark3 | spark4 | flink2) ;;
            *) say "lambdafs test: --compat knows no program '$name': there are hadoop3.3, hadoop3.4, spark3, spark4 and flink2"; exit "$EXIT_USAGE" ;;
        esac
    done
    COMPAT_CHOSEN=$*
    PASSED=0 FAILED=0 SKIPPED=0
    need_build_tools
    hadoop_jar
    rm -rf "$COMPAT"
    mkdir -p "$COMPAT/conf"
    core_site "$COMPAT/cluster" >"$COMPAT/conf/core-site.xml"
    export HADOOP_CONF_DIR=$COMPAT/conf
    trap '"$ROOT/lambdafs" cluster stop --dir "$COMPAT/cluster" >"$COMPAT/stop.log" 2>&1 || true' EXIT
    "$ROOT/lambdafs" cluster start --dir "$COMPAT/cluster" >"$COMPAT/start.log" 2>&1 || fail "no cluster could be started; see $COMPAT/start.log"

    hadoop=$(version_of hadoop)
    hadoop3=$(version_of compat.hadoop3)
    compat hadoop3.3 "Hadoop $hadoop3" hadoop "$hadoop3" run_hadoop "a file of 7 MB, by the shell" \
        "its logins need Subject.getSubject, which went with JDK 24"
    compat hadoop3.4 "Hadoop $hadoop" hadoop "$hadoop" run_hadoop "a file of 7 MB, by the shell" ""
    spark3_hadoop=$(version_of compat.spark3-hadoop)
    compat spark3 "Spark $(version_of compat.spark3), Delta $(version_of compat.delta3), Hadoop $spark3_hadoop" spark3 "$spark3_hadoop" run_spark \
        "Parquet, and a Delta table of two processes" "it runs on Java 8, 11 and 17"
    compat spark4 "Spark $(version_of spark), Delta $(version_of compat.delta4), Hadoop $hadoop" spark4 "$hadoop" run_spark \
        "Parquet, and a Delta table of two processes" ""
    compat flink2 "Flink $(version_of compat.flink), Hadoop $hadoop" flink2 "$hadoop" run_flink "a batch job on text files" ""
    echo "$PASSED passed, $FAILED failed, $SKIPPED skipped"
    [ "$FAILED" = 0 ] || exit "$EXIT_FAILED"
}
