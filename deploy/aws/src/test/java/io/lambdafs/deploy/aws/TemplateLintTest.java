package io.lambdafs.deploy.aws;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Checks the templates with cfn-lint. */
class TemplateLintTest {
    private static final Path TEMPLATES = Path.of("..", "..", "aws-setup");

    @Test
    void shouldBeTakenByCloudFormation() throws IOException, InterruptedException {
        // Zones are written out.
        List<String> command = new ArrayList<>(List.of(AwsTools.find("cfn-lint"), "--ignore-checks", "W3010", "--"));
        try (Stream<Path> files = Files.list(TEMPLATES)) {
            files.map(Path::toString)
                    .filter(each -> each.endsWith(".template.json"))
                    .forEach(command::add);
        }
        assertThat(command).hasSize(6);

        Process lint = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(lint.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(lint.waitFor()).as(said).isZero();
    }
}
