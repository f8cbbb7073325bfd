package io.lambdafs.hammer.plan;

import io.lambdafs.hammer.workload.OperationKind;
import io.lambdafs.model.FsException;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import org.jspecify.annotations.Nullable;

/**
 * One operation together with its expected answer. It holds its part of the model from planning until exactly one of
 * {@link #settle} and {@link #abandon}. Confined to the replay's thread.
 */
public abstract sealed class Intent<R extends Reply> permits Looks.Look, Changes.Change {
    private final OperationKind kind;
    private final Operation<R> operation;

    Intent(OperationKind kind, Operation<R> operation) {
        this.kind = kind;
        this.operation = operation;
    }

    public final OperationKind kind() {
        return kind;
    }

    public final Operation<R> operation() {
        return operation;
    }

    /** Describes the error in a reply; null if it is correct. */
    abstract @Nullable String judge(R reply);

    /** Describes the error in a refusal; null if it was expected. */
    @Nullable
    String judgeRefusal(FsException refusal) {
        return "expected to succeed, but: " + refusal;
    }

    /** Releases the holds and updates the model: the answer was the expected one. */
    public abstract void settle();

    /** Leaves whatever was changed in an unknown state: the answer was unexpected or missing. */
    public abstract void abandon();

    /** Judges a reply or an error. */
    public final @Nullable String judge(@Nullable Object reply, @Nullable Throwable thrown) {
        if (thrown != null) {
            return judgeRefusal(FsException.of(thrown));
        }
        Class<R> type = operation.replyType();
        if (!type.isInstance(reply)) {
            return "expected a " + type.getSimpleName() + ", got " + reply;
        }
        return judge(type.cast(reply));
    }

    public final String describe() {
        StringBuilder text = new StringBuilder(kind.label()).append(' ').append(operation.path());
        if (operation instanceof NamespaceOperation.Rename rename) {
            text.append(" to ").append(rename.destination());
        }
        return text.toString();
    }
}
