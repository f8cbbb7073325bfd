package io.lambdafs.testing.history;

import io.lambdafs.model.Attributes;
import io.lambdafs.model.FileOperation;
import io.lambdafs.model.Operation;
import io.lambdafs.model.Principal;
import io.lambdafs.model.Reply;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** One operation of a history: who asked what when, and the answer. Not thread-safe. */
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
    /** Number of the creation whose file it completes; its own where it creates. */
    private final long writer;

    private @Nullable Reply reply;
    private boolean ended;
    private boolean vanished;
    private String note = "";

    /**
     * The one who asked, and how often somebody asked before.
     *
     * @param writer number of the event that made the file that is completed; ignored for other operations
     */
    public record Asker(long number, int client, Principal caller, long writer) {}

    /**
     * When somebody asked.
     *
     * @param nanos by the history's own clock
     * @param earliestMillis the earliest wall clock of anybody at that moment
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

    /** Which creation made the file that is created or completed. */
    long writer() {
        return writer;
    }

    /** What a create or complete writes; decoded once, for it is compared often. */
    String content() {
        return content;
    }

    /** The answer has come. */
    public void answered(Reply answer, long nanos) {
        reply = answer;
        endedNanos = nanos;
        ended = true;
    }

    /** No answer came; from this moment on the operation takes no effect any more, but it may have. */
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

    /** Whatever this operation changes has no earlier time. */
    long earliestMillis() {
        return earliestMillis;
    }

    public long invokedNanos() {
        return invokedNanos;
    }

    public long endedNanos() {
        return endedNanos;
    }

    /** The operation took no effect, and nobody was told anything. */
    public void vanished(String why, long nanos) {
        unanswered(why, nanos);
        vanished = true;
    }

    boolean hasVanished() {
        return vanished;
    }

    /** Null where nobody knows. */
    public @Nullable Reply reply() {
        return reply;
    }

    /** Returns whether the operation, answered as it was, has no effect whatever it meets. */
    boolean changesNothing() {
        return !operation.isWrite() || reply instanceof Reply.Failure || Reply.Done.NO.equals(reply);
    }

    public boolean hasEnded() {
        return ended;
    }

    /** Only what the protocol promises: the same run gives the same text. */
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

    /** A reply as text, without what differs from one correct run to another: ids and times. */
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

    /** The beginning of a content: long ones are padded. */
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
