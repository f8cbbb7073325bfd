package io.lambdafs.benchmarks;

import io.lambdafs.model.disk.Folders;
import io.lambdafs.model.inode.INode;
import io.lambdafs.rpc.SystemScheduler;
import io.lambdafs.rpc.TransportLimits;
import io.lambdafs.rpc.auth.Tokens;
import io.lambdafs.rpc.netty.NettyTransport;
import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.embedded.RocksSettings;
import io.lambdafs.store.embedded.RocksStore;
import io.lambdafs.store.engine.StoreLimits;
import io.lambdafs.store.server.StoreClient;
import io.lambdafs.store.server.StoreMessages;
import io.lambdafs.store.server.StoreServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.LongFunction;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Compares the cost of 1 KB of content in a row of its own with its cost in the INode's row: a commit of a new file, a
 * read that the cache cannot answer, and a page of a listing, through a store server on the loopback with its embedded
 * engine and fsync. A row of the same size stands for an INode's row with content.
 */
@State(Scope.Thread)
@SuppressWarnings("NullAway.Init") // JMH opens the store before it measures.
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class SmallContentBenchmark {
    private static final int WINDOW = 64;
    private static final int FILES = 1_000;
    private static final int CONTENT_BYTES = 1_024;
    private static final int INODE_BYTES = 150;
    private static final long DIRECTORY = 1_000;
    private static final long INLINED = 2_000;
    private static final long FIRST_FILE = 1_000_000;
    private static final INode.Traits TRAITS =
            new INode.Traits(INode.Kind.FILE, "user", "users", 0644, 1, 128 << 20, INode.Content.INLINE);

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();
    private final byte[] content = new byte[CONTENT_BYTES];
    private final byte[] both = new byte[CONTENT_BYTES + INODE_BYTES];
    private final Random random = new Random(1);
    private Path directory;
    private MetadataStore store;
    private long next = FIRST_FILE;

    @Setup
    public void open() throws IOException {
        random.nextBytes(content);
        random.nextBytes(both);
        directory = Files.createTempDirectory("lambdafs-small-content-");
        SystemScheduler scheduler = part(new SystemScheduler("small-content", 1, 4 * WINDOW));
        RocksStore engine =
                part(RocksStore.open(scheduler, StoreLimits.defaults(), RocksSettings.of(directory.resolve("store"))));
        NettyTransport transport = part(new NettyTransport(StoreMessages.codec(), 1, "store", TransportLimits.DEFAULT));
        Tokens tokens = Tokens.insecure();
        StoreServer server = part(join(StoreServer.start(
                engine, transport, tokens, new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))));
        NettyTransport dialler =
                part(new NettyTransport(StoreMessages.codec(), 1, "instance", TransportLimits.DEFAULT));
        store = part(StoreClient.connect(dialler, scheduler, server.address(), tokens));
        for (int i = 0; i < FILES; i++) {
            join(store.begin(0).commit(own(FIRST_FILE + i), Long.MAX_VALUE));
            join(store.begin(0).commit(inlined(FIRST_FILE + i), Long.MAX_VALUE));
        }
        next = FIRST_FILE + FILES;
    }

    @TearDown
    public void close() throws Exception {
        while (!parts.isEmpty()) {
            parts.pop().close();
        }
        Folders.delete(directory);
    }

    private <T extends AutoCloseable> T part(T part) {
        parts.push(part);
        return part;
    }

    private static <T> T join(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    private static Key inode(long id) {
        return Rows.inodeKey(DIRECTORY, Long.toString(id));
    }

    private List<Mutation> own(long id) {
        INode file = new INode(DIRECTORY, Long.toString(id), id, TRAITS, CONTENT_BYTES, id, id, 0);
        return List.of(
                Rows.childrenChanged(DIRECTORY, 1, id),
                new Mutation.Put(Rows.of(file)),
                new Mutation.Put(new Row(Rows.contentKey(id), (Object) content)));
    }

    private List<Mutation> inlined(long id) {
        return List.of(
                Rows.childrenChanged(INLINED, 1, id),
                new Mutation.Put(new Row(Schema.SMALL_FILES.key(INLINED, id), (Object) both)));
    }

    private long commits(LongFunction<List<Mutation>> of) {
        List<CompletableFuture<Void>> under = new ArrayList<>();
        for (int i = 0; i < WINDOW; i++) {
            under.add(store.begin(0).commit(of.apply(next++), Long.MAX_VALUE).toCompletableFuture());
        }
        CompletableFuture.allOf(under.toArray(CompletableFuture<?>[]::new)).join();
        return next;
    }

    /** Creates files with the content in a second row, 64 at once. */
    @Benchmark
    @OperationsPerInvocation(WINDOW)
    public long commitOwnRow() {
        return commits(this::own);
    }

    /** Creates files with the content in the INode's row, 64 at once. */
    @Benchmark
    @OperationsPerInvocation(WINDOW)
    public long commitInlined() {
        return commits(this::inlined);
    }

    private Row read(Read read) {
        return Objects.requireNonNull(join(store.begin(0).readAndEnd(List.of(read), StoreTransaction.AT_ONCE))
                .get(0));
    }

    private long some() {
        return FIRST_FILE + random.nextInt(FILES);
    }

    /** Reads the INode, then its content. */
    @Benchmark
    public int openOwnRow() {
        INode file = Rows.inode(read(Read.shared(inode(some()))));
        return read(Read.unlocked(Rows.contentKey(file.id()))).bytes(0).length;
    }

    /** Reads the INode with its content. */
    @Benchmark
    public int openInlined() {
        return read(Read.shared(Schema.SMALL_FILES.key(INLINED, some()))).bytes(0).length;
    }

    private int list(Scan scan) {
        StoreTransaction transaction = store.begin(0);
        int rows = join(transaction.scan(scan)).size();
        transaction.abort();
        return rows;
    }

    /** Reads a page of 1,000 INodes. */
    @Benchmark
    public int listOwnRow() {
        return list(new Scan(Schema.INODES, DIRECTORY, null, FILES));
    }

    /** Reads a page of 1,000 INodes with their contents. */
    @Benchmark
    public int listInlined() {
        return list(new Scan(Schema.SMALL_FILES, INLINED, null, FILES));
    }
}
