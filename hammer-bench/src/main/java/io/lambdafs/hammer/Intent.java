package io.lambdafs.hammer;

import io.lambdafs.model.FsException;
import io.lambdafs.model.NamespaceOperation;
import io.lambdafs.model.Operation;
import io.lambdafs.model.Reply;
import org.jspecify.annotations.Nullable;

/**
 * One operation together with the answer that it must get. It holds its part of the model from planning until exactly one of
 * {@link #settle} and {@link #abandon}. Confined to the replay's thread.
 */
abstract sealed class Intent<R extends Reply> permits Looks.Look, Changes.Change {
    private final OperationKind kind;
    private final Operation<R> operation;

    Intent(OperationKind kind, Operation<R> operation) {
        this.kind = kind;
        this.operation = operation;
    }

    final OperationKind kind() {
        return kind;
    }

    final Operation<R> operation() {
        return operation;
    }

    /** What is wrong with a reply; null if nothing. */
    abstract @Nullable String judge(R reply);

    /** What is wrong with a refusal; null if it was expected. */
    @Nullable
    String judgeRefusal(FsException refusal) {
        return "expected to succeed, but: " + refusal;
    }

    /** The answer was the expected one: gives the holds back and makes the model follow. */
    abstract void settle();

    /** The answer was not the expected one, or none came: whatever was changed is of unknown state from here on. */
    abstract void abandon();

    /** Judges whatever came back. */
    final @Nullable String judge(@Nullable Object reply, @Nullable Throwable thrown) {
        if (thrown != null) {
            return judgeRefusal(FsException.of(thrown));
        }
        Class<R> type = operation.replyType();
        if (!type.isInstance(reply)) {
            return "expected a " + type.getSimpleName() + ", got " + reply;
        }
        return judge(type.cast(reply));
    }

    final String describe() {
        StringBuilder text = new StringBuilder(kind.label()).append(' ').append(operation.path());
        if (operation instanceof NamespaceOperation.Rename rename) {
            text.append(" to ").append(rename.destination());
        }
        return text.toString();
    }
}
