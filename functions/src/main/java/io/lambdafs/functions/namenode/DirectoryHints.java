package io.lambdafs.functions.namenode;

import io.lambdafs.model.FsPath;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The ids that directories had when they were last read, for an instance that caches nothing: it can ask for all components of a path at
 * once, as HopsFS does with its inode hints. Only where to look: what is read says whether it was right, so that nobody has to invalidate
 * any of it. The least recently used go. Thread-safe.
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

    /** @param max directories that are kept; 0 for none */
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
