package io.lambdafs.datanode.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.FileSlice;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BlockCacheTest {
    private static final byte[] CONTENT = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10};

    @TempDir
    Path folder;

    private Path copies;
    private BlockCache cache;

    @BeforeEach
    void open() {
        copies = folder.resolve("copies");
        cache = BlockCache.open(copies, 100);
    }

    private BlockCache.Draft draft(String key) {
        return Objects.requireNonNull(cache.draft(key));
    }

    private void add(String key, int length) {
        BlockCache.Draft draft = draft(key);
        assertThat(draft.write(new byte[length], 0, length)).isTrue();
        draft.commit();
    }

    private List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(copies)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void shouldReadTheWrittenPartOfADraft() throws IOException {
        BlockCache.Draft draft = draft("blocks/a");
        assertThat(draft.write(CONTENT, 2, 3)).isTrue();
        assertThat(draft.write(CONTENT, 5, 2)).isTrue();
        assertThat(draft.written()).isEqualTo(5);
        assertThat(cache.usedBytes()).isEqualTo(5);
        byte[] into = new byte[5];

        assertThat(draft.read(1, into, 1, 3)).isEqualTo(3);
        assertThat(into).containsExactly(0, 4, 5, 6, 0);
        assertThat(draft.read(3, into, 0, 5)).isEqualTo(2);
        assertThat(draft.read(5, into, 0, 5)).isZero();
        assertThat(draft.read(9, into, 0, 5)).isZero();
        assertThat(cache.contains("blocks/a")).isFalse();
        assertThat(cache.read("blocks/a", 0, into, 0, 5)).isEqualTo(-1);

        draft.commit();
        draft.close();
        assertThat(draft.read(0, into, 0, 1)).isEqualTo(-1);
        assertThat(cache.read("blocks/a", 0, into, 0, 5)).isEqualTo(5);
        assertThat(into).containsExactly(3, 4, 5, 6, 7);
        assertThat(files()).containsExactly("blocks+a");
        assertThat(cache.usedBytes()).isEqualTo(5);
    }

    @Test
    void shouldLeaveNothingOfADraftThatIsGivenUp() throws IOException {
        BlockCache.Draft draft = draft("a");
        draft.write(CONTENT, 0, 10);
        draft.close();
        draft.close();
        draft.commit();

        assertThat(draft.write(CONTENT, 0, 10)).isFalse();
        assertThat(files()).isEmpty();
        assertThat(cache.usedBytes()).isZero();
        assertThat(cache.contains("a")).isFalse();
    }

    @Test
    void shouldFillItsRoomAndEndTheDraftForWhichThereIsNone() throws IOException {
        BlockCache.Draft draft = draft("a");
        assertThat(draft.write(new byte[60], 0, 60)).isTrue();
        BlockCache.Draft other = draft("b");
        assertThat(other.write(new byte[40], 0, 40)).isTrue();
        assertThat(cache.usedBytes()).isEqualTo(100);

        assertThat(other.write(new byte[1], 0, 1)).isFalse();

        assertThat(cache.usedBytes()).isEqualTo(60);
        assertThat(files()).hasSize(1);
        other.commit();
        draft.commit();
        assertThat(files()).containsExactly("a");
        assertThat(cache.contains("b")).isFalse();
    }

    @Test
    void shouldDropTheCopiesThatWereNotUsedForLongestAndNoMoreThanItMust() throws IOException {
        add("a", 30);
        add("b", 30);
        add("c", 40);
        cache.read("a", 0, new byte[1], 0, 1);

        add("d", 30);
        assertThat(files()).containsExactly("a", "c", "d");
        assertThat(cache.usedBytes()).isEqualTo(100);
        add("e", 41);
        assertThat(files()).containsExactly("d", "e");
        assertThat(cache.usedBytes()).isEqualTo(71);
    }

    @Test
    void shouldKeepOneOfTwoCopiesOfAnObject() throws IOException {
        BlockCache.Draft second = draft("a");
        second.write(CONTENT, 0, 10);
        add("a", 10);
        assertThat(cache.usedBytes()).isEqualTo(20);

        second.commit();

        assertThat(cache.usedBytes()).isEqualTo(10);
        assertThat(files()).containsExactly("a");
    }

    @Test
    void shouldDropACopyOnce() throws IOException {
        add("a", 10);
        assertThat(cache.drop("b")).isFalse();
        assertThat(cache.drop("a")).isTrue();
        assertThat(cache.drop("a")).isFalse();
        assertThat(cache.usedBytes()).isZero();
        assertThat(files()).isEmpty();
    }

    @Test
    void shouldForgetACopyThatCannotBeRead() throws IOException {
        add("gone", 10);
        add("odd", 10);
        Files.delete(copies.resolve("gone"));
        Files.delete(copies.resolve("odd"));
        Files.createDirectory(copies.resolve("odd"));
        for (String each : List.of("gone", "odd")) {
            assertThat(cache.slice(each, 0, 1)).isNull();
            assertThat(cache.read(each, 0, new byte[1], 0, 1)).isEqualTo(-1);
            assertThat(cache.contains(each)).isFalse();
        }
        assertThat(cache.usedBytes()).isZero();
    }

    @Test
    void shouldOpenARangeOfACopyUnlessItIsTooShort() {
        add("a", 10);
        FileSlice slice = Objects.requireNonNull(cache.slice("a", 4, 6));
        assertThat(slice.position()).isEqualTo(4);
        assertThat(slice.length()).isEqualTo(6);
        slice.close();
        assertThat(cache.slice("a", 4, 7)).isNull();
        assertThat(cache.slice("b", 0, 1)).isNull();
    }

    /** A restart knows the order of use by the files' times; writing one at each read would be too much. */
    @Test
    void shouldNoteWhenACopyWasUsedAtMostOnceAMinute() throws IOException {
        long now = System.currentTimeMillis();
        List<String> keys = List.of("old", "older", "recent");
        for (String each : keys) {
            add(each, 10);
            long age = each.equals("recent") ? 20_000 : 3_600_000;
            Files.setLastModifiedTime(copies.resolve(each), FileTime.fromMillis(now - age));
        }
        FileTime recent = Files.getLastModifiedTime(copies.resolve("recent"));
        cache = BlockCache.open(copies, 100);
        cache.read("old", 0, new byte[1], 0, 1);
        Objects.requireNonNull(cache.slice("older", 0, 1)).close();
        cache.read("recent", 0, new byte[1], 0, 1);
        assertThat(Files.getLastModifiedTime(copies.resolve("recent"))).isEqualTo(recent);
        for (String each : List.of("old", "older")) {
            assertThat(Files.getLastModifiedTime(copies.resolve(each)).toMillis())
                    .isGreaterThanOrEqualTo(now);
            Files.setLastModifiedTime(copies.resolve(each), FileTime.fromMillis(1_000));
            cache.read(each, 0, new byte[1], 0, 1);
            assertThat(Files.getLastModifiedTime(copies.resolve(each)).toMillis())
                    .isEqualTo(1_000);
        }
    }

    @Test
    void shouldGoOnWithoutItsDirectory() throws IOException {
        add("a", 10);
        Files.delete(copies.resolve("a"));
        BlockCache.Draft draft = draft("b");
        draft.write(CONTENT, 0, 10);
        try (Stream<Path> drafts = Files.list(copies)) {
            for (Path each : drafts.toList()) {
                Files.delete(each);
            }
        }
        Files.delete(copies);

        draft.commit();

        assertThat(cache.contains("b")).isFalse();
        assertThat(cache.usedBytes()).isEqualTo(10);
        assertThat(cache.draft("c")).isNull();
        assertThat(cache.read("a", 0, new byte[1], 0, 1)).isEqualTo(-1);
        assertThat(cache.usedBytes()).isZero();
    }

    @Test
    void shouldRefuseADirectoryThatCannotBeHad() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "x");

        assertThatThrownBy(() -> BlockCache.open(file, 100))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE))
                .hasMessageContaining(file.toString());
    }
}
