package io.lambdafs.cluster.dump;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.Table;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Waits for a store and for the disk, and the lines that are written there. */
class AnswersTest {
    private final AtomicInteger asked = new AtomicInteger();

    private CompletionStage<Integer> fail(int times, ErrorCode code) {
        int number = asked.incrementAndGet();
        return number <= times
                ? CompletableFuture.failedFuture(new FsException(code, "planted"))
                : CompletableFuture.completedFuture(number);
    }

    @Test
    void shouldAskAgainWhatMayBeAnsweredYet() {
        assertThat(Answers.<Integer>await(() -> fail(1, ErrorCode.UNAVAILABLE))).isEqualTo(2);
    }

    @Test
    void shouldNotAskAgainWhatIsRefusedForGood() {
        assertThatThrownBy(() -> Answers.await(() -> fail(1, ErrorCode.INVALID_ARGUMENT)))
                .hasMessage("planted");
        assertThat(asked).hasValue(1);
    }

    @Test
    void shouldEndAWaitThatIsInterrupted() {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> Answers.await(() -> new CompletableFuture<>()))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.INTERRUPTED));
        assertThat(Thread.interrupted()).as("still to be noticed").isTrue();
    }

    /** The disk is busy until the wait for it was interrupted. */
    @Test
    void shouldWaitForASegmentThoughItIsInterrupted(@TempDir Path folder) throws Exception {
        Thread waiting = Thread.currentThread();
        List<Long> told = new ArrayList<>();
        SegmentWriter writer = new SegmentWriter(folder, (what, rows, all) -> {
            while (waiting.isInterrupted()) {
                Thread.onSpinWait();
            }
            told.add(rows);
        });
        Table table = Schema.SETTINGS;
        waiting.interrupt();
        writer.write(table, 3, new byte[] {1}, table.key("a"));
        writer.close();
        assertThat(Thread.interrupted()).as("still to be noticed").isTrue();
        assertThat(told).containsExactly(3L);
        assertThat(folder.resolve("000001-" + table.name() + ".jsonl")).hasBinaryContent(new byte[] {1});
    }

    @Test
    void shouldWriteColumnsThatAreNotKnownWhereThereAreSome() {
        RowLines.Writer writer = new RowLines.Writer(100);
        Row plain = new Row(Schema.SETTINGS.key("a"), "b");
        writer.add(plain, 1);
        writer.add(plain.withUnknown(new byte[] {1, 2}), 1);
        assertThat(writer.rows()).isEqualTo(2);
        assertThat(new String(writer.take(), StandardCharsets.UTF_8))
                .isEqualTo("[\"a\",\"b\"]\n[\"a\",\"b\",\"AQI=\"]\n");
        assertThat(writer.rows()).isZero();
    }

    @Test
    void shouldCompareLaterWhereNdbIsLoaded() {
        assertThat(Load.Comparing.of("ndb")).isEqualTo(Load.Comparing.AFTERWARDS);
        assertThat(Load.Comparing.of("postgres")).isEqualTo(Load.Comparing.WHILE_LOADING);
        assertThat(Load.Comparing.of("embedded")).isEqualTo(Load.Comparing.WHILE_LOADING);
    }
}
