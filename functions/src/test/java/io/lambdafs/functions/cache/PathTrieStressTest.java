package io.lambdafs.functions.cache;

import static io.lambdafs.functions.cache.Nodes.ROOT;
import static io.lambdafs.functions.cache.Nodes.dir;
import static io.lambdafs.functions.cache.Nodes.file;
import static io.lambdafs.functions.cache.Nodes.path;
import static org.assertj.core.api.Assertions.assertThat;

import io.lambdafs.model.FsPath;
import io.lambdafs.model.Scope;
import io.lambdafs.model.inode.INode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.junit.jupiter.api.Test;

/**
 * Writers, fillers and readers against a truth kept beside the cache. A write is: lock, invalidate, change the truth, unlock; a
 * fill is: ticket, lock, read the truth, unlock, publish. What a validated walk shows may not be older than the truth before it.
 */
class PathTrieStressTest {
    private static final int DIRECTORIES = 6;
    private static final int FILES = 8;
    private static final int ROUNDS = 60_000;

    private final PathTrie trie = Nodes.open(new CacheLimits(64 << 10, 32));
    private final Object[] locks = new Object[DIRECTORIES];
    /** The version of a directory's mode, kept in its atime. */
    private final AtomicLongArray modes = new AtomicLongArray(DIRECTORIES);
    /** The version of a file, its contentId; even versions mean that it does not exist. */
    private final AtomicLongArray files = new AtomicLongArray(DIRECTORIES * FILES);

    private final AtomicLong validated = new AtomicLong();
    private final AtomicLong absences = new AtomicLong();
    private final AtomicInteger published = new AtomicInteger();
    private final AtomicInteger completed = new AtomicInteger();
    private final AtomicInteger repaired = new AtomicInteger();

    private static FsPath directoryPath(int d) {
        return path("/d" + d);
    }

    private static FsPath filePath(int d, int f) {
        return path("/d" + d + "/f" + f);
    }

    private INode directory(int d) {
        return dir(1, "d" + d, 100 + d).withTimes(1, modes.get(d));
    }

    private INode fileNode(int d, int f, long version) {
        return file(100 + d, "f" + f, 1_000 + d * FILES + f, version);
    }

    private void changeMode(int d) {
        synchronized (locks[d]) {
            trie.invalidate(Scope.NONE, List.of(directoryPath(d)));
            modes.addAndGet(d, 2);
        }
    }

    /**
     * Creates or removes a file, or changes the attributes of one that exists. Its version never passes that of its directory's mode:
     * a pair that shows otherwise mixes old and new.
     */
    private void changeFile(int d, int f, boolean attributes) {
        synchronized (locks[d]) {
            int i = d * FILES + f;
            if (files.get(i) + 2 > modes.get(d) || (attributes && files.get(i) % 2 == 0)) {
                return;
            }
            List<FsPath> listings = attributes ? List.of() : List.of(directoryPath(d));
            trie.invalidate(new Scope(List.of(filePath(d, f)), listings), List.of());
            files.addAndGet(i, attributes ? 2 : 1);
        }
    }

    /** The same as one whose moment this instance does not choose, and which others of the same directory may overlap. */
    private void changeFileHeld(int d, int f) {
        List<FsPath> entries = List.of(filePath(d, f));
        List<FsPath> listings = List.of(directoryPath(d));
        Ticket hold = trie.hold(new Scope(entries, listings), trie.ticket());
        List<Child> children = new ArrayList<>();
        synchronized (locks[d]) {
            int i = d * FILES + f;
            if (files.get(i) + 1 <= modes.get(d)) {
                long version = files.incrementAndGet(i);
                children.add(new Child(filePath(d, f), version % 2 == 1 ? fileNode(d, f, version) : null));
            }
        }
        trie.release(new CacheChange(new Scope(entries, listings), List.of(), children), hold, true);
        if (!children.isEmpty() && trie.walk(directoryPath(d)).listing() != null) {
            completed.incrementAndGet();
        }
    }

    private void fillFile(int d, int f) {
        Ticket ticket = trie.ticket();
        List<Fill> fills = new ArrayList<>();
        synchronized (locks[d]) {
            fills.add(new Fill.Link(directoryPath(d), directory(d)));
            long version = files.get(d * FILES + f);
            if (version % 2 == 1) {
                fills.add(new Fill.Entry(filePath(d, f), fileNode(d, f, version), f % 2 == 0 ? new byte[200] : null));
            }
        }
        if (trie.publish(ticket, fills)) {
            published.incrementAndGet();
        }
    }

    private void fillListing(int d) {
        Ticket ticket = trie.ticket();
        List<INode> children = new ArrayList<>();
        INode directory;
        synchronized (locks[d]) {
            directory = directory(d);
            for (int f = 0; f < FILES; f++) {
                long version = files.get(d * FILES + f);
                if (version % 2 == 1) {
                    children.add(fileNode(d, f, version));
                }
            }
        }
        trie.publish(
                ticket,
                List.of(
                        new Fill.Link(directoryPath(d), directory),
                        new Fill.Children(directoryPath(d), Listing.of(children))));
    }

    /** Reads what a cached listing no longer knows. */
    private void fillNames(int d) {
        Ticket ticket = trie.ticket();
        Walk walk = trie.walk(directoryPath(d));
        Listing listing = walk.listingButForNames();
        if (listing == null || listing.isComplete()) {
            return;
        }
        Map<String, INode> names = new HashMap<>();
        synchronized (locks[d]) {
            for (String name : listing.unknown()) {
                int f = name.charAt(1) - '0';
                long version = files.get(d * FILES + f);
                names.put(name, version % 2 == 1 ? fileNode(d, f, version) : null);
            }
        }
        trie.publish(ticket, List.of(new Fill.Names(directoryPath(d), names)));
        if (trie.walk(directoryPath(d)).listing() != null) {
            repaired.incrementAndGet();
        }
    }

    private void read(int d, int f) {
        long modeBefore = modes.get(d);
        long fileBefore = files.get(d * FILES + f);
        Walk walk = trie.walk(filePath(d, f));
        long mode = walk.known() > 1 ? walk.node(1).atime() : -1;
        long version = walk.isComplete() ? walk.node(2).contentId() : -1;
        if (!trie.isCurrent(walk.version())) {
            return;
        }
        validated.incrementAndGet();
        long fileAfter = files.get(d * FILES + f);
        if (mode >= 0) {
            assertThat(mode).isGreaterThanOrEqualTo(modeBefore);
        }
        if (version >= 0) {
            assertThat(version).isGreaterThanOrEqualTo(fileBefore).isLessThanOrEqualTo(mode);
        }
        if (walk.isAbsent() && walk.known() == 2) {
            absences.incrementAndGet();
            assertThat(fileBefore % 2 == 0 || fileAfter > fileBefore)
                    .as("absent while it existed at version %s", fileBefore)
                    .isTrue();
        }
    }

    private void act(Random random) {
        int d = random.nextInt(DIRECTORIES);
        int f = random.nextInt(FILES);
        int what = random.nextInt(100);
        if (what < 3) {
            changeMode(d);
        } else if (what < 8) {
            changeFile(d, f, random.nextBoolean());
        } else if (what < 12) {
            changeFileHeld(d, f);
        } else if (what < 30) {
            fillFile(d, f);
        } else if (what < 35) {
            fillListing(d);
        } else if (what < 40) {
            fillNames(d);
        } else {
            read(d, f);
        }
        if (random.nextInt(20_000) == 0) {
            trie.clear();
            trie.open();
        }
        if (random.nextInt(50) == 0) {
            Ticket ticket = trie.ticket();
            trie.publish(ticket, List.of(new Fill.Link(FsPath.ROOT, ROOT)));
        }
    }

    @Test
    void shouldNeverShowValidatedWalkWhatWasInvalidatedBefore() throws Exception {
        for (int d = 0; d < DIRECTORIES; d++) {
            locks[d] = new Object();
        }
        int threads = 4;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> runs = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                Random random = new Random(t);
                runs.add(pool.submit(() -> {
                    for (int i = 0; i < ROUNDS; i++) {
                        act(random);
                    }
                }));
            }
            for (Future<?> run : runs) {
                run.get();
            }
        } finally {
            pool.shutdownNow();
        }
        assertThat(validated.get()).isGreaterThan(ROUNDS);
        assertThat(absences.get()).isPositive();
        assertThat(published.get()).isPositive();
        assertThat(completed.get()).isPositive();
        assertThat(repaired.get()).isPositive();
        assertThat(trie.stats().voidedFills()).isPositive();
        assertThat(trie.stats().bytes()).isLessThanOrEqualTo(64 << 10);
    }
}
