package io.lambdafs.cli.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.client.ClientConfig;
import io.lambdafs.client.ClientConfigBuilder;
import io.lambdafs.client.CreateOptions;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Operation;
import io.lambdafs.model.Placement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets one instance under another name serve a few requests and end, which writes the class data archive that later instances start
 * from. Whatever goes wrong costs only the archive. Confined to one thread.
 */
final class Training {
    /** Name of its action, before the number. */
    static final String ACTION_PREFIX = "training";

    private static final Logger LOG = LoggerFactory.getLogger(Training.class);
    private static final Duration WRITE_LIMIT = Duration.ofSeconds(10);
    private static final long POLL_MILLIS = 20;
    private static final FsPath FOLDER = FsPath.of("/.lambdafs-training");

    private final ClusterDirectory directory;
    private final Path archive;

    Training(ClusterDirectory directory, Path archive) {
        this.directory = directory;
        this.archive = archive;
    }

    /** Where the instance writes the archive, until it is whole. */
    static Path draft(ClusterDirectory directory) {
        return directory.run().resolve("instance.jsa");
    }

    /** The number of the deployment that it asks: that of the root's children. */
    static int deployment(ClusterSettings settings) {
        return new Placement(settings.deployments()).ofChildren(FsPath.of("/"));
    }

    /** Asks the training instance what later ones will be asked. */
    void exercise() throws InterruptedException {
        ClientConfig config = ClientConfigBuilder.load(directory.client())
                .actionPrefix(ACTION_PREFIX)
                .build();
        try (BlockingLambdaFs client = BlockingLambdaFs.open(config)) {
            client.execute(new Operation.Mkdirs(FOLDER, 0700, true));
            client.stat(FOLDER);
            client.stat(FOLDER);
            client.execute(new Operation.ListPage(FsPath.of("/"), "", 10));
            FsPath file = FsPath.of("/.lambdafs-training-file");
            client.execute(create(file));
            client.execute(new Operation.Open(file));
            client.execute(new Operation.Open(file));
            client.execute(new Operation.Delete(file, false));
            client.execute(new Operation.Delete(FOLDER, true));
        } catch (FsException e) {
            LOG.info("Training was cut short: {}", e.getMessage());
        }
    }

    private static Operation.Create create(FsPath file) {
        byte[] content = "training\n".getBytes(StandardCharsets.UTF_8);
        return new Operation.Create(file, 0600, true, false, 1, CreateOptions.DEFAULT.blockSize(), content, null);
    }

    /** Waits until the instance has ended, and puts what it wrote where later ones look for it. */
    void collect(GatewayClient gateway) throws InterruptedException {
        long deadline = System.nanoTime() + WRITE_LIMIT.toNanos();
        while (isRunning(gateway) && System.nanoTime() - deadline < 0) {
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
        Path draft = draft(directory);
        Path beside = archive.resolveSibling(archive.getFileName() + ".new");
        try {
            if (!isRunning(gateway) && Files.exists(draft)) {
                Files.copy(draft, beside, StandardCopyOption.REPLACE_EXISTING);
                Files.move(beside, archive, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            } else {
                LOG.info("Training wrote no archive");
            }
            Files.deleteIfExists(draft);
        } catch (IOException e) {
            LOG.info("The archive could not be kept: {}", e.toString());
        }
    }

    private static boolean isRunning(GatewayClient gateway) {
        for (JsonNode each : gateway.instances()) {
            if (each.path("deployment").asText().startsWith(ACTION_PREFIX)) {
                return true;
            }
        }
        return false;
    }
}
