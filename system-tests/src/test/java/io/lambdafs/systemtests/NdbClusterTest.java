package io.lambdafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation.RenameMode;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of real processes whose metadata is in an NDB that it has started. */
class NdbClusterTest {
    @TempDir
    Path directory;

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "the tests of store-ndb try this on JDK 17")
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void shouldKeepItsMetadataInNdbOverItsDeathAndARestart() throws Exception {
        assumeTrue(
                Code.hasNdb() && System.getenv("NDB_HOME") != null,
                "MySQL NDB Cluster is not installed: CLUSTERJ_JAR and NDB_HOME do not name it");
        ObjectNode keys = JsonNodeFactory.instance.objectNode().put("coordinator", "store");
        keys.putObject("store")
                .put("engine", "ndb")
                .put("ndbMemoryMb", 128)
                .put("ndbDiskMb", 32)
                .put("ndbAck", "checkpoint");
        try (ClusterUnderTest cluster = ClusterUnderTest.start(directory, keys);
                BlockingLambdaFs client = cluster.client()) {
            client.execute(new NamespaceOperation.Mkdirs(FsPath.of("/a/b"), 0755, true));
            client.execute(new NamespaceOperation.Rename(FsPath.of("/a"), FsPath.of("/c"), RenameMode.STRICT));

            cluster.kill("ndb");
            cluster.start();
            client.execute(new NamespaceOperation.Mkdirs(FsPath.of("/c/d"), 0755, true));
        }
        try (ClusterUnderTest cluster = ClusterUnderTest.start(directory, JsonNodeFactory.instance.objectNode());
                BlockingLambdaFs client = cluster.client()) {
            assertThat(client.stat(FsPath.of("/c/b")).isDirectory()).isTrue();
            assertThat(client.stat(FsPath.of("/c/d")).isDirectory()).isTrue();
        }
    }
}
