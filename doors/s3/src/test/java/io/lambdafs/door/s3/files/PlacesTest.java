package io.lambdafs.door.s3.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.door.s3.wire.S3Failure;
import io.lambdafs.model.FsPath;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PlacesTest {
    private static final Places PLACES = new Places(FsPath.of("/s3"));

    @ParameterizedTest
    @CsvSource({
        "a/b, /s3/bucket/a/b",
        "a/, /s3/bucket/a/.s3-dir",
        "a b/\u00e9+%, /s3/bucket/a b/\u00e9+%",
        "..a/b.., /s3/bucket/..a/b.."
    })
    void shouldPutKeysInTheirBucket(String key, String path) {
        assertThat(PLACES.object("bucket", key)).isEqualTo(FsPath.of(path));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/", "/a", "a//b", "a//", "../a", "a/..", "a/./b", "a/.s3-x", "a/.snapshot", "a:b"})
    void shouldRefuseKeysThatAreNoPaths(String key) {
        assertThatThrownBy(() -> PLACES.object("bucket", key)).isInstanceOf(S3Failure.class);
        assertThat(PLACES.find("bucket", key)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ".", "..", "a/b", ".s3-uploads"})
    void shouldLeaveNoBucketByItsName(String bucket) {
        assertThatThrownBy(() -> PLACES.bucket(bucket)).isInstanceOf(S3Failure.class);
    }

    @ParameterizedTest
    @CsvSource({
        "abc, true",
        "a.b-c0, true",
        "ab, false",
        "Abc, false",
        "a_b, false",
        "a..b, false",
        "192.168.0.1, false",
        "-ab, false"
    })
    void shouldKnowNamesOfBuckets(String name, boolean may) {
        assertThat(Places.isBucketName(name)).isEqualTo(may);
    }
}
