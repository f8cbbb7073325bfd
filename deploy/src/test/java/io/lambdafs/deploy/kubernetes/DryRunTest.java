package io.lambdafs.deploy.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.lambdafs.deploy.DeployFailure;
import io.lambdafs.deploy.Deployment;
import io.lambdafs.deploy.Plan;
import io.lambdafs.deploy.PlanFixture;
import io.lambdafs.deploy.Problem;
import io.lambdafs.deploy.Target;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DryRunTest {
    /** The order for {@code kubectl apply}: referenced objects come first. */
    private static final List<String> ORDER = List.of(
            "Secret", "ConfigMap", "ServiceAccount", "Role", "RoleBinding", "v1/Service", "Deployment", "Service");

    @TempDir
    private Path directory;

    private static int rank(HasMetadata object) {
        String kind = object.getApiVersion().equals("v1") && object.getKind().equals("Service")
                ? "v1/Service"
                : object.getKind();
        assertThat(ORDER).contains(kind);
        return ORDER.indexOf(kind);
    }

    @ParameterizedTest
    @ValueSource(strings = {"kubernetes", "knative"})
    void shouldPrintManifestsInTheOrderInWhichTheyAreAppliedWithoutACluster(String platform) {
        List<HasMetadata> all = Stream.of(DryRun.of(platform, directory).split("(?m)^---$"))
                .map(each -> (HasMetadata) new KubernetesSerialization().unmarshal(each))
                .toList();

        assertThat(all).hasSizeGreaterThan(3);
        assertThat(all.stream().map(DryRunTest::rank)).isSorted();
        assertThat(all)
                .allSatisfy(
                        each -> assertThat(each.getMetadata().getNamespace()).isEqualTo("fs"));
        assertThat(Files.exists(directory.resolve("clients"))).isFalse();
    }

    private String inProcess(String platform) throws IOException {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        DryRun.class.getName(),
                        platform,
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @ValueSource(strings = {"kubernetes", "knative", "nuclio"})
    void shouldPrintTheSameBytesInEveryProcess(String platform) throws IOException {
        new PlanFixture(directory);
        String first = inProcess(platform);

        assertThat(first).contains("music-nn");
        assertThat(inProcess(platform)).isEqualTo(first);
        assertThat(inProcess(platform)).isEqualTo(first);
    }

    @ParameterizedTest
    @ValueSource(strings = {"kubernetes", "knative", "nuclio"})
    void shouldNeitherDeployNorRemoveWithoutACluster(String platform) {
        Target nowhere = new Target(null, directory.resolve("apikey"), "", null, "", Map.of("offline", "true"));
        Plan plan = new Plan(platform, nowhere, new PlanFixture(directory).wanted(1));
        Path clients = directory.resolve("clients");

        assertThatThrownBy(() -> Deployment.deploy(plan, clients, Deployment.Mode.APPLY))
                .isInstanceOfSatisfying(
                        DeployFailure.class, e -> assertThat(e.code()).isEqualTo(Problem.Code.CONFIGURATION))
                .hasMessageContaining("offline");
        assertThatThrownBy(() -> Deployment.remove(platform, nowhere, "music", clients, false))
                .isInstanceOf(DeployFailure.class)
                .hasMessageContaining("offline");
    }
}
