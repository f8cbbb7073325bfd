package io.lambdafs.cluster.options;

import io.lambdafs.cluster.DistantCluster;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.store.DistantStore;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.model.FsException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code --secret-file} and {@code --tls}: the credentials for the store of a cluster that runs elsewhere. */
public final class DistantOptions {
    @Option(
            names = "--secret-file",
            paramLabel = "FILE",
            description = "File with that cluster's secret (default: from DIR).")
    private @Nullable Path secretFile;

    @Option(
            names = "--tls",
            paramLabel = "CA,CERTIFICATE,KEY",
            split = ",",
            description = "PEM files of a service, for a store with TLS (default: from DIR).")
    private List<Path> tls = List.of();

    /**
     * Returns the cluster at an address, or else that of a client's directory; nothing if the directory is one of this
     * machine's.
     *
     * @param store its store servers, or empty
     */
    public Optional<DistantCluster> find(DirectoryOption directory, String store, Console console) {
        return find(directory, store, List.of(), "", console);
    }

    Optional<DistantCluster> find(
            DirectoryOption directory, String store, List<String> places, String endpoint, Console console) {
        DistantStore told = new DistantStore(store, secretFile, files(), places, endpoint);
        if (!told.store().isEmpty()) {
            return Optional.of(DistantCluster.of(directory.isGiven() ? directory.find() : null, told));
        }
        return new LocalCluster(directory.find(), console).isElsewhere()
                ? Optional.of(DistantCluster.of(directory.find(), told))
                : Optional.empty();
    }

    private DistantStore.@Nullable TlsOf files() {
        if (tls.isEmpty()) {
            return null;
        }
        if (tls.size() != 3) {
            throw FsException.invalidArgument("--tls takes three files: CA,CERTIFICATE,KEY");
        }
        return new DistantStore.TlsOf(tls.get(0), tls.get(1), tls.get(2));
    }
}
