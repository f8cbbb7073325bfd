package io.lambdafs.functions.namenode.write;

import io.lambdafs.functions.cache.CacheChange;
import io.lambdafs.functions.cache.Child;
import io.lambdafs.functions.cache.Fill;
import io.lambdafs.functions.namenode.Access;
import io.lambdafs.functions.namenode.OperationContext;
import io.lambdafs.functions.namenode.block.BlockReads;
import io.lambdafs.functions.namenode.block.SmallFiles;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.functions.namenode.transaction.LockedRows;
import io.lambdafs.functions.namenode.transaction.Outcome;
import io.lambdafs.functions.namenode.transaction.Restart;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Scope;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.DirectoryStats;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.Change;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.block.WriterLease;
import io.lambdafs.store.format.FormatLevel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Writes on a file's writer lease: renew, abandon, take (FILES: F7, F8, F9). */
public final class LeaseWrites {
    /** HDFS's soft limit: silence after which another writer may take the file. */
    static final Duration SOFT_LIMIT = Duration.ofSeconds(60);
    /** HDFS's hard limit: silence after which the file is closed by the lease sweeper. */
    public static final Duration HARD_LIMIT = Duration.ofMinutes(20);

    private LeaseWrites() {}

    private static Mutation lease(Call call, long fileId, long generation, LockedRows rows) {
        return new Mutation.Put(new WriterLease(fileId, call.caller().user(), generation, rows.nowMillis()).row());
    }

    /** renewLease. */
    public static final class Renew extends OpenFileWrite {
        private final BlockOperation.RenewLease operation;

        public Renew(OperationContext context, Call call, BlockOperation.RenewLease operation) {
            super(context, call, new Writer(operation.path(), operation.file(), operation.generation()));
            this.operation = operation;
        }

        @Override
        Outcome decideOpen(INode parent, INode found, LockedRows rows) {
            checkGeneration(found);
            return Outcome.unchanged(Reply.Done.YES)
                    .withMutations(List.of(lease(call, found.id(), operation.generation(), rows)));
        }
    }

    /** abandon: removes a new file that its maker gives up. */
    public static final class Abandon extends OpenFileWrite {
        private final BlockOperation.Abandon operation;

        public Abandon(OperationContext context, Call call, BlockOperation.Abandon operation) {
            super(context, call, new Writer(operation.path(), operation.file(), operation.generation()));
            this.operation = operation;
        }

        @Override
        Outcome decideOpen(INode parent, INode found, LockedRows rows) {
            if (operation.generation() != 0) {
                checkGeneration(found);
            } else if (found.content() != INode.Content.NONE) {
                throw new FsException(ErrorCode.NOT_UNDER_CONSTRUCTION, "\"" + path + "\" has a content already");
            }
            checkOwn(parent, found);
            List<Mutation> mutations = new ArrayList<>();
            mutations.add(new Mutation.Delete(Rows.inodeKey(found.parentId(), found.name())));
            mutations.add(Rows.childrenChanged(parent.id(), -1, rows.nowMillis()));
            SmallFiles.remove(found, mutations);
            return new Outcome(
                    Reply.Done.YES,
                    mutations,
                    new CacheChange(Scope.of(path), List.of(), List.of(new Child(path, null))),
                    List.of(Change.Event.of(Change.Kind.DELETE, found, path)));
        }

        /** Only whoever made the file and has not closed it since removes it so, where it may still remove files. */
        private void checkOwn(INode parent, INode found) {
            context.access().checkOwner(call.caller(), found, path);
            context.access().check(call.caller(), parent, Access.WRITE, path.parent());
            if (operation.generation() > AddBlockWrite.FIRST_GENERATION) {
                throw new FsException(
                        ErrorCode.NOT_ALLOWED,
                        "\"" + path + "\" was there before its writer took the writer lease: close it, or delete it");
            }
        }
    }

    /**
     * takeLease: takes the lease of a file that has no writer, or whose writer has been silent beyond the soft limit;
     * by force, of any file, and of an empty one by closing it; or only the one that it names, in place of its holder. Inline content stays until the first block absorbs it; whoever may not read it cannot append
     * to it, and closes the file without being shown it.
     */
    public static final class Take extends FileWrite {
        private final BlockReads reads;
        private final BlockOperation.TakeLease operation;
        private final boolean force;
        private @Nullable INode seen;
        private long fileId;
        private int blocks;

        public Take(OperationContext context, Call call, BlockReads reads, BlockOperation.TakeLease operation) {
            super(context, call, operation.path());
            this.reads = reads;
            this.operation = operation;
            this.force = operation.force();
        }

        @Override
        public CompletionStage<Reply> run() {
            seen = null;
            blocks = 0;
            return context.resolver().resolve(call, path, path.depth()).thenCompose(chain -> {
                if (!chain.reaches(path.depth()) || !chain.last().content().isInBlocks()) {
                    fileId = chain.reaches(path.depth()) ? chain.last().id() : 0;
                    return super.run();
                }
                seen = chain.last();
                fileId = chain.last().id();
                return reads.count(call, fileId).thenCompose(counted -> {
                    blocks = counted;
                    return super.run();
                });
            });
        }

        @Override
        List<Read> moreLocks() {
            return List.of(
                    Read.exclusive(WriterLease.key(fileId)),
                    Read.exclusive(Rows.contentKey(fileId)),
                    Read.shared(FormatLevel.KEY));
        }

        @Override
        Outcome decide(INode parent, INode file, LockedRows rows) {
            if (file.id() != fileId || !hasBlocksThatWereCounted(file)) {
                throw Restart.changed("\"" + path + "\"");
            }
            Row lease = rows.row(WriterLease.key(fileId));
            checkTaker(file, lease);
            if (file.content() == INode.Content.ABSENT) {
                throw new FsException(ErrorCode.NO_CONTENT, "\"" + path + "\" was imported without its content");
            }
            FormatLevel level = FormatLevel.of(rows.row(FormatLevel.KEY));
            if (file.content() == INode.Content.NONE && !level.has(FormatLevel.CUT)) {
                context.access().checkOwner(call.caller(), file, path);
                return Outcome.unchanged(
                        new Reply.Leased(Attributes.of(file, DirectoryStats.EMPTY), file.parentId(), 0, 0, null));
            }
            AddBlockWrite.checkLevel(context, path, level);
            if (force && file.content() == INode.Content.NONE) {
                return closed(file);
            }
            if (lease != null && !force) {
                checkSilent(WriterLease.of(lease), rows);
            }
            Row head = blocks == 0 ? rows.row(Rows.contentKey(fileId)) : null;
            if (head != null && !context.access().allows(call.caller(), file, Access.READ)) {
                if (!force || operation.replaces()) {
                    throw Access.denied(call.caller(), file, Access.READ, path);
                }
                head = null;
            }
            long generation = Math.max(AddBlockWrite.FIRST_GENERATION, file.contentId()) + 1;
            INode after = file.withContent(INode.Content.WRITING, generation, file.size(), file.mtime());
            List<Mutation> mutations = List.of(
                    new Mutation.Put(Rows.of(after)),
                    new Mutation.Put(Rows.written(after)),
                    lease(call, fileId, after.contentId(), rows));
            Reply reply = new Reply.Leased(
                    Attributes.of(after, DirectoryStats.EMPTY),
                    after.parentId(),
                    after.contentId(),
                    blocks,
                    head == null ? null : SmallFiles.shown(file, head.bytes(0)));
            return changed(reply, mutations, new Fill.Entry(path, after, null), Change.Kind.REOPEN);
        }

        /** Lets who replaces a holder write, as that one may (FILES: F24), but take no lease that came later (FILES: F9). */
        private void checkTaker(INode file, @Nullable Row lease) {
            if (!operation.replaces()) {
                context.access().check(call.caller(), file, Access.WRITE, path);
                return;
            }
            if (file.id() != operation.fileId()
                    || file.content() != INode.Content.WRITING
                    || file.contentId() != operation.generation()) {
                throw stale(operation.generation());
            }
            checkWriter(file, lease);
        }

        /** Closes an empty file, whose maker has no lease that could be taken from it. */
        private Outcome closed(INode file) {
            INode after = file.withContent(INode.Content.BLOCKS, AddBlockWrite.FIRST_GENERATION + 1, 0, file.mtime());
            List<Mutation> mutations =
                    List.of(new Mutation.Put(Rows.of(after)), new Mutation.Delete(Rows.locationKey(file.id())));
            Reply reply = new Reply.Leased(Attributes.of(after, DirectoryStats.EMPTY), after.parentId(), 0, 0, null);
            return changed(reply, mutations, new Fill.Entry(path, after, null), Change.Kind.CLOSE);
        }

        /**
         * Returns whether any block was counted: each reported block grows the file, and only one writer reports under
         * a generation.
         */
        private boolean hasBlocksThatWereCounted(INode file) {
            return seen == null
                    ? !file.content().isInBlocks()
                    : file.size() == seen.size() && file.contentId() == seen.contentId();
        }

        private void checkSilent(WriterLease lease, LockedRows rows) {
            if (!lease.isSilent(rows.nowMillis(), SOFT_LIMIT)) {
                throw new FsException(
                        ErrorCode.BEING_WRITTEN,
                        "\"" + path + "\" is being written by " + lease.holder() + ": it can be taken "
                                + SOFT_LIMIT.toSeconds() + " s after its writer was heard of last");
            }
        }
    }
}
