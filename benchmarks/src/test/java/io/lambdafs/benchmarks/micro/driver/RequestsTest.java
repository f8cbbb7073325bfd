package io.lambdafs.benchmarks.micro.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class RequestsTest {
    private final PipedOutputStream other = new PipedOutputStream();
    private final AtomicInteger abandoned = new AtomicInteger();
    private final Requests requests;

    RequestsTest() throws IOException {
        requests = new Requests(new PipedInputStream(other), abandoned::incrementAndGet);
    }

    private void send(String line) throws IOException {
        other.write((line + "\n").getBytes(StandardCharsets.UTF_8));
        other.flush();
    }

    @Test
    void shouldEndInOrderOnceTheLastLineIsDone() throws Exception {
        send("one");
        assertThat(requests.next()).contains("one");
        requests.done();
        send("two");
        assertThat(requests.next()).contains("two");
        requests.done();
        other.close();
        assertThat(requests.next()).isEmpty();
        assertThat(abandoned).hasValue(0);
    }

    @Test
    void shouldNoticeThatNobodyWaitsForTheAnswer() throws Exception {
        send("one");
        assertThat(requests.next()).contains("one");
        other.close();
        await().until(() -> abandoned.get() == 1);
    }
}
