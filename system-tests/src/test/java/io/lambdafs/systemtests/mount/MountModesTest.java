package io.lambdafs.systemtests.mount;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lambdafs.systemtests.ClusterUnderTest;
import io.lambdafs.systemtests.CommandRun;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Mounts that let the kernel remember names, and mounts of a cluster that is not there for a while. */
class MountModesTest {
    @TempDir
    private Path folder;

    @BeforeEach
    void canMount() throws Exception {
        String obstacle = MountUnderTest.obstacle();
        assumeTrue(obstacle.isEmpty(), obstacle);
    }

    @Test
    void shouldShowWhatWasClosedToWhoOpensAfterwards() throws Exception {
        try (ClusterUnderTest cluster = ClusterUnderTest.start(folder.resolve("cluster"));
                MountUnderTest one =
                        MountUnderTest.start(cluster.directory(), folder.resolve("one"), "--close-to-open");
                MountUnderTest two =
                        MountUnderTest.start(cluster.directory(), folder.resolve("two"), "--close-to-open")) {
            one.sh("mkdir d; echo first > d/file; echo a > d/a");
            for (int i = 0; i < 30; i++) {
                // Known to the second mount's kernel, with its length.
                two.sh("stat d/file d/a; cat d/file d/a");
                one.sh("seq 1 " + (1 + i % 7) + " > d/file; seq 1 " + (1 + i) + " > d/new; mv d/new d/a");
                assertThat(two.sh("tail -n 1 d/file; tail -n 1 d/a")).isEqualTo((1 + i % 7) + "\n" + (1 + i) + "\n");
            }
            one.sh("rm d/file");
            Awaitility.await().until(() -> two.tried("test -e d/file").exit() == 1);
        }
    }

    @Test
    void shouldAnswerEioWhileTheClusterIsAwayAndGoOnWhenItIsBack() throws Exception {
        try (ClusterUnderTest cluster = ClusterUnderTest.start(folder.resolve("cluster"));
                MountUnderTest mount =
                        MountUnderTest.start(cluster.directory(), folder.resolve("mount"), "--deadline=10")) {
            mount.sh("echo kept > file");
            cluster.killAll();

            CommandRun away = mount.tried("cat file");
            assertThat(away.err()).contains("Input/output error");
            assertThat(mount.tried("echo lost > other").err()).contains("Input/output error");

            cluster.start();

            Awaitility.await().until(() -> mount.tried("cat file").exit() == 0);
            assertThat(mount.sh("cat file; echo new > other; cat other")).isEqualTo("kept\nnew\n");
        }
    }

    @Test
    void shouldNoticeNothingOfAGatewayAndADatanodeThatAreStartedAgain() throws Exception {
        try (ClusterUnderTest cluster = ClusterUnderTest.start(folder.resolve("cluster"));
                MountUnderTest mount = MountUnderTest.start(cluster.directory(), folder.resolve("mount"))) {
            mount.sh("mkdir work");
            Process worker = new ProcessBuilder(
                            "/bin/bash",
                            "-ec",
                            "i=0; while ! test -e end; do i=$((i + 1)); head -c 200000 /dev/urandom > work/$i;"
                                    + " sha256sum < work/$i > sum; sha256sum < work/$i | cmp - sum; rm work/$i; done; echo $i")
                    .directory(mount.directory().toFile())
                    .start();
            for (String service : new String[] {"datanode-1", "gateway"}) {
                cluster.kill(service);
                cluster.start();
            }
            mount.sh("touch end");
            String said = new String(worker.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            String complained = new String(worker.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);

            assertThat(worker.waitFor()).as(complained).isZero();
            assertThat(Integer.parseInt(said.strip())).isPositive();
        }
    }
}
