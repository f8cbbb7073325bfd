package io.lambdafs.testing.history;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.inode.Principal;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The model as a sequential service, for comparison with other models. Its ids are 0, as are times not set explicitly.
 * Not thread-safe.
 */
public final class ModelService {
    private static final long BLOCK_BYTES = 1 << 20;

    private ModelFs now = ModelFs.empty();
    private long asked;

    private record Found(Reply reply, ModelFs after) {}

    /** Executes an operation and returns its answer. */
    public Reply ask(Principal caller, Operation<?> operation) {
        Found found = find(caller, operation);
        now = found.after();
        asked++;
        return found.reply();
    }

    /** Returns the answer an operation would get, without executing it. */
    public Reply answer(Principal caller, Operation<?> operation) {
        return find(caller, operation).reply();
    }

    /** Returns whether an operation could get an answer, without executing it. */
    public boolean couldAnswer(Principal caller, Operation<?> operation, Reply reply) {
        return now.after(answered(caller, operation, reply)) != null;
    }

    private Found find(Principal caller, Operation<?> operation) {
        for (Reply each : candidates(caller, operation)) {
            ModelFs after = now.after(answered(caller, operation, each));
            if (after != null) {
                return new Found(each, after);
            }
        }
        throw new IllegalStateException("the model has no answer to " + operation);
    }

    private Event answered(Principal caller, Operation<?> operation, Reply reply) {
        Event event = new Event(new Event.Asker(asked, 0, caller, asked), operation, new Event.Asked(asked, 0));
        event.answered(reply, asked);
        return event;
    }

    private List<Reply> candidates(Principal caller, Operation<?> operation) {
        List<Reply> all = new ArrayList<>();
        Reply shown = shown(caller, operation);
        if (shown != null) {
            all.add(shown);
        }
        if (operation.isWrite()) {
            all.add(Reply.Done.YES);
            all.add(Reply.Done.NO);
        }
        for (ErrorCode code : ErrorCode.values()) {
            all.add(new Reply.Failure(code, ""));
        }
        return all;
    }

    /** Returns the answer if nothing prevents it. */
    private @Nullable Reply shown(Principal caller, Operation<?> operation) {
        FsPath path = operation.path();
        if (operation instanceof FileOperation.Create create) {
            return new Reply.Status(made(caller, create));
        }
        Node node = Answers.at(now.root(), path, path.depth());
        if (node == null || operation.isWrite()) {
            return null;
        }
        Attributes attributes = attributes(path.isRoot() ? "" : path.name(), node);
        if (operation instanceof ReadOperation.Open) {
            return new Reply.Opened(attributes, node.content().getBytes(StandardCharsets.UTF_8), List.of());
        }
        if (operation instanceof ReadOperation.ListPage list) {
            return node.isDirectory() ? page(list, node) : new Reply.Page(List.of(attributes), false);
        }
        return new Reply.Status(attributes);
    }

    private static Reply.Page page(ReadOperation.ListPage list, Node node) {
        List<Attributes> entries = new ArrayList<>();
        for (int i = 0; i < node.size(); i++) {
            if (node.name(i).compareTo(list.startAfter()) > 0) {
                entries.add(attributes(node.name(i), node.node(i)));
            }
        }
        boolean more = entries.size() > list.limit();
        return new Reply.Page(more ? entries.subList(0, list.limit()) : entries, more);
    }

    private Attributes made(Principal caller, FileOperation.Create create) {
        FsPath path = create.path();
        Node above = now.root();
        for (int depth = 1; depth < path.depth(); depth++) {
            Node there = Answers.at(now.root(), path, depth);
            above = there == null ? above : there;
        }
        byte[] content = create.content();
        Node.Access access = new Node.Access(caller.user(), above.group(), create.mode());
        String text = content == null ? "" : new String(content, StandardCharsets.UTF_8);
        return attributes(path.name(), Node.file(text, access, create.replication(), 0, 0));
    }

    private static Attributes attributes(String name, Node node) {
        boolean directory = node.isDirectory();
        INode.Traits traits = new INode.Traits(
                directory ? INode.Kind.DIRECTORY : INode.Kind.FILE,
                node.owner(),
                node.group(),
                node.mode(),
                node.replication(),
                directory ? 0 : BLOCK_BYTES,
                INode.Content.INLINE);
        return new Attributes(name, 0, traits, node.content().length(), node.mtime(), 0, node.size());
    }
}
