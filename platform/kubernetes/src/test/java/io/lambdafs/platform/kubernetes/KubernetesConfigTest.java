package io.lambdafs.platform.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KubernetesConfigTest {
    private static final String WHOLE = """
            {"gateway": "/etc/gateway.json", "deployment": "fs-gateway", "podTemplate": "/etc/pod.yaml", "actionKeyFile": "/etc/key",
             "port": 8080, "kind": "java:namenode", "actionPrefix": "namenode", "deployments": 3, "memoryMb": 512, "concurrency": 4,
             "timeoutMillis": 60000}
            """;

    @TempDir
    private Path directory;

    private KubernetesConfig load(String json) throws IOException {
        return KubernetesConfig.load(Files.writeString(directory.resolve("kubernetes.json"), json));
    }

    @Test
    void shouldRegisterAFunctionForEachDeployment() throws IOException {
        assertThat(load(WHOLE).functions().specs())
                .extracting(spec -> spec.name() + " " + spec.limits().memoryMb())
                .containsExactly("namenode0 512", "namenode1 512", "namenode2 512");
    }

    @Test
    void shouldReadTheExampleOfTheDeploymentsPage() throws IOException {
        Path page = Path.of(System.getProperty("basedir", ".")).resolve("../../docs/DEPLOY.md");
        String example = Files.readString(page)
                .replaceFirst("(?s).*\n    # kubernetes\\.json\n", "")
                .replaceFirst("(?s)\n    # .*", "");

        assertThat(load(example).functions().specs())
                .extracting(spec -> spec.name())
                .containsExactly("music-nn0", "music-nn1", "music-nn2", "music-nn3");
    }

    @ParameterizedTest
    @CsvSource({
        "'\"port\": 8080, ', '', port is missing",
        "8080, 0, port must be",
        "'\"deployments\": 3', '\"deployments\": 0', deployments must be",
        "memoryMb, memory, memory",
        "'\"port\": 8080, ', '\"port\": 8080, \"leaseMillis\": 10000, ', leaseMillis must be",
        "'\"port\": 8080, ', '\"port\": 8080, \"leaseRetryMillis\": 4000, ', at least 3 times leaseRetryMillis",
    })
    void shouldSayWhatIsWrong(String what, String with, String expected) {
        assertThatThrownBy(() -> load(WHOLE.replace(what, with)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("kubernetes.json")
                .hasMessageContaining(expected);
    }

    @ParameterizedTest
    @CsvSource({"kind: Service", "'{}'", "'spec: {containers: []}'"})
    void shouldRefuseATemplateThatIsNoPodWithOneContainer(String yaml) {
        assertThatThrownBy(() -> PodTemplate.parse(yaml))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("pod template");
    }
}
