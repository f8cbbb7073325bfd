package io.lambdafs.cluster;

import io.lambdafs.functions.FunctionConfig;
import io.lambdafs.functions.FunctionConfigReader;
import java.nio.file.Path;

/** Formats the store of a cluster that was not started here. Stateless. */
public final class StoreFormat {
    private StoreFormat() {}

    /** How a store was found. */
    public enum Found {
        EMPTY,
        FORMATTED,
        /** Formatted, with another number of deployments, which was changed. */
        OF_ANOTHER_NUMBER
    }

    /**
     * Formats the store that a function's configuration names, if it is empty; otherwise sees to it that its number of deployments is that of
     * the configuration ({@link io.lambdafs.store.Deployments#change}).
     *
     * @throws io.lambdafs.model.FsException the file makes no sense, or the store has another number and a format level too low to change it, or
     *     does not answer
     */
    public static Found format(Path functionFile) {
        FunctionConfig config = FunctionConfigReader.read(functionFile);
        return Functions.format(config);
    }
}
