package io.lambdafs.cluster.store;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A command's options about a cluster that runs elsewhere; the rest follows from the client's directory. Immutable.
 *
 * @param store {@code HOST:PORT[,HOST:PORT…]}; empty for the directory's
 * @param secretFile null for the directory's
 * @param tls null for the directory's
 * @param places of block stores, {@code [NAME=]PLACE}, NAME as in the metadata
 * @param endpoint of object stores other than Amazon's; empty for the directory's
 */
public record DistantStore(
        String store, @Nullable Path secretFile, @Nullable TlsOf tls, List<String> places, String endpoint) {
    /** PEM files of the command's TLS. */
    public record TlsOf(Path ca, Path certificate, Path key) {}

    public DistantStore {
        places = List.copyOf(places);
    }

    /** Returns no options, so that only a directory counts. */
    public static DistantStore unsaid() {
        return new DistantStore("", null, null, List.of(), "");
    }
}
