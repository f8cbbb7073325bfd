package io.lambdafs.hammer.plan;

import io.lambdafs.hammer.tree.Contents;
import io.lambdafs.hammer.workload.OperationKind;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.Utf8Order;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.operation.Operation;
import io.lambdafs.model.operation.ReadOperation;
import io.lambdafs.model.operation.Reply;
import org.jspecify.annotations.Nullable;

/** Read-only operations: they hold their node against changes while they are in flight. */
final class Looks {
    private Looks() {}

    /** Changes nothing, whatever the outcome. */
    abstract static sealed class Look<R extends Reply> extends Intent<R> {
        private Look(OperationKind kind, Operation<R> operation) {
            super(kind, operation);
        }

        abstract void release();

        @Override
        public final void settle() {
            release();
        }

        @Override
        public final void abandon() {
            release();
        }
    }

    /** Reads a file whose content is known; the file is held. */
    static final class Read extends Look<Reply.Opened> {
        private final ModelFile file;

        Read(ModelFile file) {
            super(OperationKind.READ, new ReadOperation.Open(file.path()));
            this.file = file;
        }

        @Override
        @Nullable
        String judge(Reply.Opened reply) {
            String difference = Expected.difference(file, reply.attributes());
            if (difference != null) {
                return difference;
            }
            byte[] content = reply.content();
            if (content == null) {
                return file.body.size() == 0 ? null : "expected " + file.body.size() + " bytes of content, got none";
            }
            if (content.length != file.body.size()) {
                return Expected.differs("content bytes", file.body.size(), content.length);
            }
            long checksum = Contents.checksum(content);
            return checksum == file.body.checksum()
                    ? null
                    : Expected.differs(
                            "content with checksum",
                            Long.toHexString(file.body.checksum()),
                            Long.toHexString(checksum));
        }

        @Override
        void release() {
            file.releaseRead();
        }
    }

    /** Stats a file; the file is held. */
    static final class StatFile extends Look<Reply.Status> {
        private final ModelFile file;

        StatFile(ModelFile file) {
            super(OperationKind.STAT, new ReadOperation.Stat(file.path()));
            this.file = file;
        }

        @Override
        @Nullable
        String judge(Reply.Status reply) {
            return Expected.difference(file, reply.attributes());
        }

        @Override
        void release() {
            file.releaseRead();
        }
    }

    /** Stats a directory; the directory is held, its names are not. */
    static final class StatDirectory extends Look<Reply.Status> {
        private final ModelDirectory directory;
        private final ModelDirectory.Mark mark;

        StatDirectory(ModelDirectory directory) {
            super(OperationKind.STAT, new ReadOperation.Stat(directory.path()));
            this.directory = directory;
            this.mark = directory.mark();
        }

        @Override
        @Nullable
        String judge(Reply.Status reply) {
            String difference = Expected.difference(directory, reply.attributes());
            if (difference != null) {
                return difference;
            }
            long seen = reply.attributes().children();
            long expected = directory.children().size();
            return Math.abs(seen - expected) <= directory.fluidNames(mark)
                    ? null
                    : Expected.differs("number of children", expected, seen);
        }

        @Override
        void release() {
            directory.releaseRead();
        }
    }

    /** Stats a name that was deleted or moved away; its directory is entered. */
    static final class StatGhost extends Look<Reply.Status> {
        private final ModelDirectory directory;
        private final ModelDirectory.Ghost ghost;

        StatGhost(ModelDirectory directory, ModelDirectory.Ghost ghost) {
            super(OperationKind.STAT, new ReadOperation.Stat(directory.path().child(ghost.name)));
            this.directory = directory;
            this.ghost = ghost;
            ghost.readers++;
        }

        @Override
        String judge(Reply.Status reply) {
            return "expected NOT_FOUND, got " + reply.attributes();
        }

        @Override
        @Nullable
        String judgeRefusal(FsException refusal) {
            return refusal.code() == ErrorCode.NOT_FOUND ? null : "expected NOT_FOUND, got " + refusal;
        }

        @Override
        void release() {
            ghost.readers--;
            directory.releaseEnter();
        }
    }

    /** Creates an existing file, which must be refused; the file is held. */
    static final class CreateExisting extends Look<Reply.Status> {
        private final ModelFile file;

        CreateExisting(ModelFile file) {
            super(OperationKind.CREATE, Changes.create(file.path(), new byte[0]));
            this.file = file;
        }

        @Override
        String judge(Reply.Status reply) {
            return "expected ALREADY_EXISTS, got " + reply.attributes();
        }

        @Override
        @Nullable
        String judgeRefusal(FsException refusal) {
            return refusal.code() == ErrorCode.ALREADY_EXISTS ? null : "expected ALREADY_EXISTS, got " + refusal;
        }

        @Override
        void release() {
            file.releaseRead();
        }
    }

    /** Lists the first page of a directory; the directory is held, its names are not. */
    static final class ListDirectory extends Look<Reply.Page> {
        /** The page size of HDFS's clients. */
        static final int PAGE = 1_000;

        private final ModelDirectory directory;
        private final ModelDirectory.Mark mark;

        ListDirectory(ModelDirectory directory) {
            super(OperationKind.LS, new ReadOperation.ListPage(directory.path(), "", PAGE));
            this.directory = directory;
            this.mark = directory.mark();
        }

        @Override
        @Nullable
        String judge(Reply.Page page) {
            int still = 0;
            String last = "";
            for (Attributes entry : page.entries()) {
                if (!last.isEmpty() && Utf8Order.compare(last, entry.name()) >= 0) {
                    return "expected names in order, got \"" + entry.name() + "\" after \"" + last + "\"";
                }
                last = entry.name();
                if (directory.fluid(last, mark)) {
                    continue;
                }
                ModelNode child = directory.children().get(last);
                if (child == null) {
                    return "expected no entry \"" + last + "\", got one";
                }
                String difference = Expected.difference(child, entry);
                if (difference != null) {
                    return "entry \"" + last + "\": " + difference;
                }
                still++;
            }
            return missing(page, last, still);
        }

        /** Describes a missing entry that did not change while the listing ran; null if there is none. */
        private @Nullable String missing(Reply.Page page, String last, int still) {
            if (page.more() && page.entries().size() != PAGE) {
                return "expected a page of " + PAGE + " before more, got "
                        + page.entries().size();
            }
            if (!page.more() && still == directory.children().size()) {
                return null;
            }
            int expected = 0;
            for (String name : directory.children().keySet()) {
                boolean onPage = !page.more() || Utf8Order.compare(name, last) <= 0;
                if (onPage && !directory.fluid(name, mark)) {
                    expected++;
                }
            }
            return still == expected ? null : missingOf(page, last, expected, still);
        }

        private String missingOf(Reply.Page page, String last, int expected, int still) {
            java.util.Set<String> seen = new java.util.HashSet<>();
            page.entries().forEach(entry -> seen.add(entry.name()));
            String first = directory.children().keySet().stream()
                    .filter(name -> !directory.fluid(name, mark) && !seen.contains(name))
                    .filter(name -> !page.more() || Utf8Order.compare(name, last) <= 0)
                    .findFirst()
                    .orElse("?");
            return "expected " + expected + " entries that did not change, got " + still + ": \"" + first
                    + "\" is missing";
        }

        @Override
        void release() {
            directory.releaseRead();
        }
    }
}
