package io.lambdafs.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.CreateOptions;
import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.client.config.ClientConfigBuilder;
import io.lambdafs.cluster.gateway.GatewayClient;
import io.lambdafs.cluster.process.InstanceArchive;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.rpc.Leeway;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Builds the class archive for instances: a training instance serves a few requests and ends, recording the classes it
 * used. Failures only cost the archive. Confined to one thread.
 */
final class Training {
    /** Prefix of its action's name, before the number. */
    static final String ACTION_PREFIX = "training";

    private static final String RECORDING = "training-";

    private static final Logger LOG = LoggerFactory.getLogger(Training.class);
    private static final Duration END_LIMIT = Duration.ofSeconds(10);
    private static final Duration CREATION_LIMIT = Duration.ofSeconds(60);
    private static final long POLL_MILLIS = 20;
    private static final FsPath FOLDER = FsPath.of("/.lambdafs-training");

    private final ClusterDirectory directory;
    private final InstanceArchive archive;
    private final GatewayClient gateway;
    private Optional<String> trained = Optional.empty();

    Training(ClusterDirectory directory, InstanceArchive archive, GatewayClient gateway) {
        this.directory = directory;
        this.archive = archive;
        this.gateway = gateway;
    }

    /** Returns an instance's recording file. */
    static String recording(ClusterDirectory directory, String instanceId) {
        return directory.run().resolve(RECORDING + instanceId).toString();
    }

    /** Returns the deployment to call: that of the root's children. */
    static int deployment(ClusterSettings settings) {
        return new Placement(settings.deployments()).ofChildren(FsPath.of("/"));
    }

    /** Sends the training instance typical requests. */
    void exercise() throws InterruptedException {
        ClientConfig config = ClientConfigBuilder.load(directory.client())
                .actionPrefix(ACTION_PREFIX)
                .build();
        try (BlockingLambdaFs client = BlockingLambdaFs.open(config)) {
            client.execute(new NamespaceOperation.Mkdirs(FOLDER, 0700, true));
            client.stat(FOLDER);
            client.stat(FOLDER);
            client.execute(new ReadOperation.ListPage(FsPath.of("/"), "", 10));
            FsPath file = FsPath.of("/.lambdafs-training-file");
            client.execute(create(file));
            client.execute(new ReadOperation.Open(file));
            client.execute(new ReadOperation.Open(file));
            client.execute(new NamespaceOperation.Delete(file, false));
            client.execute(new NamespaceOperation.Delete(FOLDER, true));
            trained = serving();
        } catch (FsException e) {
            LOG.info("Training was cut short: {}", e.getMessage());
        }
    }

    private static FileOperation.Create create(FsPath file) {
        byte[] content = "training\n".getBytes(StandardCharsets.UTF_8);
        return new FileOperation.Create(file, 0600, true, false, 1, CreateOptions.DEFAULT.blockSize(), content, null);
    }

    /** Waits until the instance has ended, builds the archive and installs it. */
    void finish() throws InterruptedException {
        Optional<Path> place = archive.file();
        if (trained.isEmpty() || place.isEmpty()) {
            return;
        }
        Path recording = Path.of(recording(directory, trained.get()));
        Path draft = place.get()
                .resolveSibling(place.get().getFileName() + "."
                        + ProcessHandle.current().pid());
        try {
            awaitEnd();
            if (Files.exists(recording) && create(recording, draft)) {
                Files.move(draft, place.get(), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } else {
                LOG.info("Training made no archive");
            }
            Files.deleteIfExists(draft);
            removeRecordings();
        } catch (IOException e) {
            LOG.info("The archive could not be kept: {}", e.toString());
        }
    }

    /** Removes recordings, including those of prewarmed instances, which served nothing. */
    private void removeRecordings() throws IOException {
        try (DirectoryStream<Path> recordings = Files.newDirectoryStream(directory.run(), RECORDING + "*")) {
            for (Path each : recordings) {
                Files.deleteIfExists(each);
            }
        }
    }

    private void awaitEnd() throws InterruptedException {
        long deadline = System.nanoTime() + END_LIMIT.toNanos();
        while (serving().isPresent() && System.nanoTime() - deadline < 0) {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    private boolean create(Path recording, Path draft) throws IOException, InterruptedException {
        Process creation = new ProcessBuilder(archive.creationCommand(recording, draft))
                .redirectErrorStream(true)
                .redirectOutput(directory.log("training").toFile())
                .start();
        try {
            return creation.waitFor(Leeway.of(CREATION_LIMIT).toSeconds(), TimeUnit.SECONDS)
                    && creation.exitValue() == 0
                    && Files.exists(draft);
        } finally {
            creation.destroyForcibly();
        }
    }

    /** Returns the instance that serves or has not ended yet, not a prewarmed one. */
    private Optional<String> serving() {
        for (JsonNode each : gateway.instances()) {
            if (each.path("deployment").asText().startsWith(ACTION_PREFIX)) {
                return Optional.of(each.path("id").asText());
            }
        }
        return Optional.empty();
    }
}
