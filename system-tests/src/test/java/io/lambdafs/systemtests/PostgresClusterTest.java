package io.lambdafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation.RenameMode;
import io.lambdafs.store.sql.server.PostgresServer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A cluster of real processes whose metadata is in a PostgreSQL that it has started. */
class PostgresClusterTest {
    @TempDir
    Path directory;

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void shouldKeepItsMetadataInPostgresOverItsDeathAndARestart() throws Exception {
        assumeTrue(PostgresServer.programs().isPresent(), "PostgreSQL is not installed: there is no initdb");
        ObjectNode keys = JsonNodeFactory.instance.objectNode().put("coordinator", "store");
        keys.putObject("store").put("engine", "postgres");
        try (ClusterUnderTest cluster = ClusterUnderTest.start(directory, keys);
                BlockingLambdaFs client = cluster.client()) {
            client.execute(new NamespaceOperation.Mkdirs(FsPath.of("/a/b"), 0755, true));
            client.execute(new NamespaceOperation.Rename(FsPath.of("/a"), FsPath.of("/c"), RenameMode.STRICT));
            assertThat(namesBySql()).isEqualTo("b c");

            int port = cluster.port("postgres");
            cluster.kill("postgres");
            try (ServerSocket another = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                cluster.start();
                assertThat(cluster.port("postgres")).isNotEqualTo(another.getLocalPort());
            }
            client.execute(new NamespaceOperation.Mkdirs(FsPath.of("/c/d"), 0755, true));
        }
        try (ClusterUnderTest cluster = ClusterUnderTest.start(directory, JsonNodeFactory.instance.objectNode());
                BlockingLambdaFs client = cluster.client()) {
            assertThat(client.stat(FsPath.of("/c/b")).isDirectory()).isTrue();
            assertThat(client.stat(FsPath.of("/c/d")).isDirectory()).isTrue();
        }
    }

    private String namesBySql() throws Exception {
        JsonNode database =
                new ObjectMapper().readTree(directory.resolve("conf/store.json").toFile());
        String password = Files.readString(Path.of(database.path("passwordFile").asText()))
                .strip();
        try (Connection connection = DriverManager.getConnection(
                        database.path("jdbcUrl").asText(), PostgresServer.ACCOUNT, password);
                Statement statement = connection.createStatement();
                ResultSet names = statement.executeQuery(
                        "SELECT string_agg(name, ' ' ORDER BY name) FROM lambdafs.inodes WHERE name <> ''")) {
            names.next();
            return names.getString(1);
        }
    }
}
