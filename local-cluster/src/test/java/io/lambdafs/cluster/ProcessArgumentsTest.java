package io.lambdafs.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.cluster.process.InstanceArchive;
import io.lambdafs.cluster.process.JavaCommand;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.settings.Machine;
import io.lambdafs.cluster.settings.Service;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.platform.ApiKey;
import io.lambdafs.rpc.auth.Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Everybody on a machine sees the arguments of every process. */
class ProcessArgumentsTest {
    private static final ClusterSettings SETTINGS = ClusterSettings.defaults("me", new Machine(2, 8_192));

    @TempDir
    private Path folder;

    private ClusterDirectory directory;
    private List<String> secrets;

    @BeforeEach
    void makeSecrets() throws Exception {
        directory = new ClusterDirectory(folder.resolve("cluster"));
        directory.prepare();
        Secret.loadOrCreate(directory.secret());
        ApiKey.random(new SecureRandom()).writeTo(directory.apiKey());
        secrets = List.of(
                Files.readString(directory.secret()).strip(),
                Files.readString(directory.apiKey()).strip(),
                Files.readString(directory.apiKey()).strip().split(":")[1]);
    }

    @Test
    void shouldCarryNoSecret() {
        List<String> arguments = new ArrayList<>();
        for (Service service : Service.all()) {
            List<String> command = JavaCommand.service(service, SETTINGS);
            assertThat(command).contains(service.mainClass(SETTINGS), "-Dlambdafs.log.level=INFO");
            arguments.addAll(command);
            arguments.add(directory.configuration(service.label()).toString());
        }
        InstanceArchive archive = InstanceArchive.of(SETTINGS);
        arguments.addAll(archive.instanceCommand());
        arguments.addAll(archive.recordingCommand(Training.recording(directory, "{instanceId}")));
        arguments.addAll(archive.creationCommand(directory.run(), directory.run()));
        assertThat(arguments).hasSizeGreaterThan(30);
        for (String secret : secrets) {
            assertThat(arguments).noneMatch(argument -> argument.contains(secret));
        }
    }

    /** A thread that finds no memory dies, or leaves undone what others wait for. */
    @Test
    void shouldEndEveryProcessThatFindsNoMemory() {
        for (Service service : Service.all()) {
            assertThat(JavaCommand.service(service, SETTINGS)).contains("-XX:+ExitOnOutOfMemoryError");
        }
        InstanceArchive archive = InstanceArchive.of(SETTINGS);
        assertThat(archive.instanceCommand()).contains("-XX:+ExitOnOutOfMemoryError");
        assertThat(archive.recordingCommand(Training.recording(directory, "{instanceId}")))
                .contains("-XX:+ExitOnOutOfMemoryError");
    }

    @Test
    void shouldKeepSecretsInTheirTwoPrivateFilesAlone() throws Exception {
        ServiceFiles files = new ServiceFiles(directory, SETTINGS);
        files.writeSettings();
        files.writeFunction(List.of(1), "127.0.0.1:2");
        files.writeClient(3, new Placement(SETTINGS.deployments()));
        for (Service service : List.of(Service.ZOOKEEPER, Service.STORE, Service.GATEWAY)) {
            files.write(service, 0);
        }
        files.writeDatanode(Service.datanode(1), 0, List.of(4));
        List<Path> all;
        try (Stream<Path> walk = Files.walk(directory.root())) {
            all = walk.filter(Files::isRegularFile).toList();
        }
        assertThat(all).hasSizeGreaterThanOrEqualTo(8);
        List<Path> holders = new ArrayList<>();
        for (Path file : all) {
            String text = Files.readString(file);
            if (secrets.stream().anyMatch(text::contains)) {
                holders.add(file);
            }
        }
        assertThat(holders).containsExactlyInAnyOrder(directory.secret(), directory.apiKey());
        for (Path holder : holders) {
            assertThat(java.nio.file.attribute.PosixFilePermissions.toString(Files.getPosixFilePermissions(holder)))
                    .isEqualTo("rw-------");
        }
    }
}
