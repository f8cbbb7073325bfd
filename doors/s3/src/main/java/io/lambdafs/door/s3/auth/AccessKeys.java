package io.lambdafs.door.s3.auth;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.lambdafs.rpc.auth.PrivateFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The access keys in a file that only its owner can read: a JSON object of {@code {"secret", "user", "groups"}} by key.
 * Changes take effect within a second. Thread-safe.
 */
public final class AccessKeys {
    /** The file's name in a cluster's directory. */
    public static final String NAME = "s3-keys.json";

    private static final Logger LOG = LoggerFactory.getLogger(AccessKeys.class);
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private final Path file;
    private Map<String, AccessKey> keys = Map.of();
    private @Nullable FileTime read;
    private long lookedNanos;

    private AccessKeys(Path file) {
        this.file = file;
    }

    /** A key in the file. */
    private record Entry(
            String secret, String user, @Nullable List<String> groups) {
        AccessKey key(String id) {
            return new AccessKey(id, secret, user, groups == null ? List.of() : groups);
        }
    }

    /**
     * Opens the file; there may be none yet.
     *
     * @throws IllegalArgumentException if others can read it, or it is malformed
     * @throws IOException if it cannot be read
     */
    public static AccessKeys open(Path file) throws IOException {
        AccessKeys opened = new AccessKeys(file);
        opened.load();
        return opened;
    }

    private synchronized void load() throws IOException {
        lookedNanos = System.nanoTime();
        FileTime changed = Files.exists(file) ? Files.getLastModifiedTime(file) : null;
        if (changed == null || !changed.equals(read)) {
            keys = read(file);
            read = changed;
        }
    }

    private static Map<String, AccessKey> read(Path file) throws IOException {
        if (!Files.exists(file)) {
            return Map.of();
        }
        Optional<String> open = PrivateFile.openTo(file);
        if (open.isPresent()) {
            throw new IllegalArgumentException(
                    file + " is open to others (" + open.get() + "): it holds secrets; chmod 600 it");
        }
        Map<String, Entry> entries = JSON.readValue(
                Files.readString(file),
                JSON.getTypeFactory().constructMapType(HashMap.class, String.class, Entry.class));
        return entries.entrySet().stream()
                .map(each -> each.getValue().key(each.getKey()))
                .collect(Collectors.toMap(AccessKey::id, key -> key));
    }

    /** Returns a key by its id; empty if there is none. */
    public synchronized Optional<AccessKey> find(String id) {
        if (System.nanoTime() - lookedNanos > LOOK_NANOS) {
            try {
                load();
            } catch (IOException | IllegalArgumentException e) {
                // Better the keys that were known than none; those of a file that is open to others, none.
                LOG.warn("Access keys were not read again: {}", e.toString());
                keys = e instanceof IllegalArgumentException ? Map.of() : keys;
            }
        }
        return Optional.ofNullable(keys.get(id));
    }

    /**
     * Adds a key to a file, which is made with mode 0600.
     *
     * @throws IllegalArgumentException as {@link #open} does
     */
    public static void add(Path file, AccessKey added) throws IOException {
        Map<String, Entry> entries = new LinkedHashMap<>();
        read(file).values().forEach(each -> entries.put(each.id(), entry(each)));
        entries.put(added.id(), entry(added));
        Path draft = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(draft);
        Files.createFile(draft, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        Files.write(draft, JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(entries));
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    private static Entry entry(AccessKey key) {
        return new Entry(key.secret(), key.user(), key.groups());
    }
}
