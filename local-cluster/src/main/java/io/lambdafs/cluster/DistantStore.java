package io.lambdafs.cluster;

import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a command was told of a cluster that runs elsewhere; the rest follows from the client's directory. Immutable.
 *
 * @param store {@code HOST:PORT[,HOST:PORT…]}; empty for what the directory says
 * @param secretFile null for what the directory says
 * @param tls null for what the directory says
 * @param places of block stores, {@code [NAME=]PLACE}, NAME as in the metadata
 * @param endpoint of object stores other than Amazon's; empty for what the directory says
 */
public record DistantStore(
        String store, @Nullable Path secretFile, @Nullable TlsOf tls, List<String> places, String endpoint) {
    /** PEM files of the command's TLS. */
    public record TlsOf(Path ca, Path certificate, Path key) {}

    public DistantStore {
        places = List.copyOf(places);
    }

    /** Returns nothing but what a directory says. */
    public static DistantStore unsaid() {
        return new DistantStore("", null, null, List.of(), "");
    }
}
