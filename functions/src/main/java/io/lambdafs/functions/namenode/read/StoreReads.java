package io.lambdafs.functions.namenode.read;

import io.lambdafs.functions.cache.Fill;
import io.lambdafs.functions.cache.PathTrie;
import io.lambdafs.functions.cache.Ticket;
import io.lambdafs.functions.cache.Walk;
import io.lambdafs.functions.listing.SharedReads;
import io.lambdafs.functions.metrics.Telemetry;
import io.lambdafs.functions.namenode.Access;
import io.lambdafs.functions.namenode.NameNodeContext;
import io.lambdafs.functions.namenode.Resolver;
import io.lambdafs.functions.namenode.SafeMode;
import io.lambdafs.functions.namenode.Xattrs;
import io.lambdafs.functions.namenode.block.BlockReads;
import io.lambdafs.functions.namenode.block.DamagedFiles;
import io.lambdafs.functions.namenode.block.SmallFiles;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.functions.namenode.transaction.Chain;
import io.lambdafs.functions.namenode.transaction.Restart;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.DirectoryStats;
import io.lambdafs.model.inode.DirectoryTotals;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.Quota;
import io.lambdafs.model.operation.Placement;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.MetadataStore;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.StoreTransaction;
import io.lambdafs.store.format.TotalsState;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Executes reads that miss the cache (the paper's figure 5, steps 5–7): resolve the directories, read what is missing,
 * fill the cache, answer. A file is read under a shared lock, so that a value from between a writer's last ACK and its
 * commit is never cached. If that lock is not free, the answer comes from committed data and is not cached, because
 * waiting would delay writers in a busy directory. Only the owner deployment caches entries and listings; any instance
 * caches links. Thread-safe.
 */
public final class StoreReads {
    private final MetadataStore store;
    private final PathTrie trie;
    private final Resolver resolver;
    private final Access access;
    private final Supplier<Placement> placement;
    private final int deployment;
    private final DamagedFiles damaged;
    private final ListingReads unlocked;
    private final ListingPages listings;
    private final Telemetry telemetry;
    private final BlockReads blocks;
    private final SnapshotReads snapshots;
    private final SharedReads<WantedPage, ListingPages.Answer> pages = new SharedReads<>();

    /** @param placement of the current epoch */
    public StoreReads(
            NameNodeContext context,
            Supplier<Placement> placement,
            Resolver resolver,
            Access access,
            BlockReads blocks,
            SnapshotReads snapshots) {
        this.snapshots = snapshots;
        this.store = context.store();
        this.trie = context.trie();
        this.resolver = resolver;
        this.access = access;
        this.placement = placement;
        this.deployment = context.deployment();
        this.damaged = new DamagedFiles(context.store(), blocks::stores);
        this.unlocked = new ListingReads(context.store());
        this.listings = new ListingPages(context, unlocked);
        this.telemetry = context.telemetry();
        this.blocks = blocks;
    }

    /**
     * Returns the visitor that executes a call's operation.
     *
     * @param perform executes another read of the same caller, from the cache if possible
     */
    public ReadOperation.Visitor<CompletionStage<Reply>> of(
            Call call, Function<ReadOperation<?>, CompletionStage<Reply>> perform) {
        return new ReadOperation.Visitor<>() {
            @Override
            public CompletionStage<Reply> stat(ReadOperation.Stat operation) {
                return StoreReads.this.stat(call, operation);
            }

            @Override
            public CompletionStage<Reply> list(ReadOperation.ListPage operation) {
                return StoreReads.this.list(call, operation);
            }

            @Override
            public CompletionStage<Reply> listEach(ReadOperation.ListEach operation) {
                // Each listing counts as an execution itself.
                call.leaveInFlight();
                return new ListedDirectories(operation).readAll(perform);
            }

            @Override
            public CompletionStage<Reply> open(ReadOperation.Open operation) {
                return StoreReads.this.open(call, operation);
            }

            @Override
            public CompletionStage<Reply> access(ReadOperation.Access operation) {
                return StoreReads.this.access(call, operation);
            }

            @Override
            public CompletionStage<Reply> xattrs(ReadOperation.GetXattrs operation) {
                return StoreReads.this.xattrs(call, operation);
            }

            @Override
            public CompletionStage<Reply> safeMode(ReadOperation.GetSafeMode operation) {
                return readOne(call, Read.unlocked(SafeMode.KEY), 0).thenApply(row -> new Reply.Done(row != null));
            }

            @Override
            public CompletionStage<Reply> storagePolicy(ReadOperation.GetStoragePolicy operation) {
                return StoreReads.this.storagePolicy(call, operation.path());
            }

            @Override
            public CompletionStage<Reply> listDamaged(ReadOperation.ListDamaged operation) {
                return access.isSuperuser(call.caller())
                        ? damaged.after(call, operation.after())
                        : CompletableFuture.failedFuture(new FsException(
                                ErrorCode.PERMISSION_DENIED,
                                "permission denied: user=" + call.caller().user()
                                        + ": only a superuser is told which files are damaged"));
            }

            @Override
            public CompletionStage<Reply> totals(ReadOperation.GetTotals operation) {
                return StoreReads.this.totals(call, operation);
            }

            @Override
            public CompletionStage<Reply> diffSnapshots(ReadOperation.DiffSnapshots operation) {
                return snapshots.differences(call, operation);
            }

            @Override
            public CompletionStage<Reply> acl(ReadOperation.GetAcl operation) {
                return readLast(
                        call,
                        operation.path(),
                        false,
                        found -> CompletableFuture.completedFuture(Reply.AclStatus.of(found.node())));
            }
        };
    }

    private CompletionStage<Reply> stat(Call call, ReadOperation.Stat operation) {
        return readLast(call, operation.path(), false, found -> attributes(call, found));
    }

    private CompletionStage<Reply> open(Call call, ReadOperation.Open operation) {
        return readLast(call, operation.path(), true, found -> {
            if (found.node().isDirectory()) {
                throw new FsException(ErrorCode.IS_A_DIRECTORY, "is a directory: \"" + operation.path() + "\"");
            }
            access.check(call.caller(), found.node(), Access.READ, operation.path());
            return found.node().content().isInBlocks()
                    ? blocks.open(call, found.node(), operation.offset())
                    : CompletableFuture.completedFuture(CachedReads.opened(found.node(), found.content()));
        });
    }

    private CompletionStage<Reply> access(Call call, ReadOperation.Access operation) {
        return readLast(call, operation.path(), false, found -> {
            access.check(call.caller(), found.node(), operation.wanted(), operation.path());
            return CompletableFuture.completedFuture(Reply.Done.YES);
        });
    }

    private CompletionStage<Reply> xattrs(Call call, ReadOperation.GetXattrs operation) {
        return readLast(call, operation.path(), false, found -> {
            if (operation.withValues()) {
                access.check(call.caller(), found.node(), Access.READ, operation.path());
            }
            boolean trusted = access.isSuperuser(call.caller());
            return found.node().hasXattrs()
                    ? readOne(call, Read.unlocked(Rows.xattrsKey(found.node().id())), 0)
                            .thenApply(row -> Xattrs.shown(found.node(), row, operation.withValues(), trusted))
                    : CompletableFuture.completedFuture(Reply.Xattrs.NONE);
        });
    }

    private CompletionStage<Reply> storagePolicy(Call call, FsPath path) {
        return resolver.resolve(call, path, path.depth()).thenCompose(chain -> {
            access.checkRead(call.caller(), chain, path);
            if (!chain.reaches(path.depth())) {
                chain.directory(path.depth());
            }
            access.check(call.caller(), chain.last(), Access.READ, path);
            return blocks.namedStores().thenApply(stores -> new Reply.StoragePolicy(chain.storagePolicy(), stores));
        });
    }

    /** Whoever may list a directory is told its totals: they name nothing that is below. */
    private CompletionStage<Reply> totals(Call call, ReadOperation.GetTotals operation) {
        FsPath path = operation.path();
        return readLast(call, path, false, found -> {
            INode node = found.node();
            if (node.isFile()) {
                return CompletableFuture.completedFuture(totals(node, null, false));
            }
            access.check(call.caller(), node, Access.READ | Access.EXECUTE, path);
            return call.begin(store)
                    .readAndEnd(List.of(Read.unlocked(Rows.totalsKey(node.id())), Read.unlocked(TotalsState.KEY)), 0)
                    .thenApply(rows -> {
                        TotalsState.checkExact(rows.get(1));
                        return totals(node, rows.get(0), operation.withQuota());
                    });
        });
    }

    private static Reply.Totals totals(INode top, @Nullable Row below, boolean withQuota) {
        DirectoryTotals all = Rows.totals(below).plus(DirectoryTotals.of(top)).told();
        return new Reply.Totals(
                all.files(),
                all.directories(),
                all.bytes(),
                all.space(),
                withQuota ? Rows.quota(below) : Quota.UNLIMITED);
    }

    /** Identifies a page of a directory under an epoch; all permitted callers get the same answer. */
    private record WantedPage(long directory, long epoch, ReadOperation.ListPage page) {}

    private CompletionStage<Reply> list(Call call, ReadOperation.ListPage operation) {
        FsPath path = operation.path();
        return resolver.resolve(call, path, path.depth()).thenCompose(chain -> {
            access.checkRead(call.caller(), chain, path);
            if (chain.reaches(path.depth()) && chain.last().isFile()) {
                Attributes one = Attributes.of(chain.last(), DirectoryStats.EMPTY);
                return CompletableFuture.completedFuture(new Reply.Page(List.of(one), false));
            }
            INode directory = chain.directory(path.depth());
            access.check(call.caller(), directory, Access.READ | Access.EXECUTE, path);
            boolean fill = trie.caches() && placement.get().ofChildren(path) == deployment;
            return pages.read(
                            new WantedPage(directory.id(), call.epoch(), operation),
                            () -> fill
                                    ? listings.page(call, operation, directory)
                                    : unlocked.page(call, operation, directory)
                                            .thenApply(page -> new ListingPages.Answer(page, Telemetry.Listed.PAGE)))
                    .thenApply(answer -> {
                        telemetry.listed(answer.from());
                        return answer.reply();
                    });
        });
    }

    /** The last component as it was read. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Found(INode node, byte @Nullable [] content) {}

    private CompletionStage<Reply> attributes(Call call, Found found) {
        INode node = found.node();
        if (node.isFile()) {
            return CompletableFuture.completedFuture(new Reply.Status(Attributes.of(node, DirectoryStats.EMPTY)));
        }
        return call.begin(store)
                .readAndEnd(List.of(Read.unlocked(Rows.statsKey(node.id()))), 0)
                .thenApply(rows -> new Reply.Status(Attributes.of(node, Rows.stats(rows.get(0)))));
    }

    private CompletionStage<Reply> readLast(
            Call call, FsPath path, boolean withContent, Function<Found, CompletionStage<Reply>> answer) {
        int parentDepth = Math.max(0, path.depth() - 1);
        return resolver.resolve(call, path, parentDepth).thenCompose(chain -> {
            access.checkRead(call.caller(), chain, path);
            INode parent = chain.directory(parentDepth);
            if (path.isRoot()) {
                return answer.apply(new Found(parent, null));
            }
            Walk walk = trie.walk(path);
            if (walk.isComplete() && walk.node(path.depth()).isDirectory()) {
                return answer.apply(new Found(walk.node(path.depth()), null));
            }
            CompletionStage<Found> last = trie.caches()
                    ? fillLast(call, path, parent, withContent)
                    : readUnlocked(call, path, parent, withContent);
            return last.thenCompose(answer);
        });
    }

    private CompletionStage<Found> fillLast(Call call, FsPath path, INode parent, boolean withContent) {
        boolean owner = placement.get().owner(path) == deployment;
        Ticket ticket = call.ticket(trie);
        CompletableFuture<Found> found = readLocked(call, path, parent, withContent)
                .thenApply(read -> {
                    publish(ticket, path, read, owner);
                    return read;
                })
                .toCompletableFuture();
        return found.exceptionallyCompose(error -> FsException.of(error).code() == ErrorCode.STORE_CONFLICT
                        && !(FsException.unwrap(error) instanceof Restart)
                ? readUnlocked(call, path, parent, withContent)
                : CompletableFuture.failedFuture(error));
    }

    private void publish(Ticket ticket, FsPath path, Found read, boolean owner) {
        if (read.node().isDirectory()) {
            trie.publish(ticket, List.of(new Fill.Link(path, read.node())));
        } else if (owner) {
            trie.publish(ticket, List.of(new Fill.Entry(path, read.node(), read.content())));
        }
    }

    private CompletionStage<Found> readLocked(Call call, FsPath path, INode parent, boolean withContent) {
        Read last = Read.shared(Rows.inodeKey(parent.id(), path.name()));
        return readOne(call, last, StoreTransaction.AT_ONCE)
                .thenCompose(row -> withContent(call, path, row, withContent));
    }

    private CompletionStage<Found> readUnlocked(Call call, FsPath path, INode parent, boolean withContent) {
        return readOne(call, Read.unlocked(Rows.inodeKey(parent.id(), path.name())), 0)
                .thenCompose(row -> withContent(call, path, row, withContent));
    }

    private CompletionStage<@Nullable Row> readOne(Call call, Read read, long lockWaitNanos) {
        return call.begin(store).readAndEnd(List.of(read), lockWaitNanos).thenApply(rows -> rows.get(0));
    }

    /**
     * Reads inline content, which a file gets only once: it matches the row, or is gone because the file changed
     * meanwhile, and then everything is reread.
     */
    private CompletionStage<Found> withContent(Call call, FsPath path, @Nullable Row row, boolean withContent) {
        if (row == null) {
            return CompletableFuture.failedFuture(Chain.notFound(path));
        }
        INode node = Rows.inode(row);
        if (node.isFlagged()) {
            return CompletableFuture.failedFuture(Restart.flagged(node));
        }
        if (!withContent || node.content() != INode.Content.INLINE) {
            return CompletableFuture.completedFuture(new Found(node, null));
        }
        Read content = Read.unlocked(Rows.contentKey(node.id()));
        return readOne(call, content, 0).thenApply(found -> {
            if (found == null) {
                throw Restart.changed("the file");
            }
            return new Found(node, SmallFiles.shown(node, found.bytes(0)));
        });
    }
}
