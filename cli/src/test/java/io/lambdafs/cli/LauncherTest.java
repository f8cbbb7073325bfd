package io.lambdafs.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lambdafs.cluster.terminal.Console;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.ToolProvider;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** The script {@code lambdafs} itself, run by bash in an installation that is built, whatever the caller's environment. */
@Tag("slow")
class LauncherTest {
    private static final Path SCRIPT =
            Path.of(System.getProperty("basedir", ".")).resolve("../lambdafs");

    @TempDir
    private Path folder;

    private Path launcher;
    private Path dist;

    private record Run(int exit, String output) {}

    @BeforeEach
    void install() throws IOException {
        Path home = Files.createDirectories(folder.resolve("an installation"));
        launcher = Files.copy(SCRIPT, home.resolve("lambdafs"), StandardCopyOption.COPY_ATTRIBUTES);
        Files.writeString(home.resolve("pom.xml"), "<project/>");
        Files.createDirectories(home.resolve(".mvn"));
        dist = home.resolve("cli/target/dist");
        Files.createDirectories(dist.resolve("lib"));
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.CLASS_PATH, classPath());
        try (OutputStream out = Files.newOutputStream(dist.resolve("lib/lambdafs-cli-test.jar"))) {
            new JarOutputStream(out, manifest).close();
        }
        // With NDB's engine, whether or not the environment has its jar.
        Files.writeString(dist.resolve("built"), "clusterj.jar");
        // As if the archive had been tried and could not be made: these runs have no use for it.
        Files.createFile(dist.resolve("classes-" + Runtime.version().feature() + ".jsa"));
    }

    /** A command that anybody can read: the class path of the tests may lie in a home directory. */
    private void installStub() throws IOException {
        Path main = Files.createDirectories(folder.resolve("source/io/lambdafs/cli"))
                .resolve("Main.java");
        Files.writeString(
                main,
                "package io.lambdafs.cli; public class Main { public static void main(String[] all) {"
                        + " System.out.print(all.length + \" arguments\"); } }");
        Path classes = dist.resolve("lib/lambdafs-cli-test.jar");
        Files.delete(classes);
        int compiled = ToolProvider.getSystemJavaCompiler()
                .run(null, null, null, "-d", Files.createDirectory(classes).toString(), main.toString());
        assertThat(compiled).isZero();
    }

    private static String classPath() {
        List<String> urls = new ArrayList<>();
        for (String each : System.getProperty("java.class.path").split(java.io.File.pathSeparator)) {
            urls.add(Path.of(each).toUri().toString());
        }
        return String.join(" ", urls);
    }

    private Run run(Map<String, String> environment, List<String> prefix, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(prefix);
        command.add(launcher.toString());
        command.addAll(Arrays.asList(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        environment.forEach((name, value) -> {
            if (value.isEmpty()) {
                builder.environment().remove(name);
            } else {
                builder.environment().put(name, value);
            }
        });
        Process process = builder.start();
        process.getOutputStream().close();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        process.waitFor();
        return new Run(process.exitValue(), output);
    }

    @Test
    void shouldBuildAnewWhereNdbsJarIsNamedThatWasNot() throws Exception {
        Map<String, String> named = Map.of("CLUSTERJ_JAR", "/nowhere/clusterj.jar");
        assertThat(run(named, List.of(), "--version").exit()).isZero();
        Files.writeString(dist.resolve("built"), "");
        Run run = run(named, List.of(), "--version");
        assertThat(run.exit()).isEqualTo(1);
        assertThat(run.output()).contains("CLUSTERJ_JAR names no file: /nowhere/clusterj.jar");
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
        CDPATH,    /:/tmp
        HOME,      ''
        SHELLOPTS, noclobber
        SHELLOPTS, noglob
        BASHOPTS,  nullglob
        BASHOPTS,  failglob
        """)
    void shouldNotDependOnTheCallersShell(String variable, String value) throws Exception {
        Run run = run(Map.of(variable, value), List.of("bash"), "--version");
        assertThat(run.output()).startsWith("lambdafs ");
        assertThat(run.exit()).isZero();
    }

    @Test
    void shouldRunWhereTheInstallationCannotBeWritten() throws Exception {
        Path setpriv = Path.of("/usr/bin/setpriv");
        boolean root = "root".equals(System.getProperty("user.name"));
        assumeTrue(!root || Files.isExecutable(setpriv), "needs setpriv to give up root's rights");
        Files.delete(dist.resolve("classes-" + Runtime.version().feature() + ".jsa"));
        installStub();
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.setPosixFilePermissions(dist, PosixFilePermissions.fromString("r-xr-xr-x"));
        List<String> prefix = root
                ? List.of(setpriv.toString(), "--reuid=65534", "--regid=65534", "--clear-groups", "bash")
                : List.of("bash");
        try {
            Run run = run(Map.of(), prefix, "completion", "bash");
            assertThat(run.output()).isEqualTo("2 arguments");
            assertThat(run.exit()).isZero();
        } finally {
            Files.setPosixFilePermissions(dist, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    @Test
    void shouldLetALongTestTakeAsLongAsItWasAskedTo() throws Exception {
        Path asked = folder.resolve("asked");
        Path maven = Files.createDirectory(folder.resolve("bin")).resolve("mvn");
        Files.writeString(
                maven,
                "#!/bin/sh\ncase $* in *-version*) echo Apache Maven 3.9.9 ;; *) echo \"$*\" >\"" + asked
                        + "\" ;; esac\n");
        assertThat(maven.toFile().setExecutable(true)).isTrue();
        String path = maven.getParent() + java.io.File.pathSeparator + System.getenv("PATH");
        Run run = run(Map.of("PATH", path), List.of(), "test", "--attacks", "--minutes", "90");
        assertThat(run.exit()).as(run.output()).isZero();
        assertThat(Files.readString(asked)).contains("-Dlambdafs.attacks.minutes=90", "-Dsurefire.timeout=0");
        assertThat(run(Map.of("PATH", path), List.of(), "test", "--model").output())
                .contains("no test ran");
        assertThat(Files.readString(asked)).contains("-Dlambdafs.model=large", "-Dsurefire.timeout=0");
    }

    @Test
    void shouldNameItselfAsItWasCalled() throws Exception {
        Path none = folder.resolve("o'clock");
        Run run = run(Map.of(), List.of("bash"), "cluster", "status", "--dir", none.toString());
        assertThat(run.output()).contains("'" + launcher + "' cluster start --dir '" + folder + "/o'\\''clock'");
        assertThat(run.exit()).isEqualTo(3);
    }

    @Test
    void shouldPrintTheClientsJarAndTheConfigurationOfAHadoopProgram() throws Exception {
        Path jar = launcher.resolveSibling("client-lib/hadoop/target/launcher/lambdafs-hadoop-1-shaded.jar");
        Files.createDirectories(jar.getParent());
        Files.createFile(jar);
        Path cluster = folder.resolve("a & b");

        Run run = run(Map.of(), List.of("bash"), "hadoop", "--dir", cluster.toString());

        assertThat(run.exit()).isZero();
        String[] parts = run.output().split("\n", 2);
        assertThat(parts[0]).isEqualTo(jar.toString());
        var site = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(parts[1].getBytes(StandardCharsets.UTF_8)));
        assertThat(site.getDocumentElement().getTextContent())
                .contains("fs.defaultFSlambdafs://local/", "lambdafs.dir" + cluster);
        assertThat(run(Map.of(), List.of("bash"), "hadoop", "--jar").output().strip())
                .isEqualTo(jar.toString());
        assertThat(run(Map.of("LAMBDAFS_DIR", "/c"), List.of("bash"), "hadoop", "--site")
                        .output())
                .startsWith("<?xml")
                .contains("<value>/c</value>");
        assertThat(run(Map.of(), List.of("bash"), "hadoop", "--jra").exit()).isEqualTo(2);
    }

    @Test
    void shouldPrintTheConfigurationOfAClientOfTheHdfsDoor() throws Exception {
        String[] asked = {
            "hadoop", "--site", "--door", "--dir", folder.resolve("c").toString()
        };
        Run none = run(Map.of(), List.of("bash"), asked);
        Files.createDirectories(folder.resolve("c/run"));
        Files.writeString(folder.resolve("c/run/hdfs.port"), "8020\n");

        Run run = run(Map.of(), List.of("bash"), asked);

        assertThat(none.exit()).isEqualTo(1);
        assertThat(none.output()).contains("no hdfs door runs in", "cluster start --doors hdfs");
        assertThat(run.exit()).isZero();
        assertThat(run.output())
                .startsWith("<?xml")
                .contains(
                        "<name>fs.defaultFS</name><value>hdfs://lambdafs</value>",
                        "<name>dfs.ha.namenodes.lambdafs</name><value>door</value>",
                        "<name>dfs.namenode.rpc-address.lambdafs.door</name><value>127.0.0.1:8020</value>");
        Files.writeString(folder.resolve("c/run/hdfs-2.port"), "8021\n");
        Files.writeString(folder.resolve("c/run/webhdfs-2.port"), "8022\n");
        assertThat(run(Map.of(), List.of("bash"), asked).output())
                .contains(
                        "<name>dfs.ha.namenodes.lambdafs</name><value>door,door-2</value>",
                        "<name>dfs.namenode.rpc-address.lambdafs.door-2</name><value>127.0.0.1:8021</value>",
                        "<name>dfs.namenode.http-address.lambdafs.door-2</name><value>127.0.0.1:8022</value>");
        assertThat(run(Map.of(), List.of("bash"), "hadoop", "--door").exit()).isEqualTo(2);
    }

    @Test
    void shouldOnlyNameShortCommandsThatExist() throws Exception {
        Matcher list = Pattern.compile("\"\" \\| -\\* \\| ([a-z |]+)\\)").matcher(Files.readString(SCRIPT));
        assertThat(list.find()).isTrue();
        CommandLine line = Main.commandLine(new Console(System.out, System.err, 0));
        assertThat(new TreeSet<>(line.getSubcommands().keySet()))
                .contains(list.group(1).split(" \\| "));
    }
}
