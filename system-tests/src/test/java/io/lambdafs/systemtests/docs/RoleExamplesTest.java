package io.lambdafs.systemtests.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.lambdafs.datanode.DatanodeConfig;
import io.lambdafs.functions.FunctionConfigReader;
import io.lambdafs.platform.ApiKey;
import io.lambdafs.platform.local.GatewayConfig;
import io.lambdafs.store.embedded.server.StoreConfig;
import io.lambdafs.store.sql.server.SqlStoreConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of each role's file in {@code docs/DEPLOY.md} is accepted by the class that reads it in that role. */
class RoleExamplesTest {
    private static final Pattern EXAMPLE =
            Pattern.compile("(?m)^    # (\\S+\\.json)(?: with (.*))?\\n((?:    [^#\\n].*\\n)+)");
    private static final Pattern VARIABLE = Pattern.compile("([A-Z_]+)=(\\S+)");

    @TempDir
    private Path directory;

    private final Map<String, Path> files = new LinkedHashMap<>();
    private final Map<String, String> variables = new HashMap<>();

    @BeforeEach
    void extract() throws IOException {
        for (String key : new String[] {"apikey", "managementkey"}) {
            ApiKey.random(new SecureRandom()).writeTo(directory.resolve(key));
        }
        Matcher example = EXAMPLE.matcher(Checkout.read("docs/DEPLOY.md"));
        while (example.find()) {
            String name = example.group(1);
            String text = example.group(3).replace("/etc/lambdafs-secret", directory.toString());
            files.put(name, Files.writeString(directory.resolve(name), text));
            String given = example.group(2);
            VARIABLE.matcher(given == null ? "" : given)
                    .results()
                    .forEach(each -> variables.put(each.group(1), each.group(2)));
        }
    }

    private Path file(String name) {
        return Objects.requireNonNull(files.get(name), name);
    }

    /** {@code KubernetesConfigTest} reads {@code kubernetes.json}. */
    @Test
    void shouldHaveAnExampleOfEveryRole() {
        assertThat(files)
                .containsOnlyKeys(
                        "store.json",
                        "store-postgres.json",
                        "store-ndb.json",
                        "datanode.json",
                        "kubernetes.json",
                        "gateway.json",
                        "function.json");
    }

    @Test
    void shouldReadTheExamplesAsTheRolesDo() throws Exception {
        StoreConfig store = StoreConfig.load(file("store.json"));
        SqlStoreConfig postgres = SqlStoreConfig.load(file("store-postgres.json"));
        assertThat(store.service().listen().getAddress().isAnyLocalAddress()).isTrue();
        assertThat(postgres.service().listen()).isEqualTo(store.service().listen());

        DatanodeConfig datanode = DatanodeConfig.load(file("datanode.json"), variables);
        assertThat(datanode.id()).isEqualTo("datanode-1");
        assertThat(datanode.advertisedHost()).isEqualTo("datanode-1.example.com");
        assertThat(datanode.listen().getAddress().isAnyLocalAddress()).isTrue();
        assertThat(datanode.metadata().get(0).getPort())
                .isEqualTo(store.service().listen().getPort());

        assertThat(FunctionConfigReader.read(file("function.json"), null)
                        .endpoints()
                        .store())
                .isEqualTo("store:7000");
        assertThat(GatewayConfig.load(file("gateway.json"), Map.of()).listen().getPort())
                .isEqualTo(8080);
    }

    /** The class that reads it is only compiled with NDB's client. */
    @Test
    void shouldUseKeysThatAStoreOnNdbHas() throws Exception {
        String sources = Checkout.read("store-ndb/src/main/java/io/lambdafs/store/ndb/server/NdbStoreConfig.java")
                + Checkout.read("store-server/src/main/java/io/lambdafs/store/server/process/ServiceConfig.java");

        assertThat(new ObjectMapper().readTree(file("store-ndb.json").toFile()).properties())
                .isNotEmpty()
                .allSatisfy(each -> assertThat(sources).containsPattern("@Nullable \\w+ " + each.getKey() + "[,)]"));
    }

    @Test
    void shouldSayWhatToSetForADatanodeWithoutAName() {
        assertThatThrownBy(() -> DatanodeConfig.load(file("datanode.json"), Map.of()))
                .hasMessageContaining("datanode.json: id is missing: give it in the file or as LAMBDAFS_DATANODE_ID");
    }
}
