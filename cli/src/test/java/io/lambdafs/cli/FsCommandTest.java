package io.lambdafs.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.lambdafs.cluster.terminal.CommandRun;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FsCommandTest {
    @TempDir
    private Path folder;

    private void client(String json) throws Exception {
        Files.writeString(folder.resolve("client.json"), json);
    }

    /** λFS's own gateway, which has a health page. */
    private static String gateway(int port) {
        return "{\"schema\":1,\"gateway\":\"http://127.0.0.1:" + port + "\",\"insecure\":true,\"gatewayProof\":true}";
    }

    private static String platform(int port) {
        return "{\"schema\":1,\"gateway\":\"http://127.0.0.1:" + port + "\",\"insecure\":true}";
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    @ParameterizedTest
    @CsvSource({"-lss, -ls", "ls, -ls", "-mkdri, -mkdir", "--cat, -cat"})
    void shouldSuggestACommandOfTheShellWithoutAskingAnyCluster(String typed, String meant) {
        CommandRun run = CommandRun.of(Main::run, "fs", "--dir", folder, typed, "/");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains(typed, "Did you mean " + meant + "?", "Usage: lambdafs fs");
        assertThat(run.out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"--dir", "--jsn"})
    void shouldRefuseOptionsThatItDoesNotHave(String option) {
        CommandRun run = CommandRun.of(Main::run, "fs", option);
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains(option, "Usage: lambdafs fs");
    }

    @Test
    void shouldSayThatTheDirectoryIsMissing() {
        CommandRun run = CommandRun.of(Main::run, "fs", "--dir");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains("--dir takes the cluster's directory");
    }

    @Test
    void shouldSayThatThereIsNoClusterInADirectory() {
        CommandRun run = CommandRun.of(Main::run, "fs", "--dir=" + folder.resolve("none"), "-ls", "/");
        assertThat(run.exit()).isEqualTo(3);
        assertThat(run.err())
                .contains("LFS-306", folder.resolve("none/client.json").toString(), "--dir");
    }

    @Test
    void shouldSayThatNobodyAnswersAtTheGatewaysAddress() throws Exception {
        int port = freePort();
        client(gateway(port));
        Files.createDirectory(folder.resolve("run"));
        CommandRun run = CommandRun.of(Main::run, "fs", "--dir", folder, "-ls", "/");
        assertThat(run.exit()).isEqualTo(3);
        assertThat(run.err()).contains("LFS-306", "127.0.0.1:" + port, "lambdafs cluster start --dir " + folder);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void shouldNotAdviseToStartWhatRunsElsewhere() throws Exception {
        int port = freePort();
        for (String each : List.of(gateway(port), platform(port))) {
            client(each);
            CommandRun run = CommandRun.of(Main::run, "fs", "--dir", folder, "-ls", "/");
            assertThat(run.exit()).isEqualTo(3);
            assertThat(run.err())
                    .contains("LFS-306", "127.0.0.1:" + port, "runs elsewhere", "lambdafs doctor --dir " + folder)
                    .doesNotContain("cluster start");
        }
    }

    @Test
    void shouldAskAPlatformForNothingButFunctions() throws Exception {
        Queue<String> asked = new ConcurrentLinkedQueue<>();
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 8);
        other.createContext("/", exchange -> {
            asked.add(exchange.getRequestURI().getPath());
            exchange.sendResponseHeaders(401, -1);
            exchange.close();
        });
        other.start();
        try {
            client(platform(other.getAddress().getPort()));
            CommandRun run = CommandRun.of(Main::run, "fs", "--dir", folder, "-ls", "/");
            assertThat(run.exit()).isEqualTo(1);
            assertThat(run.err()).doesNotContain("does not answer");
            assertThat(asked).isNotEmpty().allMatch(each -> each.startsWith("/api/v1/namespaces/_/actions/"));
        } finally {
            other.stop(0);
        }
    }

    @Test
    void shouldNotTakeAnotherServiceForAGateway() throws Exception {
        HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1);
        other.createContext("/", exchange -> {
            byte[] page = "<html>welcome</html>".getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, page.length);
            exchange.getResponseBody().write(page);
            exchange.close();
        });
        other.start();
        try {
            client(gateway(other.getAddress().getPort()));
            CommandRun run = CommandRun.of(Main::run, "fs", "--dir", folder, "-ls", "/");
            assertThat(run.exit()).isEqualTo(3);
            assertThat(run.err()).contains("does not answer");
        } finally {
            other.stop(0);
        }
    }

    @Test
    void shouldSayThatAnAddressInAPathLeadsNowhere() throws Exception {
        int port = freePort();
        client(gateway(freePort()));
        CommandRun run = CommandRun.of(Main::run, "fs", "--dir", folder, "-ls", "lambdafs://127.0.0.1:" + port + "/");
        assertThat(run.exit()).isEqualTo(3);
        assertThat(run.err()).contains("no gateway answers at 127.0.0.1:" + port);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"schema\":1,\"gatewy\":\"http://127.0.0.1:1\"} | gatewy",
                "{\"schema\":7} | schema",
                "{\"schema\":1,\"gateway\":\"http://127.0.0.1:1\",\"deployments\":\"4\"} | deployments",
                "{\"schema\":1 | is not JSON",
                "[] | not a JSON object"
            })
    void shouldSayWhatIsWrongWithAClientFile(String json, String named) throws Exception {
        client(json);
        CommandRun run = CommandRun.of(Main::run, "fs", "--dir", folder, "-ls", "/");
        assertThat(run.exit()).isEqualTo(2);
        assertThat(run.err()).contains(folder.resolve("client.json").toString(), named);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"0123|no secret of 64|rw-------", "|no secret|rw-r--r--"})
    void shouldNotShowWhatASecretFileHolds(String content, String why, String mode) throws Exception {
        String text = content == null ? "ab".repeat(32) : content;
        Path secret = Files.writeString(folder.resolve("secret"), text);
        Files.setPosixFilePermissions(secret, java.nio.file.attribute.PosixFilePermissions.fromString(mode));
        client("{\"schema\":1,\"gateway\":\"http://127.0.0.1:1\",\"secretFile\":\"secret\"}");
        CommandRun run = CommandRun.of(Main::run, "fs", "--dir", folder, "-ls", "/");
        assertThat(run.exit()).as(why).isEqualTo(2);
        assertThat(run.err()).contains(secret.toString()).doesNotContain(text);
    }

    @Test
    void shouldWorkOnLocalFilesAndExplainItselfWithoutACluster() throws Exception {
        Files.writeString(folder.resolve("one"), "first\n");
        CommandRun cat = CommandRun.of(Main::run, "fs", "--dir", folder, "-cat", "file:" + folder.resolve("one"));
        assertThat(cat.exit()).as(cat.err()).isZero();
        assertThat(cat.out()).isEqualTo("first\n");
        CommandRun missing = CommandRun.of(Main::run, "fs", "--dir", folder, "-cat", "file:" + folder.resolve("two"));
        assertThat(missing.exit()).isEqualTo(1);
        CommandRun help = CommandRun.of(Main::run, "fs", "--dir", folder, "-help", "mkdir");
        assertThat(help.exit()).isZero();
        assertThat(help.out()).contains("-mkdir [-p]");
        assertThat(CommandRun.of(Main::run, "fs", "--dir", folder).exit()).isEqualTo(2);
    }

    @Test
    void shouldTellInWordsWhatAFileSystemDoesNotDo() throws Exception {
        Path one = Files.writeString(folder.resolve("one"), "first\n");
        Path two = Files.writeString(folder.resolve("two"), "second\n");
        CommandRun append =
                CommandRun.of(Main::run, "fs", "--dir", folder, "-appendToFile", "file:" + one, "file:" + two);
        assertThat(append.exit()).isEqualTo(1);
        assertThat(append.err())
                .startsWith("appendToFile: ")
                .contains("not supported")
                .doesNotContain("\tat ");
        assertThat(append.err().lines()).hasSize(1);
        CommandRun concat = CommandRun.of(Main::run, "fs", "--dir", folder, "-concat", "file:" + one, "file:" + two);
        assertThat(concat.exit()).isEqualTo(1);
        assertThat(concat.err()).startsWith("concat: ").doesNotContain("\tat ");
        CommandRun wrong = CommandRun.of(Main::run, "fs", "--dir", folder, "-cp", "file:" + one);
        assertThat(wrong.exit()).isEqualTo(2);
        assertThat(wrong.err())
                .contains("cp: Not enough arguments", "Usage: lambdafs fs")
                .doesNotContain("\tat ");
    }

    @Test
    void shouldKnowWhichCommandsNeedACluster() {
        assertThat(FsCommand.isLocal(List.of("-ls", "/"))).isFalse();
        assertThat(FsCommand.isLocal(List.of("-ls"))).isFalse();
        assertThat(FsCommand.isLocal(List.of("-put", "file:/a", "/b"))).isFalse();
        assertThat(FsCommand.isLocal(List.of("-ls", "-R", "file:/a"))).isTrue();
        assertThat(FsCommand.isLocal(List.of("-usage", "ls"))).isTrue();
    }

    @Test
    void shouldListAheadForCommandsThatGoDownATreeAlone() {
        assertThat(FsCommand.isWalk(List.of("-ls", "-h", "-R", "/"))).isTrue();
        assertThat(FsCommand.isWalk(List.of("-find", "/", "-name", "a"))).isTrue();
        assertThat(FsCommand.isWalk(List.of("-ls", "/"))).isFalse();
        assertThat(FsCommand.isWalk(List.of("-rm", "-R", "/a"))).isFalse();
        assertThat(FsCommand.isWalk(List.of())).isFalse();
    }
}
