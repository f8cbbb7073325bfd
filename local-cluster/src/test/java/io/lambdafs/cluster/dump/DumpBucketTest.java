package io.lambdafs.cluster.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.datanode.block.BlockStore.StoredObject;
import io.lambdafs.datanode.memory.MemoryBlockStore;
import io.lambdafs.functions.namenode.Formatter;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.store.memory.MemoryStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Dumps of several moments in a bucket. */
class DumpBucketTest {
    private static final Instant FIRST = Instant.parse("2026-11-29T03:00:07.5Z");

    @TempDir
    private Path place;

    private final SystemScheduler scheduler = new SystemScheduler("dump-bucket-test", 1, 100);
    private final MemoryStore store = new MemoryStore(scheduler);
    private final MemoryBlockStore objects = new MemoryBlockStore();
    private final DumpBucket bucket = new DumpBucket(objects);

    @BeforeEach
    void format() {
        Formatter.format(store, 1, "root", 1).toCompletableFuture().join();
    }

    @AfterEach
    void close() {
        bucket.close();
        store.close();
        scheduler.close();
    }

    private Path dump(int day) {
        Path made = place.resolve(DumpFolder.name(FIRST.plusSeconds(86_400L * day)));
        Dump.run(store, made, false, (what, rows, all) -> {});
        return made;
    }

    private String put(int day) {
        Path made = dump(day);
        bucket.put(made);
        return made.getFileName().toString();
    }

    /** As an interruption leaves it. */
    private String unfinished(int day) {
        String name = put(day);
        objects.delete(name + "/" + Manifest.FILE);
        return name;
    }

    private List<String> keys() {
        return objects.list("", "", 1_000).stream().map(StoredObject::key).toList();
    }

    @Test
    void shouldBringBackWhatItWasGiven() throws Exception {
        Path made = dump(0);
        bucket.put(made);

        Path back = bucket.fetch("", Files.createDirectory(place.resolve("back")));

        assertThat(back).isEqualTo(place.resolve("back").resolve(made.getFileName()));
        try (Stream<Path> files = Files.list(made)) {
            assertThat(files).isNotEmpty().allSatisfy(each -> {
                Path copy = back.resolve(each.getFileName());
                assertThat(copy).hasSameBinaryContentAs(each);
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(copy)))
                        .as("it has contents of files")
                        .isEqualTo("rw-------");
            });
        }
        MemoryStore filled = new MemoryStore(scheduler);
        Load.run(filled, back, 1, Load.Comparing.AFTERWARDS, (what, rows, all) -> {});
        filled.close();
    }

    @Test
    void shouldKeepTheNewestWholeDumps() {
        String oldest = put(0);
        String second = put(1);
        String interrupted = unfinished(2);
        String third = put(3);
        String begun = unfinished(4);
        try (var other = objects.upload("not-a-dump/file")) {
            other.commit();
        }

        assertThat(bucket.keep(2)).containsExactlyInAnyOrder(oldest, interrupted);

        assertThat(keys()).noneMatch(each -> each.startsWith(oldest) || each.startsWith(interrupted));
        for (String each : List.of(second, third, begun, "not-a-dump")) {
            assertThat(keys()).anyMatch(key -> key.startsWith(each + "/"));
        }
        assertThat(bucket.fetch("", place.resolve("newest")).getFileName()).hasToString(third);
        assertThat(bucket.fetch(second, place.resolve("named")).getFileName()).hasToString(second);
    }

    @Test
    void shouldTakeNoDumpThatIsNotWhole() throws Exception {
        Path made = dump(0);
        List<String> lines = Files.readAllLines(made.resolve(Manifest.FILE));
        Files.write(made.resolve(Manifest.FILE), lines.subList(0, lines.size() - 1));

        assertThatThrownBy(() -> bucket.put(made))
                .isInstanceOf(FsException.class)
                .hasMessageContaining("interrupted");
        assertThat(keys()).isEmpty();

        String begun = unfinished(1);
        assertThat(bucket.keep(1)).isEmpty();
        assertThatThrownBy(() -> bucket.fetch("", place.resolve("none")))
                .hasMessageContaining("no whole dump in memory");
        assertThatThrownBy(() -> bucket.fetch(begun, place.resolve("none")))
                .hasMessageContaining("no whole dump " + begun + " in memory");
    }

    @Test
    void shouldRefuseWhatIsNoBucketAsAWrongArgument() {
        assertThatThrownBy(() -> DumpBucket.open("s3://B/dumps", "", place))
                .isInstanceOf(FsException.class)
                .hasMessageContaining("s3://BUCKET[/PREFIX]")
                .hasMessageContaining("s3://B/dumps");
        assertThatThrownBy(() -> DumpBucket.open("s3://bucket/dumps", "minio:9000", place))
                .isInstanceOf(FsException.class)
                .hasMessageContaining("minio:9000");
    }

    @Test
    void shouldWriteTheManifestLast() {
        assertThat(DumpBucket.inOrder(List.of(Manifest.FILE, "000002-b.jsonl", "000001-a.jsonl")))
                .containsExactly("000001-a.jsonl", "000002-b.jsonl", Manifest.FILE);
    }
}
