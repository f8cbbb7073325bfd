package io.lambdafs.benchmarks.stores;

import io.lambdafs.hammer.loop.Calls;
import io.lambdafs.hammer.loop.ClosedLoop;
import io.lambdafs.hammer.loop.LoopResult;
import io.lambdafs.hammer.loop.Span;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.INode;
import io.lambdafs.store.Guard;
import io.lambdafs.store.GuardedCommit;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** Loads a store as instances do, with one message per operation where the protocol has one. Confined to one thread. */
final class SpiLoad {
    private static final int FILLS_AT_ONCE = 16;

    private final MetadataStore store;
    private final int directories;
    private final AtomicLong numbers = new AtomicLong(System.nanoTime());

    /** @param directories directories of the initial namespace, each with {@link Kind#LISTED} files */
    SpiLoad(MetadataStore store, int directories) {
        this.store = store;
        this.directories = directories;
    }

    /** Fills the store with the initial namespace. */
    void fill() throws InterruptedException {
        AtomicInteger next = new AtomicInteger();
        Calls<Integer> calls = lane -> {
            int directory = next.getAndIncrement();
            return directory < directories ? directory : null;
        };
        LoopResult unused = run(FILLS_AT_ONCE, Span.untilFailure(System.nanoTime()), calls, directory -> {
            List<Mutation> changes = new ArrayList<>();
            Namespace.rows(directory).forEach(row -> changes.add(new Mutation.Put(row)));
            return store.begin(0).commit(changes, Long.MAX_VALUE);
        });
    }

    /** Returns operations per second. */
    double perSecond(Kind kind, double seconds) throws InterruptedException {
        Lane[] lanes = new Lane[Kind.IN_FLIGHT];
        Arrays.setAll(lanes, Lane::new);
        if (kind == Kind.RENAME) {
            Calls<Lane> first = lane -> lanes[lane].moves == null ? lanes[lane] : null;
            LoopResult unused = run(lanes.length, Span.untilFailure(System.nanoTime()), first, Lane::makeOne);
        }
        Span span = Span.drained(System.nanoTime(), Duration.ofNanos((long) (seconds * 1e9)));
        Calls<Lane> each = lane -> lanes[lane];
        return run(lanes.length, span, each, lane -> lane.ask(kind)).opsPerSecond();
    }

    private static <C> LoopResult run(int lanes, Span span, Calls<C> calls, ClosedLoop.Sender<C> sender)
            throws InterruptedException {
        LoopResult result =
                new ClosedLoop<>(calls, sender).describedBy(call -> "the store").run(lanes, span);
        if (result.failed() > 0) {
            throw new FsException(ErrorCode.INTERNAL, result.failures().get(0));
        }
        return result;
    }

    /** A lane: one of the concurrent sequences of operations. */
    private final class Lane {
        private final int number;
        private long sequence;
        /** The file that renames move. */
        private @Nullable INode moves;

        Lane(int number) {
            this.number = number;
        }

        CompletionStage<Boolean> ask(Kind kind) {
            ThreadLocalRandom random = ThreadLocalRandom.current();
            int directory = random.nextInt(directories);
            return switch (kind) {
                case STAT -> {
                    INode wanted = Namespace.listed(directory, random.nextInt(Kind.LISTED));
                    yield store.begin(0)
                            .readAndEnd(List.of(Read.shared(Rows.inodeKey(wanted.parentId(), wanted.name()))), 0)
                            .thenApply(rows -> there(rows.get(0) != null));
                }
                case LISTING -> {
                    StoreTransaction transaction = store.begin(0);
                    yield transaction
                            .scan(new Scan(
                                    Schema.INODES,
                                    Namespace.directory(listable(directory)).id(),
                                    null,
                                    Kind.LISTED))
                            .thenApply(rows -> {
                                transaction.abort();
                                return there(rows.size() == Kind.LISTED);
                            });
                }
                case CREATE -> makeOne();
                case RENAME -> move();
            };
        }

        /**
         * Returns a directory with only its initial files: files are created and moved in the first directories alone.
         */
        private int listable(int directory) {
            return directories > Kind.DIRECTORIES
                    ? Kind.DIRECTORIES + directory % (directories - Kind.DIRECTORIES)
                    : directory;
        }

        private int written() {
            return ThreadLocalRandom.current().nextInt(Math.min(directories, Kind.DIRECTORIES));
        }

        CompletionStage<Boolean> makeOne() {
            INode file = Namespace.file(written(), "new-" + numbers.incrementAndGet(), numbers.get());
            moves = file;
            INode parent = parent(file);
            return commit(new GuardedCommit(
                    List.of(
                            Read.shared(Rows.inodeKey(parent.parentId(), parent.name())),
                            Read.shared(Rows.listingKey(parent.id())),
                            Read.exclusive(Rows.inodeKey(file.parentId(), file.name()))),
                    List.of(new Guard.Same(Rows.of(parent)), new Guard.Any(), new Guard.Absent()),
                    List.of(
                            Rows.childrenChanged(parent.id(), 1, file.id()),
                            new Mutation.Put(Rows.of(file)),
                            new Mutation.Put(Namespace.slot(number, ++sequence))),
                    Long.MAX_VALUE));
        }

        private CompletionStage<Boolean> move() {
            INode from = java.util.Objects.requireNonNull(moves);
            INode to = Namespace.file(written(), "new-" + numbers.incrementAndGet(), from.id());
            moves = to;
            Row before = Rows.of(from);
            return commit(new GuardedCommit(
                    List.of(
                            Read.shared(Rows.listingKey(from.parentId())),
                            Read.shared(Rows.listingKey(to.parentId())),
                            Read.exclusive(before.key()),
                            Read.exclusive(Rows.inodeKey(to.parentId(), to.name()))),
                    List.of(new Guard.Any(), new Guard.Any(), new Guard.Present(), new Guard.Absent()),
                    List.of(
                            new Mutation.Delete(before.key()),
                            new Mutation.Put(Rows.of(to)),
                            Rows.childrenChanged(from.parentId(), -1, to.id()),
                            Rows.childrenChanged(to.parentId(), 1, to.id()),
                            new Mutation.Put(Namespace.slot(number, ++sequence))),
                    Long.MAX_VALUE));
        }

        private CompletionStage<Boolean> commit(GuardedCommit commit) {
            return store.begin(0).commitIf(commit).thenApply(rows -> there(rows.isEmpty()));
        }
    }

    private static INode parent(INode file) {
        return Namespace.directory(
                (int) (file.parentId() - Namespace.directory(0).id()));
    }

    private static boolean there(boolean asExpected) {
        if (!asExpected) {
            throw new IllegalStateException("the store has not what was put there");
        }
        return true;
    }
}
