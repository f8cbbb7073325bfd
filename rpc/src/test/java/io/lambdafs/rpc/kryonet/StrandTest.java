package io.lambdafs.rpc.kryonet;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class StrandTest {
    private final Strand strand = new Strand();
    private final List<String> done = new ArrayList<>();

    @Test
    void shouldRunATaskAtOnceWhereNobodyIsInside() {
        strand.execute(() -> done.add(String.valueOf(strand.isHeld())));

        assertThat(done).containsExactly("true");
        assertThat(strand.isHeld()).isFalse();
    }

    @Test
    void shouldRunWhatIsAskedForInsideAfterwards() {
        strand.enter(() -> {
            strand.execute(() -> done.add("later"));
            done.add("now");
        });

        assertThat(done).containsExactly("now", "later");
    }

    @Test
    void shouldOutliveATaskThatFails() {
        strand.execute(() -> {
            throw new IllegalStateException("broken");
        });
        strand.enter(() -> {
            throw new IllegalStateException("broken");
        });
        strand.execute(() -> done.add("alive"));

        assertThat(done).containsExactly("alive");
        assertThat(strand.isHeld()).isFalse();
    }

    @Test
    void shouldLetOneThreadInAtATimeAndForgetNothing() throws InterruptedException {
        int each = 100_000;
        int[] count = new int[1];
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger together = new AtomicInteger();
        Runnable task = () -> {
            together.accumulateAndGet(inside.incrementAndGet(), Math::max);
            count[0]++;
            inside.decrementAndGet();
        };
        List<Thread> threads = IntStream.range(0, 4)
                .mapToObj(number -> new Thread(() -> {
                    for (int i = 0; i < each; i++) {
                        if (number % 2 == 0) {
                            strand.enter(task);
                        } else {
                            strand.execute(task);
                        }
                    }
                }))
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(together).hasValue(1);
        assertThat(count[0]).isEqualTo(4 * each);
    }
}
