package io.lambdafs.cluster.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.FileReader;
import io.lambdafs.client.FileWriter;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.INode;
import io.lambdafs.store.embedded.StoredRows;
import io.lambdafs.store.format.Fsck;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that writes a file is stopped (SIGSTOP) in the middle, another client takes its writer lease and completes the file, and the process goes on (SIGCONT). With {@code
 * -Dlambdafs.files.writes} the other waits until the lease may be taken, a minute; else it takes the lease by force.
 */
@Tag("slow")
class FrozenWriterTest {
    private static final Path TARGET = Path.of("target", "files-trial");
    private static final TrialFile FILE = new TrialFile(0);
    private static final byte[] MORE = {1, 2, 3, 4, 5};
    private static final boolean PATIENT = Integer.getInteger("lambdafs.files.writes") != null;

    @TempDir
    Path directory;

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void shouldAddNothingAfterAnotherHasTakenItsLease() throws Exception {
        Files.createDirectories(TARGET);
        LocalCluster cluster =
                new LocalCluster(new ClusterDirectory(directory.resolve("cluster")), FilesTrialTest.console());
        Path gate = directory.resolve("gate");
        try (WriterProcess writers = new WriterProcess(
                cluster.directory().client(), TARGET.resolve("frozen-writer.log"), 1, gate.toString())) {
            ObjectNode keys = JsonNodeFactory.instance.objectNode();
            cluster.start(new LocalCluster.StartOptions(null, keys.put("deployments", 1)));
            try (BlockingLambdaFs fs =
                    BlockingLambdaFs.open(ClientConfig.load(cluster.directory().client()))) {
                fs.mkdirs(TrialFile.DIRECTORY, 0755);
                writers.start();
                writers.release(1);
                writers.awaitHalf();
                writers.freeze(true);
                assertThat(fs.stat(FILE.path()).content()).isEqualTo(INode.Content.WRITING);

                long kept = takeOver(fs);
                byte[] completed = read(fs);
                byte[] expected = Arrays.copyOf(FILE.content(), (int) kept + MORE.length);
                System.arraycopy(MORE, 0, expected, (int) kept, MORE.length);
                assertThat(kept).isGreaterThan(FILE.blockSize());
                assertThat(completed).isEqualTo(expected);

                Files.createFile(gate);
                writers.freeze(false);
                writers.awaitMore(Integer.MAX_VALUE);

                assertThat(writers.failures()).singleElement().asString().contains(ErrorCode.STALE_GENERATION.name());
                assertThat(fs.stat(FILE.path()).content()).isEqualTo(INode.Content.BLOCKS);
                assertThat(read(fs)).isEqualTo(completed);
            }
        } finally {
            cluster.stop();
        }
        assertThat(StoredRows.read(cluster.directory().data("store"), Fsck::check)
                        .problems())
                .isEmpty();
    }

    /** Returns how long the file was that its first writer left. */
    private static long takeOver(BlockingLambdaFs fs) throws InterruptedException {
        assertThatThrownBy(() -> BlockingLambdaFs.await(fs.async().appender(FILE.path())))
                .isInstanceOfSatisfying(
                        FsException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.BEING_WRITTEN));
        FileWriter next = PATIENT ? takeWhenSilent(fs) : takeByForce(fs);
        next.write(ByteBuffer.wrap(MORE));
        next.complete();
        return next.startLength();
    }

    private static FileWriter takeByForce(BlockingLambdaFs fs) throws InterruptedException {
        assertThat(BlockingLambdaFs.await(fs.async().recover(FILE.path()))).isTrue();
        return BlockingLambdaFs.await(fs.async().appender(FILE.path()));
    }

    private static FileWriter takeWhenSilent(BlockingLambdaFs fs) {
        return await().pollInterval(Duration.ofSeconds(1))
                .ignoreExceptionsMatching(
                        e -> e instanceof FsException refused && refused.code() == ErrorCode.BEING_WRITTEN)
                .until(() -> BlockingLambdaFs.await(fs.async().appender(FILE.path())), writer -> true);
    }

    private static byte[] read(BlockingLambdaFs fs) throws InterruptedException {
        try (FileReader reader = BlockingLambdaFs.await(fs.async().reader(FILE.path()))) {
            return Verdicts.read(reader);
        }
    }
}
