package io.lambdafs.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The part of the launcher that makes images, with a stand-in for jlink that makes a few files. */
class ImageScriptTest {
    private static final Path ROOT = Path.of(System.getProperty("basedir", "."))
            .toAbsolutePath()
            .resolve("..")
            .normalize();

    /** Functions of the launcher that this part calls. */
    private static final String LAUNCHER = """
            set -euo pipefail
            fail() { echo "$1" >&2; exit 1; }
            jdk_major() { echo 17; }
            . "$ROOT/cli/src/main/launcher/image.sh"
            """;

    @TempDir
    private Path folder;

    @BeforeEach
    void install() throws IOException {
        assumeTrue(
                System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("linux"),
                "images are made on Linux alone");
        Path bin = Files.createDirectories(folder.resolve("jdk/bin"));
        program(bin.resolve("java"), "[ \"$1\" != --list-modules ] || echo java.se@17");
        program(bin.resolve("jlink"), """
                while [ $# -gt 0 ]; do if [ "$1" = --output ]; then out=$2; fi; shift; done
                mkdir -p "$out/bin" "$out/lib/server" "$out/legal"
                printf '#!/bin/sh\\n' >"$out/bin/java" && chmod u+x "$out/bin/java"
                echo modules >"$out/lib/modules"
                echo license >"$out/legal/LICENSE" && chmod a-w "$out/legal/LICENSE"
                """);
    }

    private static void program(Path file, String text) throws IOException {
        Files.writeString(file, "#!/usr/bin/env bash\n" + text + "\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
    }

    private String bash(String script) throws Exception {
        ProcessBuilder builder = new ProcessBuilder("bash", "-c", LAUNCHER + script).redirectErrorStream(true);
        builder.directory(folder.toFile());
        builder.environment().put("ROOT", ROOT.toString());
        builder.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output.strip();
    }

    /** Makes the archive of a base under an umask. */
    private Path base(String umask) throws Exception {
        bash("umask " + umask + "; make_base \"$PWD/base-" + umask + ".tar\" \"$(own_architecture)\" \"\" \"\"");
        return folder.resolve("base-" + umask + ".tar");
    }

    @Test
    void shouldMakeTheSameImageUnderEveryUmaskWhichItsUserCanRead() throws Exception {
        byte[] usual = Files.readAllBytes(base("022"));
        assertThat(Files.readAllBytes(base("077"))).isEqualTo(usual);
        assertThat(Files.readAllBytes(base("002"))).isEqualTo(usual);

        List<String> files = bash("tar -xOf base-077.tar layer.tar | tar -tvf - | awk '{ print $1, $2, $NF }'")
                .lines()
                .toList();
        assertThat(files)
                .contains(
                        "drwxrwxrwt 0/0 ./tmp/",
                        "-rwxr-xr-x 0/0 ./opt/java/bin/java",
                        "-rw-r--r-- 0/0 ./opt/java/legal/LICENSE",
                        "-rw-r--r-- 0/0 ./etc/passwd")
                .allMatch(each -> each.matches("(d..x..x..[xt]|[-l]).*") && each.matches("[dl-]r..r..r.*"));
    }

    @Test
    void shouldLabelTheImageOfARoleAsThatOfAllRolesIs() throws Exception {
        String config = bash("echo layer >layer.tar; image_config amd64 '\"java\",\"@/app/roles/instance\"' layer.tar");
        JsonNode labels = new ObjectMapper().readTree(config).at("/config/Labels");
        String pom = Files.readString(ROOT.resolve("cli/pom.xml"));
        String version = bash("project_version");

        assertThat(version).matches("[0-9]+\\.[0-9]+.*");
        assertThat(labels.properties()).hasSize(4).allSatisfy(each -> {
            String value = each.getValue().asText();
            assertThat(value).isNotEmpty();
            assertThat(pom.replace("${project.version}", version))
                    .contains("<" + each.getKey() + ">" + value + "</" + each.getKey() + ">");
        });
        assertThat(config).contains("\"created\":\"1970-01-01T00:00:00Z\"");
    }
}
