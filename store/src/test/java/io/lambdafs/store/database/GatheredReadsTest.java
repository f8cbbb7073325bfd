package io.lambdafs.store.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.FsException;
import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.engine.ReadPool;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class GatheredReadsTest {
    private static final int WAITING = 5;

    private final ReadPool oneThread = new ReadPool(1, "the test");
    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final List<Collection<Key>> asked = new ArrayList<>();
    private final GatheredReads reads = new GatheredReads(oneThread, this::read);

    @AfterEach
    void close() {
        goOn.countDown();
        oneThread.close();
    }

    private static Key key(String name) {
        return Schema.SEQUENCES.key(name);
    }

    /** Reads rows: {@code none} has no row; {@code bad} cannot be asked for; the first question waits. */
    private Map<Key, Row> read(Collection<Key> keys) {
        asked.add(List.copyOf(keys));
        begun.countDown();
        try {
            goOn.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        if (keys.contains(key("bad"))) {
            throw FsException.invalidArgument("bad");
        }
        Map<Key, Row> found = new HashMap<>();
        keys.stream().filter(each -> !each.equals(key("none"))).forEach(each -> found.put(each, new Row(each, 7L)));
        return found;
    }

    private CompletableFuture<Map<Key, Row>> ask(String... names) {
        List<Key> keys = new ArrayList<>();
        for (String each : names) {
            keys.add(key(each));
        }
        return reads.read(keys).toCompletableFuture();
    }

    private static Map<Key, Row> await(CompletableFuture<Map<Key, Row>> answer) throws Exception {
        return answer.get();
    }

    @Test
    void shouldAskTogetherForWhatWaits() throws Exception {
        CompletableFuture<Map<Key, Row>> first = ask("first");
        begun.await();
        List<CompletableFuture<Map<Key, Row>>> waiting = new ArrayList<>();
        for (int i = 0; i < WAITING; i++) {
            waiting.add(ask("key-" + i, "none"));
        }
        goOn.countDown();
        assertThat(await(first)).containsOnlyKeys(key("first"));
        for (int i = 0; i < WAITING; i++) {
            assertThat(await(waiting.get(i)))
                    .containsEntry(key("key-" + i), new Row(key("key-" + i), 7L))
                    .doesNotContainKey(key("none"));
        }
        assertThat(asked).hasSize(2);
        assertThat(asked.get(1)).hasSize(WAITING + 1);
    }

    @Test
    void shouldRefuseOnlyWhatCannotBeAsked() throws Exception {
        CompletableFuture<Map<Key, Row>> first = ask("first");
        begun.await();
        CompletableFuture<Map<Key, Row>> good = ask("good");
        CompletableFuture<Map<Key, Row>> bad = ask("bad");
        goOn.countDown();
        await(first);
        assertThat(await(good)).containsOnlyKeys(key("good"));
        assertThatThrownBy(() -> await(bad))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("bad");
    }

    @Test
    void shouldAnswerWhatComesTooLate() {
        goOn.countDown();
        oneThread.close();
        assertThatThrownBy(() -> await(ask("late")))
                .isInstanceOf(ExecutionException.class)
                .hasMessageContaining("closed");
    }
}
