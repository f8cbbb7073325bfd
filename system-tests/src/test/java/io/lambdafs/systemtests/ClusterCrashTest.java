package io.lambdafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.CreateOptions;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.store.embedded.WalWatermark;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every process of a cluster is killed under a writing load, and in every second round the store's log is cut back to what its last
 * completed fsync covered: what a client was told is there, and what it was not told is there whole or not at all.
 * {@code -Dlambdafs.crash.rounds=20} makes it longer.
 */
class ClusterCrashTest {
    private static final int ROUNDS = Integer.getInteger("lambdafs.crash.rounds", 2);
    private static final int WINDOW = 32;
    private static final int ACKNOWLEDGED_BEFORE_KILL = 400;

    @TempDir
    Path directory;

    /** A writing load, and what it was told. */
    private static final class Load {
        final Set<Integer> acknowledged = ConcurrentHashMap.newKeySet();
        final AtomicInteger sent = new AtomicInteger();
        private final AtomicBoolean stopped = new AtomicBoolean();
        private final BlockingLambdaFs client;
        private final int round;

        Load(BlockingLambdaFs client, int round) {
            this.client = client;
            this.round = round;
        }

        void start() {
            for (int i = 0; i < WINDOW; i++) {
                next();
            }
        }

        private void next() {
            if (stopped.get()) {
                return;
            }
            int number = sent.getAndIncrement();
            client.async()
                    .create(path(round, number), content(round, number), CreateOptions.DEFAULT)
                    .whenComplete((attributes, error) -> {
                        if (error == null) {
                            acknowledged.add(number);
                            next();
                        }
                    });
        }

        void stop() {
            stopped.set(true);
            client.close();
        }
    }

    private static FsPath path(int round, int number) {
        return FsPath.of("/crash/round-" + round + "/d" + number % 7 + "/f" + number);
    }

    private static byte[] content(int round, int number) {
        return ("round " + round + " file " + number + " " + "x".repeat(number % 500)).getBytes(StandardCharsets.UTF_8);
    }

    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES)
    void shouldLoseNothingAcknowledgedWhenEveryProcessIsKilled() throws Exception {
        try (ClusterUnderTest cluster = ClusterUnderTest.start(directory)) {
            for (int round = 0; round < ROUNDS; round++) {
                Load load = new Load(cluster.client(), round);
                load.start();
                Awaitility.await().until(() -> load.acknowledged.size() >= ACKNOWLEDGED_BEFORE_KILL);
                cluster.killAll();
                load.stop();
                if (round % 2 == 1) {
                    WalWatermark.cutBack(cluster.data("store"));
                }
                cluster.start();
                verify(cluster, round, load);
            }
        }
    }

    private static void verify(ClusterUnderTest cluster, int round, Load load) throws InterruptedException {
        try (BlockingLambdaFs client = cluster.client()) {
            for (int number = 0; number < load.sent.get(); number++) {
                try {
                    assertThat(client.read(path(round, number)))
                            .as("%s", path(round, number))
                            .isEqualTo(content(round, number));
                } catch (FsException missing) {
                    assertThat(missing.code()).isEqualTo(ErrorCode.NOT_FOUND);
                    assertThat(load.acknowledged)
                            .as("round %d: acknowledged and gone", round)
                            .doesNotContain(number);
                }
            }
        }
    }
}
