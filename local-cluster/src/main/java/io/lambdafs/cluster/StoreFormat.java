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
        FORMATTED
    }

    /**
     * Formats the store that a function's configuration names, if it is empty.
     *
     * @throws io.lambdafs.model.FsException the file makes no sense, or the store was formatted for another number of deployments, or does
     *     not answer
     */
    public static Found format(Path functionFile) {
        FunctionConfig config = FunctionConfigReader.read(functionFile);
        return Functions.format(config) ? Found.EMPTY : Found.FORMATTED;
    }
}
