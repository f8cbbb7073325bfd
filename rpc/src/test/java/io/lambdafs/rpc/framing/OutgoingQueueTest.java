package io.lambdafs.rpc.framing;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.rpc.message.Done;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class OutgoingQueueTest {
    private static PendingRequest numbered(long number) {
        return new PendingRequest(null, Done.DONE, number);
    }

    @Test
    void shouldGiveBackInOrder() {
        OutgoingQueue queue = new OutgoingQueue();
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.poll()).isNull();
        for (int round = 0; round < 3; round++) {
            List<PendingRequest> items =
                    IntStream.range(0, 5).mapToObj(i -> numbered(i)).toList();
            items.forEach(queue::add);
            for (PendingRequest item : items) {
                assertThat(queue.isEmpty()).isFalse();
                assertThat(queue.poll()).isSameAs(item);
                assertThat(item.next).isNull();
            }
            assertThat(queue.poll()).isNull();
            assertThat(queue.isEmpty()).isTrue();
        }
    }

    @Test
    void shouldLoseNothingOfManyProducersAndKeepTheOrderOfEach() throws InterruptedException {
        int producers = 4;
        int each = 100_000;
        OutgoingQueue queue = new OutgoingQueue();
        List<Thread> threads = IntStream.range(0, producers)
                .mapToObj(p -> new Thread(() -> {
                    for (long i = 0; i < each; i++) {
                        queue.add(numbered((long) p * each + i));
                    }
                }))
                .toList();
        threads.forEach(Thread::start);

        long[] next = new long[producers];
        int taken = 0;
        while (taken < producers * each) {
            Outgoing item = queue.poll();
            if (item == null) {
                Thread.onSpinWait();
                continue;
            }
            long number = ((PendingRequest) item).timeoutNanos;
            int producer = (int) (number / each);
            assertThat(number % each).isEqualTo(next[producer]++);
            taken++;
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(queue.poll()).isNull();
        assertThat(queue.isEmpty()).isTrue();
    }
}
