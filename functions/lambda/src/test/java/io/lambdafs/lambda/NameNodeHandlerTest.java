package io.lambdafs.lambda;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.model.FsException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.crac.Core;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class NameNodeHandlerTest {
    @TempDir
    Path folder;

    /** Nobody listens at the store's address: what goes into a snapshot needs nobody. */
    private Map<String, String> variables(String inv) throws IOException {
        Path config = Files.writeString(
                folder.resolve("function.json"),
                "{\"deployments\":2,\"store\":\"127.0.0.1:1\",\"coordinator\":\"store\",\"inv\":\"" + inv
                        + "\",\"insecure\":true}");
        return new HashMap<>(Map.of(
                "LAMBDAFS_CONF", config.toString(),
                "AWS_LAMBDA_FUNCTION_NAME", "mine-nn1",
                "AWS_LAMBDA_INITIALIZATION_TYPE", "snap-start"));
    }

    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().matches("(worker|control|loop|peers).*"))
                .collect(Collectors.toCollection(HashSet::new));
    }

    @Test
    void shouldGoOnFromASnapshotWithConnectionsAndNamesOfItsOwn() throws Exception {
        Set<Thread> before = threads();
        NameNodeHandler handler = new NameNodeHandler(variables("relayed"));
        Set<Thread> made = threads();
        made.removeAll(before);
        assertThat(made).as("threads that connect").isNotEmpty();

        handler.beforeCheckpoint(Core.getGlobalContext());
        for (Thread thread : made) {
            thread.join(10_000);
            assertThat(thread.isAlive())
                    .as(thread.getName() + " in the snapshot")
                    .isFalse();
        }

        handler.afterRestore(Core.getGlobalContext());
        Set<Thread> after = threads();
        after.removeAll(before);
        assertThat(after).as("threads of this process").isNotEmpty();
        assertThat(NameNodeHandler.id()).isNotEqualTo(NameNodeHandler.id());
        handler.beforeCheckpoint(Core.getGlobalContext());
    }

    @Test
    void shouldRefuseAConfigurationUnderWhichInstancesWouldHaveToBeReached() throws IOException {
        Map<String, String> variables = variables("direct");

        assertThatThrownBy(() -> new NameNodeHandler(variables))
                .isInstanceOf(FsException.class)
                .hasMessageContaining("relayed");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"v\":1,\"request\":\"AA==\",\"tcp\":[]} | true | false | false",
                "{\"v\":1,\"connected\":true,\"tcp\":[{\"host\":\"h\"},{\"host\":\"i\"}],\"token\":\"t\"} | false | true | true",
                "{\"tcp\":{\"host\":\"h\"},\"more\":[[1],{}]} | false | false | false",
                "[] | true | false | false",
                "{\"tcp\": | true | false | false"
            })
    void shouldSeeWhatACallAsksFor(String body, boolean request, boolean offers, boolean connected) {
        assertThat(Call.parse(body.getBytes(StandardCharsets.UTF_8))).isEqualTo(new Call(request, offers, connected));
    }

    @Test
    void shouldReadItsSettings() {
        LambdaSettings settings =
                LambdaSettings.of(Map.of("AWS_LAMBDA_FUNCTION_NAME", "a-nn12", "LAMBDAFS_MODE", "held"));

        assertThat(settings.deployment()).isEqualTo(12);
        assertThat(settings.mode()).isEqualTo(LambdaSettings.Mode.HELD);
        assertThat(settings.fromSnapshot()).isFalse();
        assertThatThrownBy(() -> LambdaSettings.of(Map.of("AWS_LAMBDA_FUNCTION_NAME", "a")))
                .hasMessageContaining("LAMBDAFS_DEPLOYMENT");
        assertThatThrownBy(() -> LambdaSettings.of(Map.of("LAMBDAFS_DEPLOYMENT", "1", "LAMBDAFS_MODE", "always")))
                .hasMessageContaining("invocation or held");
        assertThatThrownBy(() -> LambdaSettings.of(Map.of("LAMBDAFS_DEPLOYMENT", "1", "LAMBDAFS_MAX_HELD", "0")))
                .hasMessageContaining("from 1 to 1000");
    }
}
