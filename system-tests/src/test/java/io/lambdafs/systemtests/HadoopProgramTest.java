package io.lambdafs.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FsShell;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A Hadoop program and Hadoop's own shell in JVMs of their own, with Hadoop's jars and the one shaded jar on the class path, and two
 * properties. What they leave survives a restart.
 */
class HadoopProgramTest {
    /** Dependencies of {@code hadoop-common} but its JSON library, which our client must not need. */
    private static final Pattern OF_HADOOP = Pattern.compile(
            "(hadoop|commons|woodstox-core|stax2-api|re2j|avro|kerb|kerby|jsr305|metrics-core|snappy-java|slf4j-api)-.*\\.jar");

    @TempDir
    private Path folder;

    private String classPath;
    private Path clusterDirectory;

    /** Made by {@code package}: a build that only tests has none, and may have an old one. */
    private static Optional<Path> shadedJar() throws IOException {
        Path target =
                Path.of("..", "client-lib", "hadoop", "target").toAbsolutePath().normalize();
        if (!Files.isDirectory(target)) {
            return Optional.empty();
        }
        try (Stream<Path> files = Files.list(target)) {
            return files.filter(file -> file.getFileName().toString().endsWith("-shaded.jar"))
                    .findFirst();
        }
    }

    private String classPath(Path shaded) throws IOException {
        List<String> parts = new ArrayList<>(List.of(shaded.toString()));
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(part -> OF_HADOOP.matcher(new File(part).getName()).matches())
                .forEach(parts::add);
        // The program alone, without the other tests beside it.
        Path program =
                folder.resolve("program").resolve(HadoopProgram.class.getName().replace('.', '/') + ".class");
        Files.createDirectories(program.getParent());
        try (var in = HadoopProgram.class.getResourceAsStream("HadoopProgram.class")) {
            Files.write(program, in.readAllBytes());
        }
        parts.add(folder.resolve("program").toString());
        return String.join(File.pathSeparator, parts);
    }

    @Test
    void shouldServeAProgramAndTheShellAndKeepTheirFiles() throws Exception {
        Optional<Path> shaded = shadedJar();
        assumeTrue(shaded.isPresent(), "there is no shaded jar: it is made by mvn package");
        classPath = classPath(shaded.get());
        clusterDirectory = folder.resolve("cluster");
        Files.createDirectories(folder.resolve("tree/sub"));
        Files.writeString(folder.resolve("tree/sub/one"), "first\n");
        Files.writeString(folder.resolve("tree/two"), "second\n");
        try (ClusterUnderTest cluster = ClusterUnderTest.start(clusterDirectory)) {
            program(shaded.get());
            shell();
            cluster.stop();
            cluster.start();
            assertThat(shell("-cat", "/moved/sub/one", "/home/me/hello")).isEqualTo("0:first\n\0\5hello");
        }
    }

    private void program(Path shaded) throws Exception {
        List<String> command = new ArrayList<>(CommandRun.java(classPath, HadoopProgram.class.getName()));
        command.add(clusterDirectory.toString());
        command.add("io.lambdafs.client.LambdaFs");
        command.add("io.lambdafs.shaded.io.netty.channel.Channel");
        command.add("io.lambdafs.shaded.com.fasterxml.jackson.core.JsonParser");
        command.add("io.netty.channel.Channel");
        command.add("io.netty.buffer.ByteBuf");
        command.add("com.fasterxml.jackson.core.JsonParser");
        command.add("com.fasterxml.jackson.databind.ObjectMapper");
        command.add("io.lambdafs.cli.Main");
        CommandRun run = CommandRun.of(command);
        assertThat(run.exit()).as(run.err()).isZero();
        assertThat(run.err()).as("what the program did not print").doesNotContain("INFO");
        assertThat(run.out().lines())
                .containsExactly(
                        "LambdaFileSystem of " + shaded.getFileName(),
                        "read hello",
                        "renamed true",
                        "read kept",
                        "listed lambdafs://local/home/me/hello 7",
                        "listed lambdafs://local/home/me/you 0",
                        "io.lambdafs.client.LambdaFs is visible",
                        "io.lambdafs.shaded.io.netty.channel.Channel is visible",
                        "io.lambdafs.shaded.com.fasterxml.jackson.core.JsonParser is visible",
                        "io.netty.channel.Channel is not there",
                        "io.netty.buffer.ByteBuf is not there",
                        "com.fasterxml.jackson.core.JsonParser is not there",
                        "com.fasterxml.jackson.databind.ObjectMapper is not there",
                        "io.lambdafs.cli.Main is not there");
    }

    private void shell() throws Exception {
        assertThat(shell("-put", folder.resolve("tree").toString(), "/tree")).isEqualTo("0:");
        assertThat(shell("-ls", "-R", "-C", "/tree")).isEqualTo("0:/tree/sub\n/tree/sub/one\n/tree/two\n");
        assertThat(shell("-mv", "/tree", "/moved")).isEqualTo("0:");
        assertThat(shell("-cat", "/tree/two"))
                .startsWith("1:")
                .endsWith("cat: `/tree/two': No such file or directory\n");
        assertThat(shell("-rm", "-r", "-skipTrash", "/moved/two")).startsWith("0:");
        assertThat(shell("-ls", "-R", "-C", "/moved")).isEqualTo("0:/moved/sub\n/moved/sub/one\n");
    }

    /** The directory of Hadoop's configuration, with our two properties. */
    private Path site() throws IOException {
        Path site = Files.createDirectories(folder.resolve("conf"));
        Files.writeString(
                site.resolve("core-site.xml"),
                "<configuration>"
                        + "<property><name>fs.defaultFS</name><value>lambdafs://local/</value></property>"
                        + "<property><name>lambdafs.dir</name><value>" + clusterDirectory + "</value></property>"
                        + "</configuration>");
        return site;
    }

    /** Exit code and what the shell printed. */
    private String shell(String... arguments) throws Exception {
        List<String> command =
                new ArrayList<>(CommandRun.java(classPath + File.pathSeparator + site(), FsShell.class.getName()));
        command.addAll(List.of(arguments));
        CommandRun run = CommandRun.of(command);
        return run.exit() + ":" + (run.exit() == 0 ? run.out() : run.err());
    }
}
