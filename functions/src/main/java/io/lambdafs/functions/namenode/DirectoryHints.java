package io.lambdafs.functions.namenode;

import io.lambdafs.model.FsPath;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Remembers the last known ids of directories for an instance that caches nothing, so that it can read all components
 * of a path at once, as HopsFS does with its inode hints. Only hints: the rows read show whether they were right, so no
 * invalidation is needed. Evicts the least recently used. Thread-safe.
 */
final class DirectoryHints {
    private final int max;
    private final Map<FsPath, Long> ids = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<FsPath, Long> eldest) {
            return size() > max;
        }
    };

    /** @param max maximum number of directories; 0 for none */
    DirectoryHints(int max) {
        this.max = max;
    }

    @Nullable
    Long idOf(FsPath directory) {
        synchronized (ids) {
            return ids.get(directory);
        }
    }

    void add(FsPath directory, long id) {
        if (max > 0) {
            synchronized (ids) {
                ids.put(directory, id);
            }
        }
    }
}
