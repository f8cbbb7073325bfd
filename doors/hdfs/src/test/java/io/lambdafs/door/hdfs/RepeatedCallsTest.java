package io.lambdafs.door.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RepeatedCallsTest {
    private final AtomicLong nanos = new AtomicLong();
    private final RepeatedCalls calls = new RepeatedCalls(nanos::get);
    private final AtomicInteger executed = new AtomicInteger();

    private static RepeatedCalls.Key key(int client, int call, String user) {
        return new RepeatedCalls.Key(ByteBuffer.wrap(new byte[] {(byte) client}), call, user);
    }

    private Object once(RepeatedCalls.Key key) throws Throwable {
        return calls.once(key, executed::incrementAndGet);
    }

    @Test
    void shouldAnswerARepeatedCallByTheFirstResult() throws Throwable {
        assertThat(once(key(1, 5, "alice"))).isEqualTo(1);
        assertThat(once(key(1, 5, "alice"))).isEqualTo(1);
        assertThat(once(key(1, 6, "alice"))).isEqualTo(2);
        assertThat(once(key(2, 5, "alice"))).isEqualTo(3);
    }

    @Test
    void shouldGiveNobodyTheAnswerOfAnotherUser() throws Throwable {
        assertThat(once(key(1, 5, "alice"))).isEqualTo(1);
        assertThat(once(key(1, 5, "bob"))).isEqualTo(2);
    }

    @Test
    void shouldRepeatAFailureToo() {
        RepeatedCalls.Work failing = () -> {
            executed.incrementAndGet();
            throw new IOException("no");
        };

        assertThatThrownBy(() -> calls.once(key(1, 5, "alice"), failing)).hasMessage("no");
        assertThatThrownBy(() -> calls.once(key(1, 5, "alice"), failing)).hasMessage("no");
        assertThat(executed).hasValue(1);
    }

    @Test
    void shouldWaitForTheFirstIfItIsStillUnderWay() throws Exception {
        CompletableFuture<Void> begun = new CompletableFuture<>();
        CompletableFuture<Integer> end = new CompletableFuture<>();
        CompletableFuture<Object> first = CompletableFuture.supplyAsync(() -> result(() -> {
            begun.complete(null);
            return end.get();
        }));
        begun.get();
        CompletableFuture<Object> second = CompletableFuture.supplyAsync(() -> result(executed::incrementAndGet));
        end.complete(77);

        assertThat(first.get()).isEqualTo(77);
        assertThat(second.get()).isEqualTo(77);
        assertThat(executed).hasValue(0);
    }

    private Object result(RepeatedCalls.Work work) {
        try {
            return calls.once(key(1, 5, "alice"), work);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void shouldForgetAfterTenMinutes() throws Throwable {
        assertThat(once(key(1, 5, "alice"))).isEqualTo(1);
        nanos.set(Duration.ofMinutes(11).toNanos());
        assertThat(once(key(1, 5, "alice"))).isEqualTo(2);
    }
}
