package io.lambdafs.cluster.options;

import io.lambdafs.cluster.ClusterDirectory;
import io.lambdafs.cluster.DistantCluster;
import io.lambdafs.cluster.DistantStore;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.OperatedCluster;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The cluster that a command works on, wherever it runs: {@code --dir}, or {@code --store} with {@code --secret-file}. */
public final class OperatedOptions {
    @Mixin
    private DirectoryOption directory = new DirectoryOption();

    @Option(
            names = "--store",
            paramLabel = "HOST:PORT",
            description =
                    "The store of a cluster that runs elsewhere, or HOST:PORT,… of several (default: as DIR says).")
    private String store = "";

    @Option(
            names = "--secret-file",
            paramLabel = "FILE",
            description = "The secret of that cluster (default: as DIR says).")
    private @Nullable Path secretFile;

    @Option(
            names = "--tls",
            paramLabel = "CA,CERTIFICATE,KEY",
            split = ",",
            description = "PEM files of a service, for a store with TLS (default: as DIR says).")
    private List<Path> tls = List.of();

    /** Returns the selected cluster. */
    public OperatedCluster find(Console console) {
        return find(console, List.of(), "");
    }

    OperatedCluster find(Console console, List<String> places, String endpoint) {
        DistantStore told = new DistantStore(store, secretFile, files(), places, endpoint);
        if (!store.isEmpty()) {
            return DistantCluster.of(directory.isGiven() ? directory() : null, told);
        }
        LocalCluster local = new LocalCluster(directory(), console);
        return local.isElsewhere() ? DistantCluster.of(directory(), told) : local;
    }

    /** Returns whether the store's address was given. */
    public boolean isAddressed() {
        return !store.isEmpty();
    }

    public ClusterDirectory directory() {
        return directory.find();
    }

    private DistantStore.@Nullable TlsOf files() {
        if (tls.isEmpty()) {
            return null;
        }
        if (tls.size() != 3) {
            throw new FsException(ErrorCode.INVALID_ARGUMENT, "--tls takes three files: CA,CERTIFICATE,KEY");
        }
        return new DistantStore.TlsOf(tls.get(0), tls.get(1), tls.get(2));
    }
}
