package io.lambdafs.functions.namenode.write;

import io.lambdafs.functions.cache.CacheChange;
import io.lambdafs.functions.cache.Child;
import io.lambdafs.functions.cache.Fill;
import io.lambdafs.functions.namenode.Access;
import io.lambdafs.functions.namenode.OperationContext;
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
import io.lambdafs.model.inode.AclRules;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.DirectoryStats;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.Change;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** create: makes a file and its missing ancestors. */
public final class CreateWrite {
    private final OperationContext context;
    private final Call call;
    private final FileOperation.Create operation;
    private final FsPath path;
    private final int parentDepth;

    public CreateWrite(OperationContext context, Call call, FileOperation.Create operation) {
        this.context = context;
        this.call = call;
        this.operation = operation;
        this.path = operation.path();
        this.parentDepth = path.depth() - 1;
    }

    public CompletionStage<Reply> run() {
        if (path.isRoot()) {
            return context.writes().refuse(call, isDirectory());
        }
        return context.resolver().resolve(call, path, parentDepth).thenCompose(this::resolved);
    }

    private FsException isDirectory() {
        return new FsException(ErrorCode.ALREADY_EXISTS, "a directory is there: \"" + path + "\"");
    }

    private CompletionStage<Reply> resolved(Chain chain) {
        try {
            context.access().checkTraverse(call.caller(), chain, path);
            if (chain.last().isFile()) {
                throw Chain.notADirectory(chain.lastPath());
            }
            context.access().check(call.caller(), chain.last(), Access.WRITE, chain.lastPath());
            if (!operation.createParents()) {
                chain.directory(parentDepth);
            }
            checkSizes();
            checkContent();
        } catch (FsException refusal) {
            return context.writes().refuse(call, refusal);
        }
        int missing = path.depth() + 1 - chain.size();
        return context.inodeIds()
                .take(missing)
                .thenCompose(id -> context.writes().run(call, new Plan(chain, id)));
    }

    /** Refuses sizes that no block and no file can have. */
    private void checkSizes() {
        if (operation.blockSize() > Operation.MAX_BLOCK_BYTES) {
            throw FsException.invalidArgument(
                    "a block size is at most " + Operation.MAX_BLOCK_BYTES + " bytes, not " + operation.blockSize());
        }
        FileOperation.Imported imported = operation.imported();
        if (imported != null && (imported.size() < 0 || imported.size() > Operation.MAX_FILE_BYTES)) {
            throw FsException.invalidArgument(
                    "a file has 0.." + Operation.MAX_FILE_BYTES + " bytes, not " + imported.size());
        }
    }

    private void checkContent() {
        byte[] content = operation.content();
        int limit = context.settings().smallFileLimit();
        if (content != null && content.length > limit) {
            throw tooLong(path, content.length, limit);
        }
    }

    static FsException tooLong(FsPath path, int length, int limit) {
        return new FsException(
                ErrorCode.NEEDS_DATANODE,
                "\"" + path + "\" has " + length + " bytes: files over " + limit
                        + " bytes are more than is kept with the metadata (instance.smallFileLimitBytes): they have to be written as blocks");
    }

    private final class Plan implements WritePlan {
        private final Chain chain;
        private final INode base;
        private final String firstName;
        private final long firstId;
        private final boolean parentExists;

        Plan(Chain chain, long firstId) {
            this.chain = chain;
            this.base = chain.last();
            this.firstName = path.name(chain.size() - 1);
            this.firstId = firstId;
            this.parentExists = chain.reaches(parentDepth);
        }

        @Override
        public List<Read> locks() {
            return NewDirectories.locks(base, firstName);
        }

        @Override
        public List<Chain> chains() {
            return List.of(chain);
        }

        @Override
        public Optional<List<@Nullable Row>> expected() {
            INode there = parentExists ? context.cachedFile(path) : null;
            return Optional.of(Arrays.asList(Rows.of(base), null, there == null ? null : Rows.of(there)));
        }

        @Override
        public Outcome decide(LockedRows rows) {
            INode directory = rows.sameDirectory(base, chain.lastPath());
            INode there = rows.inode(base.id(), firstName);
            if (!parentExists && there != null) {
                throw Restart.changed("\"" + path + "\"");
            }
            List<Mutation> mutations = new ArrayList<>();
            List<Fill> fills = new ArrayList<>();
            context.access().check(call.caller(), directory, Access.WRITE, chain.lastPath());
            if (there != null) {
                replace(directory, there, mutations);
            }
            long now = rows.nowMillis();
            mutations.add(Rows.childrenChanged(base.id(), there == null ? 1 : 0, now));
            NewDirectories made = parentExists ? null : makeParents(now, mutations, fills);
            INode file = file(made == null ? directory : made.last(), now);
            mutations.add(new Mutation.Put(Rows.of(file)));
            SmallFiles.put(file, operation.content(), mutations);
            if (context.owns(path)) {
                fills.add(new Fill.Entry(path, file, operation.content()));
            }
            Reply reply = new Reply.Status(Attributes.of(file, DirectoryStats.EMPTY), file.parentId());
            Child child = made == null ? new Child(path, file) : made.top();
            List<FsPath> entries = made == null ? List.of(path) : List.of(child.path(), path);
            return new Outcome(
                    reply,
                    mutations,
                    new CacheChange(new Scope(entries, List.of(chain.lastPath())), fills, List.of(child)),
                    events(made, file, there));
        }

        private List<Change.Event> events(@Nullable NewDirectories made, INode file, @Nullable INode replaced) {
            List<Change.Event> events = new ArrayList<>(made == null ? List.of() : made.events());
            events.add(Change.Event.created(file, path, replaced));
            if (file.content() == INode.Content.INLINE) {
                events.add(Change.Event.of(Change.Kind.CLOSE, file, path));
            }
            return events;
        }

        /**
         * Replaces an existing file, whose new owner is the caller: only a caller who may remove the old file may
         * replace it.
         */
        private void replace(INode directory, INode there, List<Mutation> mutations) {
            if (there.isDirectory()) {
                throw isDirectory();
            }
            if (!operation.overwrite()) {
                throw new FsException(ErrorCode.ALREADY_EXISTS, "the file exists: \"" + path + "\"");
            }
            context.access().check(call.caller(), there, Access.WRITE, path);
            context.access().checkSticky(call.caller(), directory, there, path);
            SmallFiles.remove(there, mutations);
        }

        private NewDirectories makeParents(long now, List<Mutation> mutations, List<Fill> fills) {
            // As in HDFS, parents created for a file inherit the mode of the directory they are created in.
            NewDirectories made = new NewDirectories(
                    base,
                    path,
                    chain.size(),
                    parentDepth,
                    firstId + 1,
                    new NewDirectories.Maker(call.caller(), base.mode() & 0777, base.mode() & 0777, true, now));
            mutations.addAll(made.mutations(now, 1));
            fills.addAll(made.fills());
            return made;
        }

        private INode file(INode parent, long now) {
            byte[] content = operation.content();
            FileOperation.Imported imported = operation.imported();
            INode.Content where = content == null
                    ? INode.Content.ABSENT
                    : content.length == 0 ? INode.Content.NONE : INode.Content.INLINE;
            long size = content != null ? content.length : imported == null ? 0 : imported.size();
            long mtime = imported == null ? now : imported.mtime();
            INode.Traits traits = new INode.Traits(
                    INode.Kind.FILE,
                    call.caller().user(),
                    parent.group(),
                    operation.mode(),
                    operation.replication(),
                    operation.blockSize(),
                    where);
            long contentId = where == INode.Content.INLINE ? INode.INLINE_CONTENT : 0;
            INode made = new INode(parent.id(), path.name(), firstId, traits, size, mtime, mtime, contentId);
            return AclRules.inherit(parent, made, operation.unmasked());
        }
    }
}
