package io.lambdafs.systemtests.chaos;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.operation.Reply;
import org.jspecify.annotations.Nullable;

/**
 * How a call ended, as its client saw it. Immutable, but for the tree.
 *
 * @param invoked nanoseconds of the driver's monotonic clock, before anything was sent
 * @param completed of the same clock, after the answer had come
 * @param shown what a reply of success shows, as the checker reads it
 * @param code why it failed; null for success, and for a call whose client was killed under it
 * @param lost whether its client was killed under it
 */
record Answer(
        long invoked,
        long completed,
        ObjectNode shown,
        @Nullable ErrorCode code,
        String message,
        boolean lost) {

    static Answer of(long invoked, @Nullable Reply reply, @Nullable Throwable error) {
        if (error != null) {
            return new Answer(
                    invoked, System.nanoTime(), tree(), FsException.of(error).code(), String.valueOf(error), false);
        }
        return new Answer(invoked, System.nanoTime(), reply == null ? tree() : show(reply), null, "", false);
    }

    /** Returns the answer of a call whose client is gone. */
    static Answer lost(long invoked) {
        return new Answer(invoked, System.nanoTime(), tree(), null, "its client was killed", true);
    }

    private static ObjectNode tree() {
        return JsonNodeFactory.instance.objectNode();
    }

    private static ObjectNode show(Reply reply) {
        ObjectNode tree = tree();
        ArrayNode entries = tree.putArray("entries");
        if (reply instanceof Reply.Done done) {
            tree.put("changed", done.changed());
        } else if (reply instanceof Reply.Status status) {
            show(status.attributes(), entries.addObject());
        } else if (reply instanceof Reply.Opened opened) {
            byte[] content = opened.content();
            show(opened.attributes(), entries.addObject()).put("content", content == null ? "" : History.hash(content));
        } else if (reply instanceof Reply.Page page) {
            page.entries().forEach(each -> show(each, entries.addObject()));
        } else {
            throw new IllegalArgumentException("not a reply of success: " + reply);
        }
        return tree;
    }

    private static ObjectNode show(Attributes seen, ObjectNode entry) {
        return entry.put("name", seen.name())
                .put("dir", seen.isDirectory())
                .put("id", seen.id())
                .put("mode", seen.mode())
                .put("size", seen.size())
                .put("mtime", seen.mtime())
                .put("children", seen.children());
    }
}
