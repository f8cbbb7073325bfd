package io.lambdafs.functions.namenode;

import io.lambdafs.functions.cache.Child;
import io.lambdafs.functions.cache.Fill;
import io.lambdafs.model.Attributes;
import io.lambdafs.model.BlockOperation;
import io.lambdafs.model.DirectoryStats;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.INode;
import io.lambdafs.model.Reply;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.WriterLease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** The writes that concern the writer lease of a file. */
final class LeaseWrites {
    /** After so long without a word from its writer, a file may be taken by another one: HDFS's soft limit. */
    static final Duration SOFT_LIMIT = Duration.ofSeconds(60);

    private LeaseWrites() {}

    private static Mutation lease(OperationParts parts, Call call, long fileId, long generation) {
        long now = parts.scheduler().currentTimeMillis();
        return new Mutation.Put(new WriterLease(fileId, call.caller().user(), generation, now).row());
    }

    /** renewLease. */
    static final class Renew extends OpenFileWrite {
        private final BlockOperation.RenewLease operation;

        Renew(OperationParts parts, Call call, BlockOperation.RenewLease operation) {
            super(parts, call, operation.path(), operation.file());
            this.operation = operation;
        }

        @Override
        Outcome decideOpen(INode parent, INode found, LockedRows rows) {
            checkGeneration(found, operation.generation());
            return Outcome.unchanged(Reply.Done.YES)
                    .withMutations(List.of(lease(parts, call, found.id(), operation.generation())));
        }
    }

    /** abandon: its writer removes a file that it does not complete. */
    static final class Abandon extends OpenFileWrite {
        private final BlockOperation.Abandon operation;

        Abandon(OperationParts parts, Call call, BlockOperation.Abandon operation) {
            super(parts, call, operation.path(), operation.file());
            this.operation = operation;
        }

        @Override
        Outcome decideOpen(INode parent, INode found, LockedRows rows) {
            if (operation.generation() != 0) {
                checkGeneration(found, operation.generation());
            } else if (found.content() != INode.Content.NONE) {
                throw new FsException(ErrorCode.NOT_UNDER_CONSTRUCTION, "\"" + path + "\" has a content already");
            }
            List<Mutation> mutations = new ArrayList<>();
            mutations.add(new Mutation.Delete(Rows.inodeKey(found.parentId(), found.name())));
            mutations.add(
                    Rows.childrenChanged(parent.id(), -1, parts.scheduler().currentTimeMillis()));
            SmallFiles.remove(found, mutations);
            return new Outcome(
                    Reply.Done.YES,
                    mutations,
                    List.of(path),
                    List.of(path.parent()),
                    List.of(),
                    List.of(new Child(path, null)));
        }
    }

    /** takeLease: of a file in blocks that nobody writes, or whose writer has been silent for longer than the soft limit. */
    static final class Take extends FileWrite {
        private long fileId;

        Take(OperationParts parts, Call call, BlockOperation.TakeLease operation) {
            super(parts, call, operation.path());
        }

        @Override
        CompletionStage<Reply> run() {
            return parts.resolver().resolve(call, path, path.depth()).thenCompose(chain -> {
                fileId = chain.reaches(path.depth()) ? chain.last().id() : 0;
                return super.run();
            });
        }

        @Override
        List<Read> moreLocks() {
            return List.of(Read.exclusive(WriterLease.key(fileId)));
        }

        @Override
        Outcome decide(INode parent, INode file, LockedRows rows) {
            if (file.id() != fileId) {
                throw Restart.changed("\"" + path + "\"");
            }
            parts.access().check(call.caller(), file, Access.WRITE, path);
            if (!file.content().isInBlocks()) {
                throw new FsException(
                        ErrorCode.UNSUPPORTED,
                        "\"" + path + "\" is kept with the metadata: only files in blocks are appended to");
            }
            Row lease = rows.row(WriterLease.key(fileId));
            if (lease != null) {
                checkSilent(WriterLease.of(lease));
            }
            INode after = file.withContent(INode.Content.WRITING, file.contentId() + 1, file.size(), file.mtime());
            List<Mutation> mutations =
                    List.of(new Mutation.Put(Rows.of(after)), lease(parts, call, fileId, after.contentId()));
            Reply reply =
                    new Reply.Leased(Attributes.of(after, DirectoryStats.EMPTY), after.parentId(), after.contentId());
            return changed(reply, mutations, new Fill.Entry(path, after, null));
        }

        private void checkSilent(WriterLease lease) {
            long silent = parts.scheduler().currentTimeMillis() - lease.renewedMillis();
            if (silent < SOFT_LIMIT.toMillis()) {
                throw new FsException(
                        ErrorCode.BEING_WRITTEN,
                        "\"" + path + "\" is being written by " + lease.holder() + ": it can be taken "
                                + SOFT_LIMIT.toSeconds() + " s after its writer was heard of last");
            }
        }
    }
}
