package io.lambdafs.cluster.options;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.TemporaryCluster;
import io.lambdafs.cluster.terminal.Console;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Selects the cluster to measure: the running one in {@code --dir}, or a temporary one. */
public final class ClusterOptions {
    @Mixin
    private DirectoryOption directory = new DirectoryOption();

    @Option(
            names = "--conf",
            paramLabel = "FILE",
            description = "JSON file with settings of the temporary cluster (default: no CPU limit for instances).")
    private @Nullable Path conf;

    /** An action on a cluster. */
    @FunctionalInterface
    public interface Use<T> {
        T with(LocalCluster cluster) throws InterruptedException;
    }

    /**
     * Runs an action on a responding cluster; a temporary one without settings has one instance per deployment, without
     * CPU limits.
     *
     * @return the action's result
     */
    public <T> T use(Console console, Use<T> use) throws InterruptedException {
        if (directory.isGiven()) {
            LocalCluster named = new LocalCluster(directory.find(), console);
            named.gateway().demandAnswer();
            return use.with(named);
        }
        ObjectNode keys = conf == null ? TemporaryCluster.unlimited() : JsonNodeFactory.instance.objectNode();
        try (TemporaryCluster temporary = TemporaryCluster.start(new LocalCluster.StartOptions(conf, keys), console)) {
            return use.with(temporary.cluster());
        }
    }
}
