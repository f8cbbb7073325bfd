package io.lambdafs.cluster.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageRolesTest {
    private static Map<String, List<String>> roles(String version) {
        return ImageRoles.roles(
                Runtime.Version.parse(version), "/app/libs/all.jar", "/app/libs/function.jar", "/app/libs/lambda.jar");
    }

    @Test
    void shouldEndEachRoleWithItsMainClass() throws Exception {
        Map<String, List<String>> roles = roles("17");

        assertThat(roles.keySet())
                .containsExactly(
                        "instance",
                        "lambda",
                        "store",
                        "store-postgres",
                        "store-ndb",
                        "datanode",
                        "gateway",
                        "door-hdfs",
                        "door-webhdfs",
                        "door-s3",
                        "lambdafs");
        for (String role : List.of("instance", "store", "store-postgres", "datanode")) {
            List<String> lines = roles.get(role);
            assertThat(Class.forName(lines.get(lines.size() - 1)).getMethod("main", String[].class))
                    .isNotNull();
        }
    }

    @Test
    void shouldBoundTheHeapByTheContainersMemory() {
        assertThat(roles("17").values())
                .allSatisfy(lines -> assertThat(lines)
                        .anyMatch(line -> line.startsWith("-XX:MaxRAMPercentage="))
                        .noneMatch(line -> line.startsWith("-Xmx")));
    }

    @Test
    void shouldGiveAnInstanceOnlyWhatAFunctionNeeds() {
        assertThat(roles("17").get("instance")).contains("/app/libs/function.jar");
        assertThat(roles("17").get("store")).contains("/app/libs/all.jar");
    }

    @Test
    void shouldStartLambdasRuntimeClientWithTheHandler() throws Exception {
        List<String> lines = roles("25").get("lambda");

        assertThat(lines).contains("/app/libs/lambda.jar");
        Class<?> client = Class.forName(lines.get(lines.size() - 2));
        assertThat(client.getMethod("main", String[].class)).isNotNull();
        Class<?> handler = Class.forName(lines.get(lines.size() - 1));
        assertThat(handler.getConstructor()).isNotNull();
    }

    @Test
    void shouldFindNdbsClientWhereItsContainerPutsIt() {
        assertThat(roles("17").get("store-ndb"))
                .contains("-Djava.library.path=/ndb", "/app/libs/all.jar:/ndb/clusterj.jar");
        assertThat(roles("17").get("store")).noneMatch(line -> line.contains("ndb"));
    }

    @Test
    void shouldKnowTheImagesJava() {
        assertThat(roles("17").get("store")).noneMatch(line -> line.contains("unsafe"));
        assertThat(roles("25").get("store")).anyMatch(line -> line.contains("unsafe"));
    }

    @Test
    void shouldNameJarsByTheirPlaceInTheImage(@TempDir Path folder) throws Exception {
        ImageRoles.main(new String[] {folder.resolve("roles").toString(), "17"});

        for (String role : List.of("instance", "store", "datanode", "lambdafs")) {
            List<String> lines = Files.readAllLines(folder.resolve("roles").resolve(role));
            String classPath = lines.get(lines.indexOf("-cp") + 1);
            assertThat(classPath.split(":", -1))
                    .as(role)
                    .allMatch(jar -> jar.matches("/app/(libs|classpath)/[^/]+"))
                    .anyMatch(jar -> jar.startsWith("/app/libs/logback-classic-"));
        }
    }
}
