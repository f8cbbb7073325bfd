package io.lambdafs.coordinator.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lambdafs.model.testkit.RamDisk;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A ZooKeeper server that is closed, or under which a small file system fills up: skipped where none may be mounted. */
class LastingZooKeeperTest {
    private static final int BURST = 100;

    @TempDir
    private Path folder;

    private int written;
    private final Queue<String> acknowledged = new ConcurrentLinkedQueue<>();

    /** Many at once, so that ZooKeeper has several half written when it fails. Whether the last could be; notes what was acknowledged. */
    private boolean write(ZooKeeper client) {
        for (int i = 0; i < BURST; i++) {
            String name = "/n" + written++;
            client.create(
                    name,
                    new byte[300 + written % 100],
                    ZooDefs.Ids.OPEN_ACL_UNSAFE,
                    CreateMode.PERSISTENT,
                    (code, path, context, made) -> {
                        if (code == KeeperException.Code.OK.intValue()) {
                            acknowledged.add(path);
                        }
                    },
                    null);
        }
        try {
            client.create("/n" + written++, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            return true;
        } catch (KeeperException e) {
            return false;
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private void writeUntilItEndsItself(LastingZooKeeper server, ZooKeeper client) {
        await().pollInterval(Duration.ofMillis(1)).until(() -> {
            write(client);
            return !server.isRunning();
        });
    }

    private void awaitThatItServes(LastingZooKeeper server, ZooKeeper client) {
        await().until(() -> server.goesOn() && server.isRunning() && write(client));
    }

    @Test
    void shouldNotServeOnceItIsClosed() {
        LastingZooKeeper server =
                LastingZooKeeper.start(new EmbeddedZooKeeper.Settings(folder.resolve("data"), "127.0.0.1", 0, null));
        assertThat(server.isRunning()).isTrue();
        server.close();
        assertThat(server.isRunning()).isFalse();
        assertThat(server.goesOn()).as("ended on purpose").isTrue();
        assertThat(server.isRunning()).isFalse();
    }

    @Test
    void shouldGoOnInItsReserveAndThenWhenThereIsRoomAgain() throws Exception {
        try (RamDisk disk = RamDisk.mountOrSkip(folder, 32);
                LastingZooKeeper server = LastingZooKeeper.start(
                        new EmbeddedZooKeeper.Settings(folder.resolve("data"), "127.0.0.1", 0, null))) {
            ZooKeeper client = new ZooKeeper("127.0.0.1:" + server.port(), 6_000, event -> {});
            int port = server.port();
            assertThat(folder.resolve("data/reserve")).hasSize(DiskReserve.BYTES);
            awaitThatItServes(server, client);
            disk.fill(0);
            writeUntilItEndsItself(server, client);

            awaitThatItServes(server, client);
            assertThat(folder.resolve("data/reserve")).doesNotExist();

            disk.fill(0);
            writeUntilItEndsItself(server, client);
            assertThat(server.goesOn()).as("waits for room").isTrue();
            assertThat(server.isRunning()).isFalse();

            disk.empty();
            awaitThatItServes(server, client);
            assertThat(server.port()).isEqualTo(port);
            assertThat(server.goesOn()).isTrue();
            assertThat(folder.resolve("data/reserve")).hasSize(DiskReserve.BYTES);
            for (String node : acknowledged) {
                assertThat(client.exists(node, false)).as(node).isNotNull();
            }
            client.close();
        }
    }
}
