package io.lambdafs.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.fs.Path;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ChildrenTest {
    private static final String[] NAMES = {
        "part-00000-c000.snappy.parquet",
        "_SUCCESS",
        "...",
        "..a",
        "a..",
        "dt=2026-11-22",
        "a b",
        "x#y",
        "50%",
        "50%20",
        "a?b",
        "a+b",
        "ä",
        "\ud83d\ude00",
        "a&b",
        "[x]",
        "~",
        "-",
        "=",
        "a\\b",
        "a\"b"
    };

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lambdafs://cluster/data/a",
                "lambdafs://cluster:8020/data/a b",
                "lambdafs://cluster/50%25/ä",
                "lambdafs://cluster/",
                "lambdafs:///data",
                "lambdafs:/"
            })
    void shouldEqualHadoopsOwnPath(String directory) {
        Path parent = new Path(directory);
        Children children = new Children(parent);
        for (String name : NAMES) {
            Path expected = new Path(parent, name);
            Path path = children.path(name);
            assertThat(path).isEqualTo(expected).hasSameHashCodeAs(expected).hasToString(expected.toString());
            assertThat(path.toUri()).hasToString(expected.toUri().toString());
            assertThat(path.toUri().getPath()).isEqualTo(expected.toUri().getPath());
            assertThat(path.getName()).isEqualTo(name);
            assertThat(path.getParent()).isEqualTo(parent);
        }
    }
}
