package io.lambdafs.hammer.plan;

import io.lambdafs.hammer.tree.Contents;
import io.lambdafs.hammer.workload.OperationKind;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.operation.FileOperation;
import io.lambdafs.model.operation.NamespaceOperation;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.Reply;
import org.jspecify.annotations.Nullable;

/**
 * Operations that change the namespace: they hold what they change exclusively, and put the names in flux. If the
 * outcome is unknown, the names stay in flux and the nodes leave the model, so that nothing later depends on them.
 */
final class Changes {
    static final int FILE_MODE = 0644;
    static final int DIRECTORY_MODE = 0755;
    private static final int REPLICATION = 1;
    private static final long BLOCK_BYTES = 128L << 20;

    private Changes() {}

    static FileOperation.Create create(FsPath path, byte[] content) {
        return new FileOperation.Create(path, FILE_MODE, false, false, REPLICATION, BLOCK_BYTES, content, null);
    }

    /** A change of one or two names. */
    abstract static sealed class Change<R extends Reply> extends Intent<R> {
        private Change(OperationKind kind, Operation<R> operation) {
            super(kind, operation);
        }
    }

    /** Creates a file in an entered directory. */
    static final class CreateFile extends Change<Reply.Status> {
        private final NamespaceModel model;
        private final ModelDirectory directory;
        private final ModelFile file;

        CreateFile(NamespaceModel model, ModelDirectory directory, String name, byte[] content) {
            super(OperationKind.CREATE, create(directory.path().child(name), content));
            this.model = model;
            this.directory = directory;
            this.file = new ModelFile(
                    directory,
                    name,
                    FILE_MODE,
                    ModelFile.Body.inline(content.length, ModelFile.ANY_TIME, Contents.checksum(content)));
            directory.begin(name);
        }

        @Override
        @Nullable
        String judge(Reply.Status reply) {
            return Expected.difference(file, reply.attributes());
        }

        @Override
        public void settle() {
            directory.releaseEnter();
            directory.add(file);
            directory.settle(file.name);
            model.born(file);
        }

        @Override
        public void abandon() {
            directory.releaseEnter();
        }
    }

    /** Creates a directory in an entered directory. */
    static final class MakeDirectory extends Change<Reply.Done> {
        private final NamespaceModel model;
        private final ModelDirectory parent;
        private final String name;

        MakeDirectory(NamespaceModel model, ModelDirectory parent, String name) {
            super(
                    OperationKind.MKDIRS,
                    new NamespaceOperation.Mkdirs(parent.path().child(name), DIRECTORY_MODE, false));
            this.model = model;
            this.parent = parent;
            this.name = name;
            parent.begin(name);
        }

        @Override
        @Nullable
        String judge(Reply.Done reply) {
            return judgeDone(reply);
        }

        @Override
        public void settle() {
            parent.releaseEnter();
            ModelDirectory made = new ModelDirectory(parent, name, DIRECTORY_MODE);
            parent.add(made);
            parent.settle(name);
            model.born(made);
        }

        @Override
        public void abandon() {
            parent.releaseEnter();
        }
    }

    /** Deletes a file, or a directory with its files; the node is held exclusively. */
    static final class Delete extends Change<Reply.Done> {
        private final ModelDirectory parent;
        private final ModelNode node;

        Delete(ModelDirectory parent, ModelNode node) {
            super(
                    OperationKind.DELETE,
                    new NamespaceOperation.Delete(parent.path().child(node.name), node instanceof ModelDirectory));
            this.parent = parent;
            this.node = node;
            parent.begin(node.name);
        }

        @Override
        @Nullable
        String judge(Reply.Done reply) {
            return judgeDone(reply);
        }

        @Override
        public void settle() {
            node.releaseWrite();
            parent.remove(node);
            parent.settle(node.name);
            parent.haunt(node.name);
        }

        @Override
        public void abandon() {
            // The hold stays, so that no later operation uses this node.
            parent.remove(node);
        }
    }

    /** Moves a file or directory, held exclusively, into an entered directory under a new name. */
    static final class Move extends Change<Reply.Done> {
        private final ModelDirectory from;
        private final ModelNode node;
        private final ModelDirectory to;
        private final String newName;

        /** @param from the node's parent */
        Move(ModelDirectory from, ModelNode node, Destination destination) {
            super(
                    OperationKind.MV,
                    new NamespaceOperation.Rename(
                            from.path().child(node.name),
                            destination.directory.path().child(destination.name),
                            Operation.RenameMode.STRICT));
            this.from = from;
            this.node = node;
            this.to = destination.directory;
            this.newName = destination.name;
            from.begin(node.name);
            to.begin(newName);
        }

        @Override
        @Nullable
        String judge(Reply.Done reply) {
            return judgeDone(reply);
        }

        @Override
        public void settle() {
            node.releaseWrite();
            to.releaseEnter();
            String oldName = node.name;
            from.remove(node);
            from.settle(oldName);
            from.haunt(oldName);
            node.name = newName;
            to.add(node);
            to.settle(newName);
            if (node instanceof ModelDirectory directory) {
                directory.moved();
            }
        }

        @Override
        public void abandon() {
            to.releaseEnter();
            from.remove(node);
        }
    }

    /** The destination of a move. */
    record Destination(ModelDirectory directory, String name) {}

    private static @Nullable String judgeDone(Reply.Done reply) {
        return reply.changed() ? null : "expected to take effect, got Done(false)";
    }
}
