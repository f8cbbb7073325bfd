package io.lambdafs.store.ndb.server;

import io.lambdafs.store.ndb.NdbAck;
import io.lambdafs.store.ndb.NdbSettings;
import io.lambdafs.store.server.process.ServiceConfig;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The settings of the NDB store's server. Immutable and validated. */
public record NdbStoreConfig(NdbSettings settings, ServiceConfig service) {
    private static final int READERS = 8;

    /**
     * Reads a JSON file: {@code connect}, {@code cluster}; with defaults {@code readers}, {@code ack} and
     * {@code diskMb}; and the keys of {@link ServiceConfig#load}.
     *
     * @throws IllegalArgumentException naming the file and what is wrong: a key is unknown, missing or out of range
     */
    public static NdbStoreConfig load(Path file) {
        return ServiceConfig.load(file, Keys.class, Keys::toConfig);
    }

    /** The file's keys; an absent one takes its default. */
    record Keys(
            @Nullable String connect,
            @Nullable String cluster,
            @Nullable Integer readers,
            @Nullable String ack,
            @Nullable Integer diskMb) {
        private NdbStoreConfig toConfig(ServiceConfig service) {
            if (connect == null || cluster == null) {
                throw new IllegalArgumentException((connect == null ? "connect" : "cluster") + " is missing");
            }
            NdbAck answers = ack == null ? NdbAck.REPLICATED : NdbAck.of(ack);
            return new NdbStoreConfig(
                    new NdbSettings(
                            connect,
                            cluster,
                            readers == null ? READERS : readers,
                            answers,
                            diskMb == null ? 0 : diskMb),
                    service);
        }
    }
}
