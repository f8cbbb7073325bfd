package io.lambdafs.cluster;

import io.lambdafs.functions.FunctionConfig;
import io.lambdafs.functions.FunctionConfigReader;
import io.lambdafs.store.MetadataStore;
import java.nio.file.Path;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/** The store of a cluster that was not started here: how it is formatted, and asked. Stateless. */
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

    /** The store that a function's configuration names, for a change of its number of deployments; connects anew for each question. */
    public static Resizing.Store of(FunctionConfig config) {
        return new Resizing.Store() {
            @Override
            public <T> T ask(String what, Function<MetadataStore, CompletionStage<T>> step) {
                return Functions.onStore(config, what, step);
            }
        };
    }
}
