package io.lambdafs.store.embedded.server;

import io.lambdafs.store.embedded.RocksSettings;
import io.lambdafs.store.server.process.ServiceConfig;
import java.nio.file.Path;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The configuration of the embedded store's server. Validated; immutable. */
public record StoreConfig(RocksSettings settings, ServiceConfig service) {
    /**
     * Reads a JSON file: {@code directory}; with defaults {@code fsync}, {@code cacheBytes}, {@code memtableBytes}, {@code
     * minFreeBytes}; and the keys of {@link ServiceConfig#load}.
     *
     * @throws IllegalArgumentException naming the file and what is wrong: a key is unknown, missing or out of range
     */
    public static StoreConfig load(Path file) {
        return ServiceConfig.load(file, Keys.class, Keys::toConfig);
    }

    /** The file's keys; absent ones take their defaults. */
    record Keys(
            @Nullable String directory,
            @Nullable Boolean fsync,
            @Nullable Long cacheBytes,
            @Nullable Long memtableBytes,
            @Nullable Long minFreeBytes) {
        private StoreConfig toConfig(ServiceConfig service) {
            if (directory == null) {
                throw new IllegalArgumentException(
                        "directory is missing: the place of the store's files, such as /data/store");
            }
            return new StoreConfig(settings(RocksSettings.of(Path.of(directory))), service);
        }

        private RocksSettings settings(RocksSettings base) {
            return new RocksSettings(
                    base.directory(),
                    or(fsync, base::fsync),
                    or(cacheBytes, base::cacheBytes),
                    or(memtableBytes, base::memtableBytes),
                    or(minFreeBytes, base::minFreeBytes),
                    base.readThreads());
        }

        private static <T> T or(@Nullable T value, Supplier<T> otherwise) {
            return value == null ? otherwise.get() : value;
        }
    }
}
