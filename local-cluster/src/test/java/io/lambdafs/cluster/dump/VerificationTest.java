package io.lambdafs.cluster.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.functions.namenode.Formatter;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Row;
import io.lambdafs.store.RowSum;
import io.lambdafs.store.Schema;
import io.lambdafs.store.memory.MemoryStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A row too many, too few or other than it was, wherever it is, in a store that was loaded. */
class VerificationTest {
    private static final int ROWS = 60;
    /** Size of a row of a table of several segments. */
    private static final int ROW_BYTES = 400_000;
    /** Between keys there is room for others. */
    private static final long STEP = 10;

    private static final Progress SILENT = (what, rows, all) -> {};

    @TempDir
    private Path folder;

    private final SystemScheduler scheduler = new SystemScheduler("verification-test", 2, 1_000);
    private final MemoryStore target = new MemoryStore(scheduler);
    private Manifest manifest;
    private final Map<Manifest.Segment, RowSum> sums = new ConcurrentHashMap<>();

    @BeforeEach
    void dumpAndFill() throws Exception {
        try (MemoryStore source = new MemoryStore(scheduler)) {
            Formatter.format(source, 4, "root", 1).toCompletableFuture().join();
            for (int i = 0; i < ROWS; i++) {
                commit(source, new Mutation.Put(row(i * STEP, i)));
            }
            Dump.run(source, folder.resolve("dump"), false, SILENT);
        }
        manifest = Manifest.read(folder.resolve("dump"));
        Load.fill(target, folder.resolve("dump"), "a test", 2, SILENT);
        new SegmentLoader(target, folder.resolve("dump"), manifest, SILENT)
                .load(2, (segment, sum) -> sums.put(segment, sum), () -> {});
    }

    @AfterEach
    void close() throws Exception {
        target.close();
        scheduler.close();
    }

    private static Row row(long key, int first) {
        byte[] value = new byte[ROW_BYTES];
        value[0] = (byte) first;
        return new Row(Schema.XATTRS.key(key), value);
    }

    private static void commit(MetadataStore store, Mutation mutation) {
        store.begin(0)
                .commit(List.of(mutation), Long.MAX_VALUE)
                .toCompletableFuture()
                .join();
    }

    private void verify(Manifest of) {
        Verification verification = new Verification(target, folder.resolve("dump"), of, SILENT);
        sums.forEach(verification::loaded);
        verification.run(3);
    }

    private void assertFound(String what, Mutation damage, Mutation repair) {
        commit(target, damage);
        assertThatThrownBy(() -> verify(manifest)).as(what).hasMessageContaining("is not what was loaded");
        commit(target, repair);
    }

    private void assertFoundBeside(String what, Row row) {
        assertFound(what, new Mutation.Put(row), new Mutation.Delete(row.key()));
    }

    @Test
    void shouldFindEveryRowThatIsNotAsItWas() {
        List<Manifest.Segment> segments = manifest.segments().stream()
                .filter(each -> each.of().equals(Schema.XATTRS))
                .toList();
        assertThat(segments).hasSizeGreaterThan(2);
        long border = ((Number) segments.get(0).last().get(0)).longValue();

        assertFoundBeside("before the first", row(-1, 0));
        assertFoundBeside("in a segment", row(1, 0));
        assertFoundBeside("between two segments", row(border + 1, 0));
        assertFoundBeside("behind the last", row(ROWS * STEP, 0));
        assertFoundBeside("in a table without segments", new Row(Schema.SLOTS.key("client", 1L), 2L, new byte[0], 3L));
        for (long key : new long[] {0, border, border + STEP, (ROWS - 1) * STEP}) {
            Row was = row(key, (int) (key / STEP));
            assertFound("removed", new Mutation.Delete(was.key()), new Mutation.Put(was));
            assertFound("changed", new Mutation.Put(row(key, 99)), new Mutation.Put(was));
        }
        verify(manifest);
    }

    /** A row between the two keys would be in no segment. */
    @Test
    void shouldRefuseASegmentWhoseLastKeyIsNotTheManifests() {
        List<Manifest.Segment> others = new ArrayList<>(manifest.segments());
        int at = 0;
        while (!others.get(at).of().equals(Schema.XATTRS)) {
            at++;
        }
        Manifest.Segment was = others.get(at);
        long last = ((Number) was.last().get(0)).longValue();
        others.set(
                at,
                new Manifest.Segment(
                        was.file(), was.table(), was.rows(), was.bytes(), was.sha256(), List.of(last + 1)));
        Manifest other = new Manifest(manifest.header(), others, true, manifest.lines());
        assertThatThrownBy(() -> verify(other)).hasMessageContaining("read otherwise");
        verify(manifest);
    }
}
