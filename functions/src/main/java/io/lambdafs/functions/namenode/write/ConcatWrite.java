package io.lambdafs.functions.namenode.write;

import io.lambdafs.functions.cache.CacheChange;
import io.lambdafs.functions.cache.Child;
import io.lambdafs.functions.cache.Fill;
import io.lambdafs.functions.namenode.Access;
import io.lambdafs.functions.namenode.OperationContext;
import io.lambdafs.functions.namenode.block.BlockReads;
import io.lambdafs.functions.namenode.block.SmallFiles;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.functions.namenode.transaction.Chain;
import io.lambdafs.functions.namenode.transaction.LockedRows;
import io.lambdafs.functions.namenode.transaction.Outcome;
import io.lambdafs.functions.namenode.transaction.Restart;
import io.lambdafs.functions.namenode.transaction.WritePlan;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.Scope;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.BlockOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.model.time.Loop;
import io.lambdafs.store.Change;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import io.lambdafs.store.block.StoredBlock;
import io.lambdafs.store.snapshot.HeldFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * concat: turns the sources' block rows into rows of the target file and removes the sources, in one transaction.
 * Inline content cannot be moved: the client first puts it into a block (FILES: F15).
 */
public final class ConcatWrite {
    /** Maximum number of blocks moved by one concat. */
    static final int MOST_BLOCKS = 2_000;

    private final OperationContext context;
    private final Call call;
    private final BlockReads reads;
    private final FsPath path;
    /** The file, then the sources. */
    private final List<FsPath> paths = new ArrayList<>();

    public ConcatWrite(OperationContext context, Call call, BlockReads reads, BlockOperation.Concat operation) {
        this.context = context;
        this.call = call;
        this.reads = reads;
        this.path = operation.path();
        paths.add(path);
        paths.addAll(operation.sources());
    }

    public CompletionStage<Reply> run() {
        int depth = Math.max(0, path.depth() - 1);
        return context.resolver().resolve(call, path, depth).thenCompose(chain -> {
            INode parent;
            try {
                context.access().checkSearch(call.caller(), chain, path);
                parent = chain.directory(depth);
                if (path.isRoot()) {
                    context.access().check(call.caller(), parent, Access.WRITE, path);
                    throw Chain.isADirectory(path);
                }
            } catch (FsException refusal) {
                return context.writes().refuse(call, refusal);
            }
            Plan plan = new Plan(chain, parent);
            return Loop.whileTrue(plan::look)
                    .thenCompose(done -> context.writes().run(call, plan));
        });
    }

    private boolean isInDirectory(FsPath file) {
        return !file.isRoot() && file.parent().equals(path.parent());
    }

    /** A file (null if missing) and its blocks as looked up. */
    private record Seen(@Nullable INode file, BlockReads.Tail blocks) {}

    private final class Plan implements WritePlan {
        private final Chain chain;
        private final INode parent;
        private final List<Seen> seen = new ArrayList<>();
        private int moved;

        Plan(Chain chain, INode parent) {
            this.chain = chain;
            this.parent = parent;
        }

        @Override
        public List<Chain> chains() {
            return List.of(chain);
        }

        /** Looks up the next file; completes with whether there are more. */
        CompletionStage<Boolean> look() {
            boolean isTarget = seen.isEmpty();
            FsPath next = paths.get(seen.size());
            if (!isInDirectory(next)) {
                return CompletableFuture.completedFuture(false);
            }
            return context.resolver().resolve(call, next, next.depth()).thenCompose(chain -> {
                INode found = chain.reaches(next.depth()) ? chain.last() : null;
                CompletionStage<BlockReads.Tail> blocks = found == null || found.content() != INode.Content.BLOCKS
                        ? CompletableFuture.completedFuture(new BlockReads.Tail(0, 0, List.of()))
                        : reads.tail(call, found.id(), isTarget ? Long.MAX_VALUE : 0, MOST_BLOCKS);
                return blocks.thenApply(tail -> {
                    seen.add(new Seen(found, tail));
                    moved += tail.last().size();
                    return seen.size() < paths.size() && moved <= MOST_BLOCKS;
                });
            });
        }

        @Override
        public List<Read> locks() {
            List<Read> locks = new ArrayList<>();
            locks.add(Read.shared(Rows.inodeKey(parent.parentId(), parent.name())));
            locks.add(Read.shared(Rows.listingKey(parent.id())));
            paths.stream()
                    .filter(ConcatWrite.this::isInDirectory)
                    .distinct()
                    .forEach(each -> locks.add(Read.exclusive(Rows.inodeKey(parent.id(), each.name()))));
            seen.stream()
                    .map(Seen::file)
                    .filter(Objects::nonNull)
                    .map(file -> Read.unlocked(HeldFile.key(file.id())))
                    .distinct()
                    .forEach(locks::add);
            if (moved <= MOST_BLOCKS) {
                seen.stream()
                        .flatMap(each -> each.blocks().last().stream())
                        .map(block -> Read.exclusive(StoredBlock.key(block.inodeId(), block.index())))
                        .distinct()
                        .forEach(locks::add);
            }
            return locks;
        }

        @Override
        public Outcome decide(LockedRows rows) {
            INode directory = rows.sameDirectory(parent, path.parent());
            List<INode> files = new ArrayList<>();
            for (FsPath each : paths) {
                if (!isInDirectory(each)) {
                    throw refusal(each, "it is in another directory");
                }
                INode found = rows.inode(parent.id(), each.name());
                if (found == null) {
                    throw Chain.notFound(each);
                }
                check(directory, files, found, each);
                files.add(found);
            }
            if (moved > MOST_BLOCKS) {
                throw new FsException(
                        ErrorCode.NOT_ALLOWED,
                        "the files to be added to \"" + path + "\" have more than " + MOST_BLOCKS
                                + " blocks: add fewer of them at once");
            }
            for (int i = 0; i < files.size(); i++) {
                checkMovable(files.get(i), paths.get(i), i == 0);
                if (!files.get(i).equals(seen.get(i).file())) {
                    throw Restart.changed("\"" + paths.get(i) + "\"");
                }
            }
            return move(files, rows);
        }

        /** Checks HDFS's rules, in HDFS's order. */
        private void check(INode directory, List<INode> before, INode file, FsPath shown) {
            boolean isTarget = before.isEmpty();
            context.access().check(call.caller(), file, isTarget ? Access.WRITE : Access.READ, shown);
            if (!isTarget) {
                context.access().check(call.caller(), directory, Access.WRITE, path.parent());
                context.access().checkSticky(call.caller(), directory, file, shown);
            }
            if (file.isDirectory()) {
                throw Chain.isADirectory(shown);
            }
            if (file.content() == INode.Content.WRITING) {
                throw new FsException(
                        ErrorCode.BEING_WRITTEN,
                        "\"" + shown + "\" is being written: concat wants files that are closed");
            }
            if (isTarget) {
                return;
            }
            if (before.contains(file)) {
                throw refusal(shown, "it is named twice");
            }
            if (file.size() == 0) {
                throw refusal(shown, "it is empty");
            }
            if (file.blockSize() > before.get(0).blockSize()) {
                throw refusal(shown, "its block size is the larger one");
            }
        }

        private FsException refusal(FsPath source, String why) {
            return FsException.invalidArgument("\"" + source + "\" cannot be added to \"" + path + "\": " + why);
        }

        private void checkMovable(INode file, FsPath shown, boolean isTarget) {
            if (file.content() == INode.Content.ABSENT) {
                throw new FsException(ErrorCode.NO_CONTENT, "\"" + shown + "\" was imported without its content");
            }
            boolean isEmptyTarget = isTarget && file.content() == INode.Content.NONE;
            if (file.content() != INode.Content.BLOCKS && !isEmptyTarget) {
                throw new FsException(
                        ErrorCode.NEEDS_DATANODE,
                        "\"" + shown + "\" is kept with the metadata: concat moves blocks, and needs it in one");
            }
        }

        private Outcome move(List<INode> files, LockedRows rows) {
            INode target = files.get(0);
            List<Mutation> mutations = new ArrayList<>();
            List<FsPath> sources = paths.subList(1, paths.size());
            List<Child> children = new ArrayList<>();
            int index = seen.get(0).blocks().blocks();
            long size = target.size();
            for (int i = 1; i < files.size(); i++) {
                for (StoredBlock each : seen.get(i).blocks().last()) {
                    Row row = rows.row(StoredBlock.key(each.inodeId(), each.index()));
                    if (row == null) {
                        throw Restart.changed("\"" + paths.get(i) + "\"");
                    }
                    mutations.add(new Mutation.Delete(row.key()));
                    mutations.add(new Mutation.Put(
                            StoredBlock.of(row).movedTo(target.id(), index).row()));
                    index++;
                }
                size = BlockWrite.longer(size, files.get(i).size(), path);
                mutations.add(new Mutation.Delete(
                        Rows.inodeKey(parent.id(), files.get(i).name())));
                SmallFiles.removeExtras(files.get(i), mutations);
                children.add(new Child(paths.get(i), null));
            }
            if (index > Operation.MAX_BLOCKS) {
                throw FsException.invalidArgument(
                        "\"" + path + "\" would have " + index + " blocks: a file has at most " + Operation.MAX_BLOCKS);
            }
            long now = rows.nowMillis();
            INode after = target.withContent(INode.Content.BLOCKS, target.contentId() + 1, size, now);
            mutations.add(new Mutation.Put(Rows.of(after)));
            mutations.add(new Mutation.Delete(Rows.locationKey(target.id())));
            mutations.add(Rows.childrenChanged(parent.id(), -sources.size(), now));
            children.add(new Child(path, after));
            List<Fill> fills = context.owns(path) ? List.of(new Fill.Entry(path, after, null)) : List.of();
            return new Outcome(
                    Reply.Done.YES,
                    mutations,
                    new CacheChange(new Scope(paths, List.of(path.parent())), fills, children),
                    events(files));
        }

        /** Returns the events: the sources are deleted, and the file has new content. */
        private List<Change.Event> events(List<INode> files) {
            List<Change.Event> events = new ArrayList<>();
            for (int i = 1; i < files.size(); i++) {
                events.add(Change.Event.of(Change.Kind.DELETE, files.get(i), paths.get(i)));
            }
            events.add(Change.Event.of(Change.Kind.CLOSE, files.get(0), path));
            return events;
        }
    }
}
