package io.lambdafs.functions.namenode.read;

import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.Difference;
import io.lambdafs.model.operation.Difference.Kind;
import io.lambdafs.model.time.Loop;
import io.lambdafs.store.Key;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.Scan;
import io.lambdafs.store.Schema;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.Table;
import io.lambdafs.store.snapshot.Kept;
import io.lambdafs.store.snapshot.SnapshotNumber;
import io.lambdafs.store.snapshot.Version;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Finds what became of files and directories between an earlier and a later snapshot of a directory (PROTOCOL: V4). It
 * reads what snapshots have kept since the earlier one, and lists the directories in which or below which anything
 * changed before the later one: not the tree. Single use.
 */
final class SnapshotDiff {
    private static final int PAGE = 1_000;
    private static final int BATCH = 200;
    /** More changes than a reply tells in a useful time. */
    private static final int MOST = 1_000_000;

    private final MetadataStore store;
    private final Call call;
    private final INode top;
    private final long earlier;
    private final long later;
    private final boolean backwards;

    /** By id: the rows that the snapshots see and that have changed since, or before the later one. */
    private final Map<Long, Version> seenEarlier = new HashMap<>();

    private final Map<Long, Version> seenLater = new HashMap<>();
    private final Set<Long> changed = new HashSet<>();
    /** The only INodes of interest; null for all. */
    private @Nullable Set<Long> interesting;

    private final Map<Long, INode> current = new HashMap<>();

    SnapshotDiff(MetadataStore store, Call call, INode top, SnapshotView from, SnapshotView to) {
        this.store = store;
        this.call = call;
        this.top = top;
        this.backwards = from.number() > to.number();
        this.earlier = Math.min(from.number(), to.number());
        this.later = Math.max(from.number(), to.number());
    }

    /** Returns all differences, in no order. */
    CompletionStage<List<Difference>> all() {
        if (earlier == later) {
            return CompletableFuture.completedFuture(List.of());
        }
        return kept(number -> number < later)
                .thenCompose(done -> each(new ArrayDeque<>(changed), id -> rows(id, null)))
                .thenCompose(done -> again())
                .thenCompose(done -> locate())
                .thenApply(done -> compared());
    }

    /**
     * Reads what was kept since the later snapshot, which tells of rows that changed after they were read. Of what is there
     * now, only those are of interest that have been found already.
     */
    private CompletionStage<@Nullable Void> again() {
        if (later == Long.MAX_VALUE) {
            Set<Long> ids = new HashSet<>(seenEarlier.keySet());
            ids.addAll(seenLater.keySet());
            interesting = ids;
            return kept(number -> true);
        }
        return kept(number -> number >= later);
    }

    private CompletionStage<List<Row>> scan(Table table, long partition, @Nullable Object from) {
        StoreTransaction look = call.begin(store);
        return look.scan(new Scan(table, partition, from, PAGE)).whenComplete((rows, error) -> look.abort());
    }

    private static <T> CompletionStage<@Nullable Void> each(Deque<T> left, Function<T, CompletionStage<?>> action) {
        return Loop.whileTrue(() -> {
            T next = left.poll();
            return next == null
                    ? CompletableFuture.completedFuture(false)
                    : action.apply(next).thenApply(done -> true);
        });
    }

    /** Reads what snapshots keep that could see more than the earlier one, from the last on: entries only move down. */
    private CompletionStage<@Nullable Void> kept(Predicate<Long> wanted) {
        Deque<Long> numbers = new ArrayDeque<>();
        return numbers(numbers, earlier - 1, wanted)
                .thenCompose(done -> each(numbers, number -> entries(number, null)));
    }

    private CompletionStage<Void> numbers(Deque<Long> numbers, long from, Predicate<Long> wanted) {
        return scan(Schema.SNAPSHOT_NUMBERS, 0, from).thenCompose(rows -> {
            for (Row row : rows) {
                SnapshotNumber number = SnapshotNumber.of(row);
                if ((number.isLive() || number.writes() > 0) && wanted.test(number.number())) {
                    numbers.addFirst(number.number());
                }
            }
            return rows.size() < PAGE
                    ? CompletableFuture.completedFuture(null)
                    : numbers(numbers, rows.get(PAGE - 1).key().int64(1), wanted);
        });
    }

    private CompletionStage<?> entries(long number, @Nullable String from) {
        return scan(Schema.KEPT, number, from).thenCompose(rows -> {
            Deque<List<Read>> batches = new ArrayDeque<>();
            for (Row row : rows) {
                Kept entry = Kept.of(row);
                if (entry.top() != 0 && entry.top() != top.id()) {
                    continue;
                }
                boolean inBetween = entry.number() >= earlier && entry.number() < later;
                if (inBetween) {
                    changed.add(entry.owner());
                }
                if (!entry.version().isEmpty() && entry.number() >= earlier && entry.stamp() < later) {
                    if (batches.isEmpty() || batches.getLast().size() == BATCH) {
                        batches.add(new ArrayList<>());
                    }
                    batches.getLast().add(Read.unlocked(entry.target()));
                }
            }
            return each(batches, this::versions)
                    .thenCompose(done -> rows.size() < PAGE
                            ? CompletableFuture.completedFuture(null)
                            : entries(number, rows.get(PAGE - 1).key().string(1)));
        });
    }

    private CompletionStage<?> versions(List<Read> keys) {
        return call.begin(store).readAndEnd(keys, 0).thenAccept(rows -> {
            for (Row row : rows) {
                if (row != null) {
                    add(Version.of(row));
                }
            }
        });
    }

    private void add(Version version) {
        INode node = version.node();
        if (node.name().equals(Version.TOP) || (interesting != null && !interesting.contains(node.id()))) {
            return;
        }
        if (version.isSeenBy(earlier)) {
            seenEarlier.merge(node.id(), version, SnapshotDiff::first);
        }
        if (version.isSeenBy(later)) {
            seenLater.merge(node.id(), version, SnapshotDiff::first);
        }
        if (seenEarlier.size() + seenLater.size() > MOST) {
            throw new FsException(
                    ErrorCode.UNSUPPORTED,
                    "there are more than " + MOST + " changes between the snapshots; compare their paths instead");
        }
    }

    /** Returns the version that was the first to be replaced: a snapshot cannot have seen what came after. */
    private static Version first(Version a, Version b) {
        return a.number() <= b.number() ? a : b;
    }

    /** Reads the children of a directory that were written between the snapshots and are there now. */
    private CompletionStage<?> rows(long directory, @Nullable String from) {
        return scan(Schema.INODES, directory, from).thenCompose(rows -> {
            for (Row row : rows) {
                INode node = Rows.inode(row).withMark(null);
                if (node.stamp() >= earlier && node.stamp() < later) {
                    add(new Version(node, Long.MAX_VALUE));
                }
            }
            return rows.size() < PAGE
                    ? CompletableFuture.completedFuture(null)
                    : rows(directory, rows.get(PAGE - 1).key().string(1));
        });
    }

    /** Reads where the directories are now on whose paths anything has changed. */
    private CompletionStage<@Nullable Void> locate() {
        Deque<Long> left = new ArrayDeque<>(changed);
        for (Map<Long, Version> side : List.of(seenEarlier, seenLater)) {
            side.values().forEach(version -> left.add(version.node().parentId()));
        }
        Set<Long> asked = new HashSet<>();
        return each(left, id -> {
            if (id == top.id() || id == INode.ROOT_ID || !asked.add(id)) {
                return CompletableFuture.completedFuture(null);
            }
            return read(Rows.locationKey(id))
                    .thenCompose(at -> at == null
                            ? CompletableFuture.completedFuture(null)
                            : read(Rows.inodeKey(at.int64(0), at.string(1))))
                    .thenAccept(row -> {
                        if (row != null && Rows.inode(row).id() == id) {
                            current.put(id, Rows.inode(row));
                            left.add(row.key().int64(0));
                        }
                    });
        });
    }

    private CompletionStage<@Nullable Row> read(Key key) {
        return call.begin(store).readAndEnd(List.of(Read.unlocked(key)), 0).thenApply(rows -> rows.get(0));
    }

    /** One of the two snapshots, and what it sees that is not there now. */
    private final class Side {
        private final long number;
        private final Map<Long, Version> seen;
        private final Map<Long, String> known = new HashMap<>();

        Side(long number, Map<Long, Version> seen) {
            this.number = number;
            this.seen = seen;
            known.put(top.id(), "");
        }

        /** Returns a directory's path below the top; null if it was not there. */
        @Nullable
        String path(long directory) {
            String found = known.get(directory);
            if (found == null && !known.containsKey(directory)) {
                // Directories that moved during the comparison could form a cycle.
                known.put(directory, null);
                INode now = current.get(directory);
                Version version = seen.get(directory);
                found = version != null ? path(version.node()) : now != null && now.stamp() < number ? path(now) : null;
                known.put(directory, found);
            }
            return found;
        }

        @Nullable
        String path(@Nullable INode node) {
            if (node == null) {
                return null;
            }
            String above = path(node.parentId());
            return above == null ? null : above.isEmpty() ? node.name() : above + "/" + node.name();
        }
    }

    private List<Difference> compared() {
        Side from = new Side(earlier, seenEarlier);
        Side to = new Side(later, seenLater);
        Set<Difference> found = new HashSet<>();
        Set<Long> parents = new HashSet<>();
        Set<Long> ids = new HashSet<>(seenEarlier.keySet());
        ids.addAll(seenLater.keySet());
        for (Long id : ids) {
            Version first = seenEarlier.get(id);
            Version last = seenLater.get(id);
            if (first != null && first.equals(last)) {
                continue;
            }
            INode was = first == null ? null : first.node();
            INode is = last == null ? null : last.node();
            String source = from.path(was);
            String target = to.path(is);
            if (was != null && is != null && source != null && target != null) {
                boolean moved = was.parentId() != is.parentId() || !was.name().equals(is.name());
                if (moved) {
                    found.add(new Difference(Kind.RENAMED, source, target));
                    parents.add(was.parentId());
                    parents.add(is.parentId());
                }
                INode same = was.withLocation(is.parentId(), is.name())
                        .withEra(is.stamp(), is.floor())
                        .withHeld(is.isHeld())
                        .withAlone(is.isAlone());
                if (!same.equals(is)) {
                    found.add(modified(source, target));
                }
            } else if (was != null && source != null && to.path(was.parentId()) != null) {
                found.add(new Difference(Kind.DELETED, source, ""));
                parents.add(was.parentId());
            } else if (is != null && target != null && from.path(is.parentId()) != null) {
                found.add(new Difference(Kind.CREATED, target, ""));
                parents.add(is.parentId());
            }
        }
        for (Long parent : parents) {
            String source = from.path(parent);
            String target = to.path(parent);
            if (source != null && target != null) {
                found.add(modified(source, target));
            }
        }
        return backwards ? found.stream().map(Difference::reversed).toList() : List.copyOf(found);
    }

    private Difference modified(String earlierPath, String laterPath) {
        return new Difference(Kind.MODIFIED, backwards ? laterPath : earlierPath, "");
    }
}
