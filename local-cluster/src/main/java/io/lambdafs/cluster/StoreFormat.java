package io.lambdafs.cluster;

import io.lambdafs.functions.FunctionConfig;
import io.lambdafs.functions.FunctionConfigReader;
import java.nio.file.Path;

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

    /**
     * Formats the store in a function's configuration if empty; otherwise changes its number of deployments to the
     * configured one ({@link io.lambdafs.store.Deployments#change}).
     *
     * @throws io.lambdafs.model.FsException if the file is invalid, the store's format level is too low to change its
     *     number, or it does not answer
     */
    public static Found format(Path functionFile) {
        FunctionConfig config = FunctionConfigReader.read(functionFile);
        return Functions.format(config);
    }

    /** Returns access to the store in a function's configuration, for a resize; connects for each action. */
    public static Resizing.Store of(FunctionConfig config) {
        return StoreAccess.of(config);
    }
}
