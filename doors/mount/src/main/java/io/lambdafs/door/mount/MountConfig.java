package io.lambdafs.door.mount;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The settings of a mount's process, as a JSON file has them. Immutable and validated.
 *
 * @param cluster the directory with the cluster's {@code client.json}; its secret lets a mount act for any user
 * @param directory that is mounted
 * @param cache a folder for contents that are written at random
 * @param cacheBytes limit of their sum
 * @param validMillis how long the kernel may keep names and attributes
 * @param deadlineMillis of an operation; 0 for the client's default
 * @param pidFile receives the process's id once it serves
 */
public record MountConfig(
        String cluster,
        String directory,
        String cache,
        long cacheBytes,
        long validMillis,
        long deadlineMillis,
        String pidFile) {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .build();

    public MountConfig {
        if (cacheBytes < 0 || validMillis < 0 || deadlineMillis < 0) {
            throw new IllegalArgumentException("cacheBytes, validMillis and deadlineMillis are not negative");
        }
    }

    /**
     * Reads a file.
     *
     * @throws IllegalArgumentException naming the file and what is wrong
     */
    static MountConfig load(Path file) throws IOException {
        try {
            return JSON.readValue(Files.readString(file), MountConfig.class);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(file + ": " + e.getOriginalMessage(), e);
        }
    }

    /** Writes it for {@link #load}. */
    public void save(Path file) throws IOException {
        Files.writeString(file, JSON.writeValueAsString(this));
    }
}
