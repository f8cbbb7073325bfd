package io.lambdafs.store.embedded;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.rocksdb.RocksDB;
import org.rocksdb.util.Environment;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads RocksDB's native library. By default, RocksDB unpacks 17 MB into the temporary directory under a new name at
 * every start and leaves them if the process is killed; this keeps one copy in the data directory. Thread-safe.
 */
final class NativeLibrary {
    private static final Logger LOG = LoggerFactory.getLogger(NativeLibrary.class);
    private static boolean loaded;

    private NativeLibrary() {}

    /** Loads the library, once per process. The directory is locked by this process. */
    static synchronized void load(Path directory) {
        if (loaded) {
            return;
        }
        try {
            Path folder = Files.createDirectories(directory.resolve("native"));
            unpack(folder);
            RocksDB.loadLibrary(List.of(folder.toString()));
        } catch (IOException | UnsatisfiedLinkError e) {
            LOG.info("RocksDB's native library goes to the temporary directory: {}", e.toString());
            RocksDB.loadLibrary();
        }
        loaded = true;
    }

    /** Loads the library from the temporary directory, for processes that must not write to a data directory. */
    static synchronized void load() {
        if (!loaded) {
            RocksDB.loadLibrary();
            loaded = true;
        }
    }

    /** Puts the library into a folder, in place of one that is there. */
    static void unpack(Path folder) throws IOException {
        String name = Environment.getJniLibraryFileName("rocksdb");
        try (InputStream packed = RocksDB.class.getClassLoader().getResourceAsStream(name)) {
            if (packed == null) {
                throw new IOException("no " + name + " on the class path");
            }
            Path draft = folder.resolve(name + ".new");
            Files.copy(packed, draft, StandardCopyOption.REPLACE_EXISTING);
            // The name RocksDB looks for in a given folder, with its suffix doubled.
            Path target = folder.resolve(Environment.getJniLibraryFileName("rocksdbjni"));
            Files.move(draft, target, StandardCopyOption.ATOMIC_MOVE);
        }
    }
}
