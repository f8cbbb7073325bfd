package io.lambdafs.benchmarks;

import io.lambdafs.functions.cache.CacheLimits;
import io.lambdafs.functions.cache.Fill;
import io.lambdafs.functions.cache.Listing;
import io.lambdafs.functions.cache.PathTrie;
import io.lambdafs.functions.cache.Walk;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Measures the cache of an instance: directories of {@value #FILES} files, three names deep, in random order. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class TrieBenchmark {
    static final int FILES = 20;

    private static final long BLOCK_SIZE = 128L << 20;
    private static final FsPath TOP = FsPath.of("/top");
    private static final CacheLimits LIMITS = new CacheLimits(1L << 30, 4_096);
    private static final long SEED = 1;

    /** The smaller trie may fit a processor's caches; the larger one has a million files. */
    @Param({"1000", "50000"})
    public int directoryCount = 1_000;

    private final PathTrie trie = new PathTrie(LIMITS);
    private final PathTrie listings = new PathTrie(LIMITS);
    private final List<FsPath> directories = new ArrayList<>();
    private final List<FsPath> files = new ArrayList<>();
    private final List<FsPath> strangers = new ArrayList<>();
    private final List<Fill.Entry> entries = new ArrayList<>();
    private int turn;

    @Setup
    public void fill() {
        trie.open();
        List<Fill> fills = new ArrayList<>();
        INode root = directory(0, "", INode.ROOT_ID);
        INode top = directory(INode.ROOT_ID, "top", INode.FIRST_FREE_ID);
        fills.add(new Fill.Link(FsPath.ROOT, root));
        fills.add(new Fill.Link(TOP, top));
        long id = top.id();
        for (int i = 0; i < directoryCount; i++) {
            INode parent = directory(top.id(), "directory" + i, ++id);
            FsPath path = TOP.child(parent.name());
            fills.add(new Fill.Link(path, parent));
            for (int j = 0; j < FILES; j++) {
                INode file = file(parent.id(), "part" + j, ++id);
                Fill.Entry entry = new Fill.Entry(path.child(file.name()), file, null);
                entries.add(entry);
                files.add(entry.path());
                strangers.add(path.child("stranger" + j));
            }
        }
        listings.open();
        listings.publish(listings.ticket(), fills);
        publishListings();
        fills.addAll(entries);
        if (!trie.publish(trie.ticket(), fills)) {
            throw new IllegalStateException("the cache did not take what is measured");
        }
        Collections.shuffle(files, new Random(SEED));
        Collections.shuffle(strangers, new Random(SEED));
        Collections.shuffle(entries, new Random(SEED));
        Collections.shuffle(directories, new Random(SEED));
    }

    private void publishListings() {
        for (int i = 0; i < entries.size(); i += FILES) {
            List<INode> children =
                    entries.subList(i, i + FILES).stream().map(Fill.Entry::node).toList();
            FsPath path = entries.get(i).path().parent();
            directories.add(path);
            listings.publish(listings.ticket(), List.of(new Fill.Children(path, Listing.of(children))));
        }
    }

    private static INode directory(long parent, String name, long id) {
        return INode.directory(parent, name, id, "alice", "users", 0755, 1);
    }

    private static INode file(long parent, String name, long id) {
        INode.Traits traits =
                new INode.Traits(INode.Kind.FILE, "alice", "users", 0644, 3, BLOCK_SIZE, INode.Content.NONE);
        return new INode(parent, name, id, traits, 0, 1, 1, 0);
    }

    private int next() {
        turn = turn + 1 < files.size() ? turn + 1 : 0;
        return turn;
    }

    /** Walks to a file, reads it and validates, as a read from the cache does. */
    @Benchmark
    public boolean hit() {
        return hit(trie);
    }

    private boolean hit(PathTrie asked) {
        Walk walk = asked.walk(files.get(next()));
        if (!walk.isComplete()) {
            return false;
        }
        INode file = walk.node(walk.known() - 1);
        return file.isFile() && file.mtime() + file.size() + file.mode() > 0 && asked.isCurrent(walk.version());
    }

    /** The same for a file cached only in its directory's listing. */
    @Benchmark
    public boolean hitInListing() {
        return hit(listings);
    }

    /** Lists a directory of {@value #FILES} files and sums up the sizes and the lengths of the names. */
    @Benchmark
    public long list() {
        Listing listing =
                listings.walk(directories.get(next() % directoryCount)).listing();
        long sum = 0;
        for (int i = 0; listing != null && i < listing.size(); i++) {
            INode node = listing.get(i);
            sum += node.size() + node.name().length();
        }
        return sum;
    }

    /** Walks to a path whose last name is not cached. */
    @Benchmark
    public boolean miss() {
        return trie.walk(strangers.get(next())).isComplete();
    }

    /** Fills in an INode that is cached already: the cost of one fill. */
    @Benchmark
    public boolean insert() {
        return trie.publish(trie.ticket(), List.of(entries.get(next())));
    }

    /** Invalidates one file and fills it in again. */
    @Benchmark
    public boolean invalidateAndInsert() {
        Fill.Entry entry = entries.get(next());
        trie.invalidate(new io.lambdafs.model.Scope(List.of(entry.path()), List.of()), List.of());
        return trie.publish(trie.ticket(), List.of(entry));
    }
}
