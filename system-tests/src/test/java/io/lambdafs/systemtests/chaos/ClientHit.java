package io.lambdafs.systemtests.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;

/** SIGKILL to the process of clients, which is then started anew. */
final class ClientHit implements Hit {
    private static final int LIMIT_SECONDS = 60;

    private final ClientProcess clients;
    private final ProcessHandle process;

    ClientHit(ClientProcess clients, ProcessHandle process) {
        this.clients = clients;
        this.process = process;
    }

    @Override
    public void begin() {
        process.destroyForcibly();
    }

    @Override
    public boolean end() throws Exception {
        process.onExit().get(LIMIT_SECONDS, TimeUnit.SECONDS);
        Awaitility.await("its last answers are taken")
                .atMost(LIMIT_SECONDS, TimeUnit.SECONDS)
                .until(() -> clients.process() == null);
        clients.start();
        ProcessHandle next = Objects.requireNonNull(clients.process());
        assertThat(next.pid()).as("a process of its own, and another one").isNotEqualTo(process.pid());
        Awaitility.await("it is served").atMost(LIMIT_SECONDS, TimeUnit.SECONDS).until(clients::answers);
        return true;
    }

    @Override
    public String toString() {
        return "kill_client " + process.pid();
    }
}
