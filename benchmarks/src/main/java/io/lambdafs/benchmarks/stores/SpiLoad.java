package io.lambdafs.benchmarks.stores;

import io.lambdafs.model.FsException;
import io.lambdafs.model.INode;
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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Loads a store as instances do, with one message per operation where the protocol has one. Confined to one thread. */
final class SpiLoad {
    private static final int FILLS_AT_ONCE = 16;

    private final MetadataStore store;
    private final int directories;
    private final AtomicLong numbers = new AtomicLong(System.nanoTime());
    private final AtomicReference<@Nullable FsException> failure = new AtomicReference<>();

    /** @param directories directories of the initial namespace, each with {@link Kind#LISTED} files */
    SpiLoad(MetadataStore store, int directories) {
        this.store = store;
        this.directories = directories;
    }

    /** Fills the store with the initial namespace. */
    void fill() throws InterruptedException {
        AtomicLong next = new AtomicLong();
        inLanes(FILLS_AT_ONCE, lane -> {
            int directory = (int) next.getAndIncrement();
            if (directory >= directories) {
                return null;
            }
            List<Mutation> changes = new ArrayList<>();
            Namespace.rows(directory).forEach(row -> changes.add(new Mutation.Put(row)));
            return store.begin(0).commit(changes, Long.MAX_VALUE).thenApply(done -> true);
        });
    }

    /** Returns operations per second. */
    double perSecond(Kind kind, double seconds) throws InterruptedException {
        AtomicLong done = new AtomicLong();
        long began = System.nanoTime();
        long until = began + (long) (seconds * 1e9);
        Lane[] lanes = new Lane[Kind.IN_FLIGHT];
        for (int i = 0; i < lanes.length; i++) {
            lanes[i] = new Lane(i);
        }
        if (kind == Kind.RENAME) {
            inLanes(lanes.length, lane -> lanes[lane].moves == null ? lanes[lane].makeOne() : null);
            began = System.nanoTime();
            until = began + (long) (seconds * 1e9);
        }
        long end = until;
        inLanes(lanes.length, lane -> {
            if (System.nanoTime() - end >= 0) {
                return null;
            }
            return lanes[lane].ask(kind).thenApply(answered -> {
                done.incrementAndGet();
                return true;
            });
        });
        return done.get() * 1e9 / (System.nanoTime() - began);
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

    /** The next step of a lane; null when it is done. */
    @FunctionalInterface
    private interface Next {
        @Nullable
        CompletionStage<Boolean> ask(int lane);
    }

    private void inLanes(int lanes, Next next) throws InterruptedException {
        CountDownLatch over = new CountDownLatch(lanes);
        for (int i = 0; i < lanes; i++) {
            goOn(i, next, over);
        }
        over.await();
        FsException first = failure.get();
        if (first != null) {
            throw first;
        }
    }

    private void goOn(int lane, Next next, CountDownLatch over) {
        while (true) {
            CompletionStage<Boolean> asked = failure.get() == null ? next.ask(lane) : null;
            if (asked == null) {
                over.countDown();
                return;
            }
            CompletableFuture<Boolean> answer = asked.toCompletableFuture();
            if (!answer.isDone()) {
                answer.whenComplete((answered, thrown) -> {
                    note(thrown);
                    goOn(lane, next, over);
                });
                return;
            }
            answer.whenComplete((answered, thrown) -> note(thrown));
        }
    }

    private void note(@Nullable Throwable thrown) {
        if (thrown != null) {
            failure.compareAndSet(null, FsException.of(thrown));
        }
    }
}
