package io.lambdafs.model.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectKeyTest {
    @Test
    void shouldGiveEachAttemptAKeyOfItsOwn() {
        String key = ObjectKey.of(0x2a, 7, -1);

        assertThat(key).matches("blocks/[0-9a-f]{2}/000000000000002a-0000000000000007-ffffffffffffffff");
        assertThat(ObjectKey.isValid(key)).isTrue();
        assertThat(ObjectKey.of(0x2a, 7, 1)).isNotEqualTo(ObjectKey.of(0x2a, 7, 2));
    }

    @Test
    void shouldSpreadBlocksThatFollowEachOther() {
        assertThat(LongStream.range(0, 2_000)
                        .mapToObj(id -> ObjectKey.of(id, 1, 1).substring(0, 9))
                        .distinct()
                        .count())
                .isEqualTo(256);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/a", "a/", "a//b", "..", "a/../b", "a/.b", "a b", "ä", "a\\b", "a\u0000"})
    void shouldRefuseWhatIsNoKey(String key) {
        assertThat(ObjectKey.isValid(key)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "a/b", "a.b/c_d-e", "lambdafs-cluster"})
    void shouldTakeWhatIsAKey(String key) {
        assertThat(ObjectKey.isValid(key)).isTrue();
        assertThat(ObjectKey.isValid(key + "x".repeat(ObjectKey.MAX_CHARS))).isFalse();
    }
}
