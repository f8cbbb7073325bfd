package io.lambdafs.cluster.store;

import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.functions.FunctionConfig;
import io.lambdafs.functions.FunctionConfigReader;
import io.lambdafs.functions.namenode.Formatter;
import io.lambdafs.store.instance.Deployments;
import java.nio.file.Path;
import java.util.List;

/** Formats and accesses the store of a cluster that was not started here. Stateless. */
public final class StoreFormat {
    private StoreFormat() {}

    /** The state in which a store was found. */
    public enum Found {
        EMPTY,
        FORMATTED,
        /** Formatted with another number of deployments, which was changed. */
        OF_ANOTHER_NUMBER
    }

    /** Formats the store if empty; returns whether it was. */
    public static boolean format(ClusterDirectory directory, ClusterSettings settings, List<Integer> storePorts) {
        return StoreAccess.of(directory, settings, storePorts)
                .ask(
                        "format the store",
                        store -> Formatter.format(
                                store, settings.deployments(), settings.superuser(), System.currentTimeMillis()));
    }

    /**
     * Formats the store in a function's configuration if empty; otherwise changes its number of deployments to the
     * configured one ({@link io.lambdafs.store.instance.Deployments#change}).
     *
     * @throws io.lambdafs.model.FsException if the file is invalid, the store's format level is too low to change its
     *     number, or it does not answer
     */
    public static Found format(Path functionFile) {
        FunctionConfig config = FunctionConfigReader.read(functionFile);
        return StoreAccess.of(config)
                .ask(
                        "format the store",
                        store -> Deployments.read(store)
                                .thenCompose(found -> found.isEmpty()
                                        ? Formatter.format(
                                                        store,
                                                        config.deployments(),
                                                        config.superuser(),
                                                        System.currentTimeMillis())
                                                .thenApply(now -> now ? Found.EMPTY : Found.FORMATTED)
                                        : Deployments.change(store, config.deployments())
                                                .thenApply(now -> now.equals(found.get())
                                                        ? Found.FORMATTED
                                                        : Found.OF_ANOTHER_NUMBER)));
    }

    /** Returns access to the store in a function's configuration, for a resize; connects for each action. */
    public static Resizing.Store of(FunctionConfig config) {
        return StoreAccess.of(config);
    }
}
