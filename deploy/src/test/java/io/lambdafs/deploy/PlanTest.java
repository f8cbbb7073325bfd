package io.lambdafs.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlanTest {
    @TempDir
    private Path directory;

    private static Target target(Map<String, String> options) {
        return new Target(URI.create("http://h:1"), Path.of("/key"), "ns", null, "", options);
    }

    @Test
    void shouldKeepInTheDirectoryWhatIsToBeRemovedOneDay() throws IOException {
        PlanFixture fixture = new PlanFixture(directory);
        Plan plan = new Plan("openwhisk", target(Map.of("kind", "k")), fixture.wanted(3));

        plan.write(directory);
        Plan read = Plan.read(directory).orElseThrow();

        assertThat(read.platform()).isEqualTo("openwhisk");
        assertThat(read.target()).isEqualTo(plan.target());
        assertThat(read.wanted().deployments()).isEqualTo(3);
        assertThat(read.wanted().configuration())
                .isEqualTo(plan.wanted().configuration())
                .contains("\"deployments\":3")
                .doesNotContain("secret");
        assertThat(Files.readString(directory.resolve(Plan.FILE)))
                .doesNotContain(Files.readString(directory.resolve("secret")).strip());
        assertThat(Plan.read(directory.resolve("elsewhere"))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"deployments\":2,\"coordinator\":\"store\",\"store\":\"s:1\"} | secretFile",
                "{\"deployments\":2,\"coordinator\":\"store\",\"store\":\"s\",\"insecure\":true} | store",
                "{\"deployments\":2,\"coordinator\":\"store\",\"store\":\"s:1\",\"insecure\":true,\"speed\":9} | no key \"speed\"",
                "{\"deployments\":2,\"coordinator\":\"store\",\"store\":\"s:1\",\"secretFile\":\"none\"} | there is no file",
                "[] | JSON object"
            })
    void shouldRefuseAConfigurationThatNoInstanceWouldTake(String json, String said) throws IOException {
        Path file = Files.writeString(directory.resolve("f.json"), json);

        assertThatThrownBy(() -> Plan.Instances.read(file, 0, null))
                .isInstanceOfSatisfying(
                        DeployFailure.class, e -> assertThat(e.code()).isEqualTo(Problem.Code.CONFIGURATION))
                .hasMessageContaining(said);
    }

    @Test
    void shouldNameWhatWasMeant() {
        assertThatThrownBy(() -> Platforms.open("openwisk", target(Map.of())))
                .hasMessageContaining("did you mean openwhisk?");
        assertThatThrownBy(() -> Platforms.open("openwhisk", target(Map.of("knd", "x"))))
                .hasMessageContaining("did you mean kind?");
    }

    @Test
    void shouldKnowTheNamesOfItsFunctions() {
        assertThat(FunctionsSpec.isFunction("a", "a-nn0")).isTrue();
        assertThat(FunctionsSpec.isFunction("a", "a-nn12")).isTrue();
        assertThat(FunctionsSpec.isFunction("a", "a-nn01")).isFalse();
        assertThat(FunctionsSpec.isFunction("a", "a-nn")).isFalse();
        assertThat(FunctionsSpec.isFunction("a", "a-b-nn0")).isFalse();
    }

    @Test
    void shouldUndoTheNewestFirstAndSayWhatIsLeft() {
        StringBuilder order = new StringBuilder();
        Undo undo = new Undo();
        undo.add(() -> order.append('a'));
        undo.add(() -> {
            throw new IllegalStateException("gone");
        });
        undo.add(() -> order.append('c'));

        DeployFailure failure = undo.undo(new DeployFailure(Problem.Code.QUOTA, "no room"));

        assertThat(order).hasToString("ca");
        assertThat(failure.code()).isEqualTo(Problem.Code.QUOTA);
        assertThat(failure).hasMessageContaining("no room; 1 of the changes before could not be undone");
        assertThat(undo.undo(failure)).isSameAs(failure);
    }
}
