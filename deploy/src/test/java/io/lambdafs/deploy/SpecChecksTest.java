package io.lambdafs.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Invalid names are reported before any platform is contacted; none of those named here answers. */
class SpecChecksTest {
    private static final String DIGEST = "0123456789abcdef".repeat(4);

    @TempDir
    private Path directory;

    private PlanFixture plans;

    @BeforeEach
    void make() {
        plans = new PlanFixture(directory);
    }

    private Deployment.Report check(String platform, FunctionsSpec wanted) {
        Target target = new Target(
                URI.create("http://127.0.0.1:9"),
                directory.resolve("secret"),
                "",
                directory.resolve("none"),
                "",
                Map.of());
        return Deployment.deploy(
                new Plan(platform, target, wanted), directory.resolve("clients"), Deployment.Mode.CHECK);
    }

    private List<Problem> ofImage(String image) {
        return SpecChecks.of(plans.wanted(1, image, 4));
    }

    private FunctionsSpec with(String name, String value) {
        FunctionsSpec base = plans.wanted(1);
        return new FunctionsSpec(
                base.cluster(),
                1,
                base.image(),
                base.memoryMb(),
                base.concurrency(),
                base.timeout(),
                0,
                base.httpShare(),
                base.configuration(),
                base.secretFile(),
                Map.of(name, value));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lambdafs:1",
                "team/lambdafs:1.0-rc_2",
                "registry.example.com/team/lambdafs:1",
                "registry.example.com:5000/team/lambdafs:1",
                "localhost/lambdafs:1",
                "[::1]:5000/lambdafs:1",
                "123456789012.dkr.ecr.eu-north-1.amazonaws.com/lambdafs:0a1b",
                "a/b__c/d--e:1"
            })
    void shouldTakeImagesThatRegistriesHave(String image) {
        assertThat(ofImage(image)).isEmpty();
        assertThat(ofImage(image.replaceFirst(":[^:/]*$", "") + "@sha256:" + DIGEST))
                .isEmpty();
        assertThat(ofImage(image + "@sha256:" + DIGEST)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"lambdafs", "registry.example.com:5000/team/lambdafs", "lambdafs:latest"})
    void shouldAdviseWhereTheImageMayChangeUnderItsName(String image) {
        assertThat(ofImage(image)).singleElement().satisfies(each -> {
            assertThat(each.isFault()).isFalse();
            assertThat(each.line()).contains("LFS-D05", image, "a tag or a digest");
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "https://registry.example.com/lambdafs:1 | leave out https://",
                "registry.example.com/Team/lambdafs:1 | only lower-case letters",
                "lambdafs: | is not a tag",
                "lambdafs:-1 | is not a tag",
                "lambdafs:a:b | is not a repository",
                "lambdafs@sha256:0123 | is not a digest",
                "lambdafs:1@ | is not a digest",
                "lambda fs:1 | contains a blank",
                "registry.example.com//lambdafs:1 | is not a repository",
                "-registry.example.com/lambdafs:1 | is not a registry",
                "/lambdafs:1 | is not a repository",
                ":1 | is not a repository"
            })
    void shouldSayWhatIsWrongWithAnImage(String image, String said) {
        assertThat(ofImage(image)).singleElement().satisfies(each -> {
            assertThat(each.isFault()).isTrue();
            assertThat(each.line()).contains("LFS-D05", image, said, "--image");
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1A | not a variable",
                "A-B | not a variable",
                "'' | not a variable",
                "LAMBDAFS_SECRET | sets the variable LAMBDAFS_SECRET itself",
                "LAMBDAFS_ADVERTISED_HOST | itself",
                "LAMBDAFS_LOG_MARKER | the known ones are LAMBDAFS_IDLE_MILLIS, ",
                "PORT | platforms set",
                "__OW_API_HOST | platforms set"
            })
    void shouldSayWhichVariablesCannotBeSet(String name, String said) {
        assertThat(SpecChecks.of(with(name, "1"))).singleElement().satisfies(each -> {
            assertThat(each.isFault()).isTrue();
            assertThat(each.line()).contains("LFS-D11", name, said);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"JDK_JAVA_OPTIONS", "_x", "LAMBDAFS_LOG_MARKERS", "AWS_ACCESS_KEY_ID"})
    void shouldTakeVariablesThatAreOfUse(String name) {
        assertThat(SpecChecks.of(with(name, "any = value, with \"all\""))).isEmpty();
        assertThat(SpecChecks.of(with(name, "zero\0"))).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"openwhisk", "knative", "nuclio", "kubernetes"})
    void shouldLookBeforeAnyPlatformIsAsked(String platform) {
        assertThat(check(platform, plans.wanted(1, "https://registry.example.com/lambdafs", 4))
                        .problems())
                .extracting(Problem::code)
                .containsExactly(Problem.Code.IMAGE);
        assertThat(check(platform, with("LAMBDAFS_CONF", "/f")).problems())
                .extracting(Problem::code)
                .containsExactly(Problem.Code.CONFIGURATION);
    }

    @Test
    void shouldKnowEveryVariableThatAnInstanceReads() throws IOException {
        Pattern literal = Pattern.compile("\"(LAMBDAFS_[A-Z_]+)\"");
        Path functions = Path.of(System.getProperty("basedir", ".")).resolve("../functions");
        Set<String> read = new HashSet<>();
        for (String folder : List.of("src/main/java", "lambda/src/main/java")) {
            try (Stream<Path> files = Files.walk(functions.resolve(folder))) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    read.addAll(literal.matcher(Files.readString(file))
                            .results()
                            .map(found -> found.group(1))
                            .collect(Collectors.toSet()));
                }
            }
        }

        assertThat(SpecChecks.known()).containsExactlyInAnyOrderElementsOf(read);
    }
}
