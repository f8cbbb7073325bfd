package io.lambdafs.store.sql.server;

import io.lambdafs.store.server.process.ServiceConfig;
import io.lambdafs.store.sql.SqlSettings;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The settings of the SQL store's server. Immutable and validated. */
public record SqlStoreConfig(SqlSettings settings, ServiceConfig service) {
    private static final int READERS = 8;

    /**
     * Reads a JSON file: {@code jdbcUrl}, {@code user}, {@code cluster}; with defaults {@code passwordFile},
     * {@code readers}; and the keys of {@link ServiceConfig#load}.
     *
     * @throws IllegalArgumentException naming the file and what is wrong: a key is unknown, missing or out of range
     */
    public static SqlStoreConfig load(Path file) {
        return ServiceConfig.load(file, Keys.class, Keys::toConfig);
    }

    /** The file's keys; an absent one takes its default. */
    record Keys(
            @Nullable String jdbcUrl,
            @Nullable String user,
            @Nullable String passwordFile,
            @Nullable String cluster,
            @Nullable Integer readers) {
        private SqlStoreConfig toConfig(ServiceConfig service) {
            return new SqlStoreConfig(
                    new SqlSettings(
                            given("jdbcUrl", jdbcUrl),
                            given("user", user),
                            Optional.ofNullable(passwordFile).map(Path::of),
                            given("cluster", cluster),
                            readers == null ? READERS : readers),
                    service);
        }

        private static String given(String key, @Nullable String value) {
            if (value == null || value.isEmpty()) {
                throw new IllegalArgumentException(key + " is missing");
            }
            return value;
        }
    }
}
