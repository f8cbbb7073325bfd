package io.lambdafs.functions.namenode;

import io.lambdafs.functions.cache.CacheChange;
import io.lambdafs.functions.namenode.transaction.Call;
import io.lambdafs.functions.namenode.transaction.LockedRows;
import io.lambdafs.functions.namenode.transaction.Outcome;
import io.lambdafs.functions.namenode.transaction.WritePlan;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.operation.AttributeOperation;
import io.lambdafs.model.operation.Reply;
import io.lambdafs.store.Key;
import io.lambdafs.store.Mutation;
import io.lambdafs.store.Read;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;
import io.lambdafs.store.Table;
import io.lambdafs.store.format.FormatLevel;
import java.util.List;
import java.util.concurrent.CompletionStage;

/**
 * Safe mode makes the namespace read-only, by a row of the settings. Every write takes that row's shared lock in a
 * message it sends anyway, so once safe mode is entered no earlier write is in progress and no instance commits
 * another. Stateless.
 */
public final class SafeMode implements WritePlan {
    /** The setting that exists in safe mode. */
    public static final Key KEY = Schema.SETTINGS.key("safemode");

    private final AttributeOperation.SetSafeMode operation;

    private SafeMode(AttributeOperation.SetSafeMode operation) {
        this.operation = operation;
    }

    public static CompletionStage<Reply> set(
            OperationContext context, Call call, AttributeOperation.SetSafeMode operation) {
        return context.access().isSuperuser(call.caller())
                ? context.writes().run(call, new SafeMode(operation))
                : context.writes()
                        .refuse(
                                call,
                                new FsException(
                                        ErrorCode.PERMISSION_DENIED,
                                        "permission denied: user="
                                                + call.caller().user()
                                                + ": only a superuser enters or leaves safe mode"));
    }

    public static boolean isOn(LockedRows rows) {
        return rows.row(KEY) != null;
    }

    public static FsException refusal() {
        return new FsException(ErrorCode.SAFE_MODE, "the file system is in safe mode: it is read, and not changed");
    }

    /**
     * Returns the outcome if safe mode permits it: it does not change the namespace, though it may remove a mark.
     *
     * @throws FsException {@code SAFE_MODE} if it does and safe mode is on
     */
    public static Outcome checked(LockedRows rows, Outcome outcome) {
        if (!isOn(rows)) {
            return outcome;
        }
        boolean onlyUnmarks =
                has(outcome, Schema.SUBTREE_OPERATIONS) && outcome.events().isEmpty();
        if (!onlyUnmarks && (has(outcome, Schema.INODES) || has(outcome, Schema.BLOCKS))) {
            throw refusal();
        }
        return outcome;
    }

    private static boolean has(Outcome outcome, Table table) {
        return outcome.mutations().stream()
                .anyMatch(mutation -> mutation.key().table().equals(table));
    }

    @Override
    public List<Read> locks() {
        return List.of(Read.exclusive(KEY), Read.shared(FormatLevel.KEY));
    }

    /** Exempt: it already holds that lock, and must be able to leave safe mode. */
    @Override
    public boolean obeysSafeMode() {
        return false;
    }

    @Override
    public Outcome decide(LockedRows rows) {
        FormatLevel.ACLS.check(rows.row(FormatLevel.KEY), "there is no safe mode");
        Mutation change = operation.on() ? new Mutation.Put(new Row(KEY, "on")) : new Mutation.Delete(KEY);
        return new Outcome(Reply.Done.YES, List.of(change), CacheChange.NONE, List.of());
    }
}
