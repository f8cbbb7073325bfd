package io.lambdafs.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lambdafs.cli.Main;
import io.lambdafs.cluster.terminal.CommandRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DeployCommandTest {
    @TempDir
    private Path folder;

    private Path key;

    @BeforeEach
    void configure() throws IOException {
        Files.writeString(folder.resolve("function.json"), """
                {"fileSystem":"Music","deployments":2,"superuser":"admin","store":"store.example.com:7000","coordinator":"store","insecure":true}""");
        key = Files.writeString(folder.resolve("key"), "user:password\n");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
    }

    private CommandRun deploy(Object... more) {
        List<Object> words = new ArrayList<>(List.of("deploy", "--dir", folder));
        words.addAll(List.of(more));
        return CommandRun.of(Main::run, words.toArray());
    }

    @Test
    void shouldPrintManifestsThatKubectlTakes() {
        CommandRun run = deploy(
                "--platform",
                "knative",
                "--option",
                "offline=true",
                "--dry-run",
                "--image",
                "lambdafs:1",
                "--http-share",
                "0.5");

        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(run.out().split("(?m)^---$")).hasSize(5);
        assertThat(run.out())
                .containsPattern("name: \"?music-nn1\"?")
                .containsPattern("autoscaling.knative.dev/target: [\"']?2.00[\"']?");
        assertThat(run.err()).contains("created   Service music-nn0", "would change 4 of 4 parts on knative");
        assertThat(folder.resolve("deployment.json")).doesNotExist();
    }

    @Test
    void shouldPrintTheGatewaysManifestsWithoutAClusterAndTheSameOnesAgain() {
        Object[] words = {"--platform", "kubernetes", "--option", "offline=true", "--dry-run", "--image", "lambdafs:1"};
        CommandRun run = deploy(words);

        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(run.out().split("(?m)^---$")).hasSize(8);
        assertThat(run.out()).contains("@/app/roles/gateway");
        assertThat(run.err()).contains("would change 7 of 7 parts on kubernetes");
        assertThat(deploy(words).out()).isEqualTo(run.out());
        assertThat(folder.resolve("deployment.json")).doesNotExist();
        assertThat(deploy("--platform", "kubernetes", "--option", "offline=true", "--image", "lambdafs:1")
                        .err())
                .contains("LFS-D11", "--dry-run");
    }

    @Test
    void shouldCheckNamesBeforeAnybodyIsAsked() {
        CommandRun image = deploy(
                "--platform", "openwhisk", "--apihost", "http://127.0.0.1:1", "--check", "--image", "https://r.io/i");
        assertThat(image.exit()).isEqualTo(1);
        assertThat(image.err()).contains("LFS-D05", "leave out https://").doesNotContain("LFS-D01");
        CommandRun variable = deploy("--platform", "knative", "--check", "--image", "i:1", "--env", "LAMBDAFS_CONF=/f");
        assertThat(variable.exit()).isEqualTo(2);
        assertThat(variable.err()).contains("LFS-D11", "λFS sets the variable LAMBDAFS_CONF itself");
    }

    @Test
    void shouldTellWhereThePlatformDoesNotAnswer() throws IOException {
        CommandRun run = deploy(
                "--platform",
                "openwhisk",
                "--apihost",
                "http://127.0.0.1:1",
                "--auth-file",
                key,
                "--image",
                "i",
                "--json");

        assertThat(run.exit()).isEqualTo(3);
        JsonNode report = new ObjectMapper().readTree(run.out());
        assertThat(report.path("problems").path(0).path("code").asText()).isEqualTo("LFS-D01");
        assertThat(report.path("changes")).isEmpty();
        assertThat(folder.resolve("client.json")).doesNotExist();
    }

    @Test
    void shouldRefuseWhatMakesNoSense() throws IOException {
        assertThat(deploy().exit()).isEqualTo(2);
        assertThat(deploy("--platform", "openwisk").err()).contains("LFS-D11", "did you mean openwhisk?");
        assertThat(deploy("--platform", "openwhisk").err()).contains("--apihost URL");
        assertThat(deploy("--platform", "knative", "--deployments", "2000").exit())
                .isEqualTo(2);
        assertThat(deploy("--remove").err()).contains("nothing is deployed by");
        assertThat(deploy("--platform", "knative", "--function", folder.resolve("none"))
                        .err())
                .contains("there is no file");
        Files.writeString(folder.resolve("cluster.json"), "{}");
        assertThat(deploy("--platform", "knative", "--image", "i").err()).contains("directory of another cluster");
    }

    @Test
    void shouldReportAFailureAsJsonToo() throws IOException {
        CommandRun run = deploy("--platform", "openwisk", "--json");

        assertThat(run.exit()).isEqualTo(2);
        JsonNode problem =
                new ObjectMapper().readTree(run.out()).path("problems").path(0);
        assertThat(problem.path("code").asText()).isEqualTo("LFS-D11");
        assertThat(problem.path("what").asText()).contains("did you mean openwhisk?");
        assertThat(problem.path("fault").asBoolean()).isTrue();
    }

    @Test
    void shouldHaveDoctorLookADeploymentOver() throws IOException {
        Files.writeString(folder.resolve("deployment.json"), """
                {"schema":1,"platform":"openwhisk","target":{"apiHost":"http://127.0.0.1:1","authFile":"%s","namespace":"","context":"","options":{}},
                 "wanted":{"cluster":"music","deployments":2,"image":"i","memoryMb":256,"concurrency":4,"timeoutSeconds":60,"minInstances":0,
                 "httpShare":0.005,"configuration":{}}}""".formatted(key));

        CommandRun run = CommandRun.of(Main::run, "doctor", "--dir", folder);

        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.out()).contains("fault   unreachable", "LFS-D01", "check --apihost");
    }
}
