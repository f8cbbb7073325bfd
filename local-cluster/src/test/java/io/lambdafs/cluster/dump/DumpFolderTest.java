package io.lambdafs.cluster.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.functions.namenode.Formatter;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.store.memory.MemoryStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Dumps of several moments in one folder. */
class DumpFolderTest {
    private static final Instant FIRST = Instant.parse("2026-11-29T03:00:07.5Z");

    @TempDir
    private Path place;

    private final SystemScheduler scheduler = new SystemScheduler("dump-folder-test", 1, 100);
    private final MemoryStore store = new MemoryStore(scheduler);
    private DumpFolder folder;

    @BeforeEach
    void format() {
        folder = new DumpFolder(place.resolve("backup"));
        Formatter.format(store, 1, "root", 1).toCompletableFuture().join();
    }

    @AfterEach
    void close() {
        store.close();
        scheduler.close();
    }

    private Path dump(int day) {
        Path made = folder.at(FIRST.plusSeconds(86_400L * day));
        Dump.run(store, made, false, (what, rows, all) -> {});
        return made;
    }

    /** As an interruption leaves it. */
    private Path unfinished(int day) throws Exception {
        Path made = dump(day);
        List<String> lines = Files.readAllLines(made.resolve(Manifest.FILE));
        Files.write(made.resolve(Manifest.FILE), lines.subList(0, lines.size() - 1));
        return made;
    }

    @Test
    void shouldNameADumpForItsMoment() {
        assertThat(folder.at(FIRST)).isEqualTo(place.resolve("backup").resolve("2026-11-29T03-00-07Z"));
    }

    @Test
    void shouldKeepTheNewestWholeDumps() throws Exception {
        Path oldest = dump(0);
        Path second = dump(1);
        Path interrupted = unfinished(2);
        Path third = dump(3);
        Path begun = Files.createDirectory(folder.at(FIRST.plusSeconds(86_400L * 4)));
        Path other = Files.createDirectory(place.resolve("backup").resolve("not-a-dump"));

        assertThat(folder.keep(2)).containsExactlyInAnyOrder(oldest, interrupted);

        assertThat(List.of(second, third, begun, other))
                .allSatisfy(each -> assertThat(each).isDirectory());
        assertThat(oldest).doesNotExist();
        assertThat(folder.newest()).isEqualTo(third);
    }

    @Test
    void shouldRemoveNothingWhileNoDumpIsWhole() throws Exception {
        Path first = unfinished(0);
        Path second = unfinished(1);

        assertThat(folder.keep(1)).isEmpty();

        assertThat(List.of(first, second)).allSatisfy(each -> assertThat(each).isDirectory());
        assertThatThrownBy(folder::newest).isInstanceOf(FsException.class).hasMessageContaining("no whole dump");
    }

    @Test
    void shouldSayThatThereIsNoFolder() {
        assertThat(folder.keep(3)).isEmpty();
        assertThatThrownBy(folder::newest).hasMessageContaining("no whole dump in " + place.resolve("backup"));
    }
}
