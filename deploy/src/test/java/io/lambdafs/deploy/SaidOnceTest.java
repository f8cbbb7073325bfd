package io.lambdafs.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lambdafs.platform.ApiKey;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every failure names its reason and its remedy once, and no Java class, both in a check and in a deployment. */
class SaidOnceTest {
    @TempDir
    private Path directory;

    private PlanFixture plans;
    private Path key;

    @BeforeEach
    void make() throws IOException {
        plans = new PlanFixture(directory);
        key = directory.resolve("key");
        ApiKey.random(new SecureRandom()).writeTo(key);
        Files.writeString(directory.resolve("kubeconfig"), """
                {"apiVersion":"v1","kind":"Config","current-context":"x",
                 "clusters":[{"name":"c","cluster":{"server":"http://127.0.0.1:1"}}],"users":[{"name":"u","user":{"token":"t"}}],
                 "contexts":[{"name":"x","context":{"cluster":"c","user":"u","namespace":"fs"}}]}""");
    }

    private Target target(String kubeconfig, String context) {
        return new Target(
                URI.create("http://127.0.0.1:1"), key, "", directory.resolve(kubeconfig), context, Map.of("wait", "0"));
    }

    @Test
    void shouldSayHowADryRunGoesWithoutThePlatform() {
        Plan plan = new Plan("kubernetes", target("kubeconfig", ""), plans.wanted(1));
        Path clients = directory.resolve("clients");

        assertThat(Deployment.deploy(plan, clients, Deployment.Mode.DRY_RUN).problems())
                .extracting(Problem::line)
                .anyMatch(line -> line.startsWith("note: ") && line.endsWith("add --option offline=true"));
        assertThat(Deployment.deploy(plan, clients, Deployment.Mode.APPLY).problems())
                .noneMatch(each -> each.line().contains("offline"));
    }

    private static Target withKey(Path file) {
        return new Target(URI.create("http://127.0.0.1:1"), file, "", null, "", Map.of());
    }

    private static void assertSaidOnce(String line) {
        assertThat(line).startsWith("LFS-D").doesNotContain("Exception").doesNotContain("null");
        assertThat(List.of(line.split("[:;,] "))).doesNotHaveDuplicates();
        List<String> options = Pattern.compile("--[a-z]+")
                .matcher(line)
                .results()
                .map(found -> found.group())
                .toList();
        assertThat(options).as(line).isNotEmpty().doesNotHaveDuplicates();
    }

    @ParameterizedTest
    @ValueSource(strings = {"openwhisk", "nuclio", "knative", "kubernetes"})
    void shouldSayOnceThatThePlatformDoesNotAnswer(String name) {
        Target target = name.equals("openwhisk") ? withKey(key) : target("kubeconfig", "");
        try (Platform platform = Platforms.open(name, target)) {
            assertThat(platform.check(plans.wanted(1)))
                    .filteredOn(Problem::isFault)
                    .allSatisfy(each -> {
                        assertThat(each.code()).isEqualTo(Problem.Code.UNREACHABLE);
                        assertSaidOnce(each.line());
                    });
            DeployFailure failure =
                    catchThrowableOfType(DeployFailure.class, () -> platform.apply(plans.wanted(1), false));
            assertThat(failure.code()).isEqualTo(Problem.Code.UNREACHABLE);
            assertSaidOnce(failure.line());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"openwhisk", "nuclio"})
    void shouldSayOnceThatAKeyCannotBeRead(String name) throws IOException {
        DeployFailure missing = catchThrowableOfType(
                DeployFailure.class, () -> Platforms.open(name, withKey(directory.resolve("none"))));
        assertThat(missing).hasMessageContaining("there is no file " + directory.resolve("none"));
        assertSaidOnce(missing.line());

        Files.writeString(key, "no key");
        DeployFailure wrong = catchThrowableOfType(DeployFailure.class, () -> Platforms.open(name, withKey(key)));
        assertThat(wrong).hasMessageContaining(key.toString()).hasMessageContaining("user:password");
        assertSaidOnce(wrong.line());
    }

    @Test
    void shouldSayOnceThatTheSecretCannotBeRead() throws IOException {
        FunctionsSpec wanted = plans.wanted(1);
        Files.delete(directory.resolve("secret"));

        DeployFailure failure = catchThrowableOfType(DeployFailure.class, wanted::secret);
        assertThat(failure).hasMessageContaining("there is no file " + directory.resolve("secret"));
        assertSaidOnce(failure.line());
    }

    @Test
    void shouldRefuseADirectoryThatCannotBeWrittenBeforeAnythingIsDeployed() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        Plan plan = new Plan("knative", target("kubeconfig", ""), plans.wanted(1));

        for (Path clients : List.of(file, file.resolve("below"))) {
            DeployFailure failure = catchThrowableOfType(
                    DeployFailure.class, () -> Deployment.deploy(plan, clients, Deployment.Mode.APPLY));
            assertThat(failure).hasMessageContaining(clients.toString());
            assertSaidOnce(failure.line());
        }
    }

    @Test
    void shouldSayOnceWhatIsWrongWithTheKubeconfig() {
        assertSaidOnce(catchThrowableOfType(DeployFailure.class, () -> Platforms.open("knative", target("none", "")))
                .line());
        assertSaidOnce(catchThrowableOfType(
                        DeployFailure.class, () -> Platforms.open("knative", target("kubeconfig", "other")))
                .line());
    }
}
