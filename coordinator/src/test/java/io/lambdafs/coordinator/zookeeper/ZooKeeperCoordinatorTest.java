package io.lambdafs.coordinator.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.coordinator.CoordinatorContract;
import io.lambdafs.coordinator.Mailboxes;
import io.lambdafs.coordinator.testkit.Environment;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ZooKeeperCoordinatorTest extends CoordinatorContract {
    @TempDir
    private Path folder;

    @Override
    protected Environment createEnvironment() {
        return new ZooKeeperEnvironment(folder.resolve("zookeeper"));
    }

    @Test
    void shouldTakeLettersAwayWithTheirSendersSession() {
        await(two.register(member(2)));
        await(one.mailboxes().post(new Mailboxes.Letter(2, "crashed"), new byte[] {1}));
        environment.loseSession(one);
        await(session().mailboxes().post(new Mailboxes.Letter(2, "marker"), new byte[] {2}));
        List<String> read = new CopyOnWriteArrayList<>();

        two.mailboxes().follow(Set.of(2L), (letter, content) -> read.add(letter.name()));
        environment.await("the marker is read", () -> read.contains("marker"));

        assertThat(read).containsOnly("marker");
    }
}
