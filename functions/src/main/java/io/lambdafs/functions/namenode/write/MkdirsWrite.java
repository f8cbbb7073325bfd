package io.lambdafs.functions.namenode.write;

import io.lambdafs.functions.cache.CacheChange;
import io.lambdafs.functions.namenode.Access;
import io.lambdafs.functions.namenode.OperationContext;
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
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Rows;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** mkdirs: creates all missing directories of a path in one transaction. */
public final class MkdirsWrite {
    private final OperationContext context;
    private final Call call;
    private final NamespaceOperation.Mkdirs operation;
    private final FsPath path;

    public MkdirsWrite(OperationContext context, Call call, NamespaceOperation.Mkdirs operation) {
        this.context = context;
        this.call = call;
        this.operation = operation;
        this.path = operation.path();
    }

    public CompletionStage<Reply> run() {
        return context.resolver()
                .resolveExpectingAbsent(call, path)
                .thenCompose(chain -> {
                    // A directory presumed absent may exist, and then no permission is needed.
                    boolean presumed = !path.isRoot() && chain.size() == path.depth();
                    return presumed && refusal(chain) != null ? resolveWhole() : resolved(chain);
                })
                .exceptionallyCompose(
                        error -> Restart.isChange(error) ? resolveWhole() : CompletableFuture.failedFuture(error));
    }

    private CompletionStage<Reply> resolveWhole() {
        return context.resolver().resolve(call, path, path.depth()).thenCompose(this::resolved);
    }

    private @Nullable FsException refusal(Chain chain) {
        try {
            context.access().checkTraverse(call.caller(), chain, path);
            if (chain.last().isFile()) {
                throw chain.reaches(path.depth())
                        ? new FsException(ErrorCode.ALREADY_EXISTS, "a file is there: \"" + path + "\"")
                        : Chain.notADirectory(chain.lastPath());
            }
            if (chain.reaches(path.depth())) {
                return null;
            }
            context.access().check(call.caller(), chain.last(), Access.WRITE, chain.lastPath());
            if (!operation.createParents()) {
                chain.directory(path.depth() - 1);
            }
            return null;
        } catch (FsException refusal) {
            return refusal;
        }
    }

    private CompletionStage<Reply> resolved(Chain chain) {
        FsException refusal = refusal(chain);
        if (refusal != null) {
            return context.writes().refuse(call, refusal);
        }
        if (chain.reaches(path.depth())) {
            // Recorded although nothing changes: a late duplicate must not recreate a directory removed since.
            return context.writes().answer(call, Reply.Done.YES);
        }
        int missing = path.depth() + 1 - chain.size();
        return context.inodeIds()
                .take(missing)
                .thenCompose(id -> context.writes().run(call, new Plan(chain, id)));
    }

    private final class Plan implements WritePlan {
        private final Chain chain;
        private final INode base;
        private final String firstName;
        private final long firstId;

        Plan(Chain chain, long firstId) {
            this.chain = chain;
            this.base = chain.last();
            this.firstName = path.name(chain.size() - 1);
            this.firstId = firstId;
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
            return Optional.of(Arrays.asList(Rows.of(base), null, null));
        }

        @Override
        public Outcome decide(LockedRows rows) {
            rows.sameDirectory(base, chain.lastPath());
            if (rows.inode(base.id(), firstName) != null) {
                throw Restart.changed("\"" + path + "\"");
            }
            long now = rows.nowMillis();
            NewDirectories made = new NewDirectories(
                    base,
                    path,
                    chain.size(),
                    path.depth(),
                    firstId,
                    new NewDirectories.Maker(call.caller(), operation.mode(), operation.unmasked(), false, now));
            List<Mutation> mutations = new ArrayList<>(made.mutations(now, 0));
            mutations.add(Rows.childrenChanged(base.id(), 1, now));
            return new Outcome(
                    Reply.Done.YES,
                    mutations,
                    new CacheChange(Scope.of(made.top().path()), made.fills(), List.of(made.top())),
                    made.events());
        }
    }
}
