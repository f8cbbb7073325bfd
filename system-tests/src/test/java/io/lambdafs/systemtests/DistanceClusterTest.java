package io.lambdafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.config.ClientConfigBuilder;
import io.lambdafs.cluster.TemporaryCluster;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.NamespaceOperation;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster whose links are longer than this machine makes them: requests take as long as their round trips at least. */
@Tag("slow")
class DistanceClusterTest {
    private static final long TCP_MILLIS = 40;
    private static final long HTTP_MILLIS = 90;
    private static final long STORE_MILLIS = 60;
    private static final int TIMES = 10;
    private static final FsPath FOLDER = FsPath.of("/far");

    @TempDir
    private Path folder;

    private static ObjectNode settings() {
        ObjectNode settings = TemporaryCluster.unlimited();
        settings.put("deployments", 1);
        // Like a fleet without a cache: every read asks the store.
        settings.withObject("instance").put("cacheBytes", 0);
        settings.putObject("distance")
                .put("tcpMicros", 1_000 * TCP_MILLIS)
                .put("httpMicros", 1_000 * HTTP_MILLIS)
                .put("storeMicros", 1_000 * STORE_MILLIS);
        return settings;
    }

    /** Returns the shortest of some requests, which the fewest other things have delayed. */
    private static long shortestMillis(BlockingLambdaFs client) throws InterruptedException {
        long shortest = Long.MAX_VALUE;
        client.execute(new NamespaceOperation.Mkdirs(FOLDER, 0700, true));
        for (int i = 0; i < TIMES; i++) {
            long begun = System.nanoTime();
            client.stat(FOLDER);
            shortest = Math.min(shortest, System.nanoTime() - begun);
        }
        return TimeUnit.NANOSECONDS.toMillis(shortest);
    }

    @Test
    void shouldTakeTheRoundTripsOfTheLinksThatARequestUses() throws Exception {
        try (ClusterUnderTest cluster = ClusterUnderTest.start(folder, settings());
                BlockingLambdaFs byTcp = cluster.client();
                BlockingLambdaFs byHttp = BlockingLambdaFs.open(
                        ClientConfigBuilder.load(cluster.directory().resolve("client.json"))
                                .tcpEnabled(false)
                                .build())) {
            assertThat(shortestMillis(byTcp)).isGreaterThanOrEqualTo(TCP_MILLIS + STORE_MILLIS);
            assertThat(shortestMillis(byHttp)).isGreaterThanOrEqualTo(HTTP_MILLIS + STORE_MILLIS);
        }
    }
}
