package io.lambdafs.testing.history;

import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** An operation in a history: the caller, the request, its times and the answer. Not thread-safe. */
public final class Event {
    private static final int SHOWN_BYTES = 12;

    private final long number;
    private final int client;
    private final Principal caller;
    private final Operation<?> operation;
    private final long invokedNanos;
    private final long earliestMillis;
    private long endedNanos;
    private final String content;
    /** Number of the create whose file it completes; its own if it is a create. */
    private final long writer;

    private @Nullable Reply reply;
    private boolean ended;
    private boolean vanished;
    private String note = "";

    /**
     * The caller, and the operation's number in the history.
     *
     * @param writer number of the event that created the file being completed; ignored for other operations
     */
    public record Asker(long number, int client, Principal caller, long writer) {}

    /**
     * The time of a request.
     *
     * @param nanos by the history's own clock
     * @param earliestMillis the earliest wall clock of any process at that moment
     */
    public record Asked(long nanos, long earliestMillis) {}

    public Event(Asker asker, Operation<?> operation, Asked asked) {
        this.number = asker.number();
        this.client = asker.client();
        this.caller = asker.caller();
        this.operation = operation;
        this.invokedNanos = asked.nanos();
        this.earliestMillis = asked.earliestMillis();
        this.writer = operation instanceof FileOperation.Complete ? asker.writer() : number;
        this.content = written(operation);
    }

    private static String written(Operation<?> operation) {
        byte[] bytes = operation instanceof FileOperation.Create create
                ? create.content()
                : operation instanceof FileOperation.Complete complete ? complete.content() : null;
        return bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
    }

    /** Returns the number of the create whose file is created or completed. */
    long writer() {
        return writer;
    }

    /** Returns the content written by a create or complete; decoded once because it is compared often. */
    String content() {
        return content;
    }

    /** Records the answer. */
    public void answered(Reply answer, long nanos) {
        reply = answer;
        endedNanos = nanos;
        ended = true;
    }

    /** Records that no answer came: the operation may have taken effect, but will not from now on. */
    public void unanswered(String why, long nanos) {
        note = why;
        endedNanos = nanos;
        ended = true;
    }

    public long number() {
        return number;
    }

    public Principal caller() {
        return caller;
    }

    public Operation<?> operation() {
        return operation;
    }

    /** Returns a lower bound of the times set by this operation. */
    long earliestMillis() {
        return earliestMillis;
    }

    public long invokedNanos() {
        return invokedNanos;
    }

    public long endedNanos() {
        return endedNanos;
    }

    /** Records that the operation took no effect and got no answer. */
    public void vanished(String why, long nanos) {
        unanswered(why, nanos);
        vanished = true;
    }

    boolean hasVanished() {
        return vanished;
    }

    /** Returns the reply; null if unknown. */
    public @Nullable Reply reply() {
        return reply;
    }

    /** Returns whether the operation, given its answer, has no effect on any state. */
    boolean changesNothing() {
        return !operation.isWrite() || reply instanceof Reply.Failure || Reply.Done.NO.equals(reply);
    }

    public boolean hasEnded() {
        return ended;
    }

    /** Contains only what the protocol guarantees, so that the same run gives the same text. */
    @Override
    public String toString() {
        return number + " [" + client + "] " + invokedNanos / 1_000 + ".." + (ended ? endedNanos / 1_000 : "") + " us "
                + caller.user() + " " + text() + " -> " + (reply == null ? "? " + note : text(reply));
    }

    private String text() {
        if (operation instanceof FileOperation.Create create) {
            return "create " + create.path() + (create.overwrite() ? " overwrite " : " ")
                    + Integer.toOctalString(create.mode()) + " " + text(create.content());
        }
        if (operation instanceof FileOperation.Complete complete) {
            return "complete " + complete.path() + " of " + writer + " " + text(complete.content());
        }
        return operation.toString();
    }

    /** Formats a reply without ids and times, which differ between correct runs. */
    public static String text(Reply reply) {
        if (reply instanceof Reply.Status status) {
            return text(status.attributes());
        }
        if (reply instanceof Reply.Done done) {
            return Boolean.toString(done.changed());
        }
        if (reply instanceof Reply.Opened opened) {
            return text(opened.attributes()) + " " + text(opened.content());
        }
        if (reply instanceof Reply.Page page) {
            StringBuilder text = new StringBuilder("[");
            page.entries().forEach(entry -> text.append(text(entry)).append(", "));
            return text.append(page.more() ? "…]" : "]").toString();
        }
        if (reply instanceof Reply.AclStatus acl) {
            return acl.toString();
        }
        return ((Reply.Failure) reply).code().name();
    }

    /** Returns the beginning of a content, because long ones are padded. */
    private static String text(byte @Nullable [] content) {
        return content == null
                ? "none"
                : new String(content, 0, Math.min(content.length, SHOWN_BYTES), StandardCharsets.UTF_8);
    }

    private static String text(Attributes entry) {
        return entry.name() + (entry.isDirectory() ? " dir " : " file ") + Integer.toOctalString(entry.mode()) + " "
                + entry.owner() + ":" + entry.group() + " " + (entry.isDirectory() ? entry.children() : entry.size());
    }
}
