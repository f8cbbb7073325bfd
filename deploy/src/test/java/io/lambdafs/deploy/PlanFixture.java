package io.lambdafs.deploy;

import io.lambdafs.rpc.auth.Secret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A cluster's secret and configuration in a directory, and what is wanted of a platform. */
public final class PlanFixture {
    public static final String CLUSTER = "music";

    private final Path directory;
    private final Path configuration;

    public PlanFixture(Path directory) {
        this.directory = directory;
        Secret.loadOrCreate(directory.resolve("secret"));
        try {
            configuration = Files.writeString(directory.resolve("function.json"), """
                    {"fileSystem":"music","deployments":2,"superuser":"admin","store":"store.example.com:7000",
                     "coordinator":"store","listenHost":"0.0.0.0","secretFile":"secret"}""");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Where clients' files go. */
    public Path clients() {
        return directory.resolve("clients");
    }

    public FunctionsSpec wanted(int deployments) {
        return wanted(deployments, "lambdafs:1", 4);
    }

    public FunctionsSpec wanted(int deployments, String image, int concurrency) {
        Plan.Instances instances = Plan.Instances.read(configuration, deployments, null);
        return new FunctionsSpec(
                CLUSTER,
                instances.deployments(),
                image,
                256,
                concurrency,
                Duration.ofSeconds(30),
                0,
                0.02,
                instances.configuration(),
                instances.secretFile(),
                Map.of("MORE", "1"));
    }

    public Path configuration() {
        return configuration;
    }

    /** The same, changed in one way. */
    public static FunctionsSpec with(FunctionsSpec wanted, UnaryOperator<String> image) {
        return new FunctionsSpec(
                wanted.cluster(),
                wanted.deployments(),
                image.apply(wanted.image()),
                wanted.memoryMb(),
                wanted.concurrency(),
                wanted.timeout(),
                wanted.minInstances(),
                wanted.httpShare(),
                wanted.configuration(),
                wanted.secretFile(),
                wanted.environment());
    }
}
