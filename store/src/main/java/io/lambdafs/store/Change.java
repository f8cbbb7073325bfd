package io.lambdafs.store;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.inode.INode;
import io.lambdafs.model.operation.RequestId;
import org.jspecify.annotations.Nullable;

/** An entry of the change log: what happened to which INode, requested by whom. Immutable. */
public record Change(Event event, Origin origin) {
    /** The kind of a change. Numbers never change their meaning. */
    public enum Kind {
        /** A file was created. */
        CREATE(1),
        /** A directory was made. */
        MKDIR(2),
        /** A file's content is complete: it was closed, or took over other files' blocks. */
        CLOSE(3),
        /** A file was reopened for append or recovery. */
        REOPEN(4),
        /** A file, or a directory with all that was below it, moved. */
        RENAME(5),
        /** A file, or a directory with all that was below it, is gone. */
        DELETE(6),
        /** Mode, owner, group, times or replication changed. */
        ATTRIBUTES(7),
        /** A closed file was truncated. */
        TRUNCATE(8);

        private final int number;

        Kind(int number) {
            this.number = number;
        }

        private static Kind of(Row row) {
            for (Kind kind : values()) {
                if (kind.number == row.int64(0)) {
                    return kind;
                }
            }
            throw new FsException(
                    ErrorCode.UNSUPPORTED,
                    "the change at position " + row.key().int64(1) + " is of kind " + row.int64(0)
                            + ", which this build does not know: read the change log with a later build");
        }
    }

    /**
     * One change of the namespace. A change to a directory is one event at its root, however many entries are below.
     *
     * @param inode number of the INode that changed
     * @param directory whether it is a directory
     * @param path its path before the change, or after it if new
     * @param destination where a {@link Kind#RENAME} moved it; null for all others
     * @param replaced number of the INode it replaced; 0 for none
     */
    public record Event(
            Kind kind,
            long inode,
            boolean directory,
            FsPath path,
            @Nullable FsPath destination,
            long replaced) {
        public static Event of(Kind kind, INode node, FsPath path) {
            return new Event(kind, node.id(), node.isDirectory(), path, null, 0);
        }

        public static Event created(INode file, FsPath path, @Nullable INode replaced) {
            return new Event(Kind.CREATE, file.id(), false, path, null, replaced == null ? 0 : replaced.id());
        }

        public static Event renamed(INode node, FsPath source, FsPath destination, @Nullable INode replaced) {
            return new Event(
                    Kind.RENAME,
                    node.id(),
                    node.isDirectory(),
                    source,
                    destination,
                    replaced == null ? 0 : replaced.id());
        }
    }

    /**
     * The requester and the time of the change.
     *
     * @param atMillis wall clock of the instance that decided, milliseconds since 1970; not monotonic in the positions
     */
    public record Origin(String user, long atMillis, RequestId request) {}

    /** Returns the row to append. */
    public Row row() {
        FsPath destination = event.destination;
        RequestId request = origin.request;
        return new Row(
                ChangeLog.UNPLACED,
                (long) event.kind.number,
                event.inode,
                event.directory ? 1L : 0L,
                event.path.toString(),
                destination == null ? "" : destination.toString(),
                event.replaced,
                origin.user,
                origin.atMillis,
                request.clientHigh(),
                request.clientLow(),
                (long) request.slot(),
                request.sequence());
    }

    /** Reads a row of {@link Schema#CHANGES}; fails {@code UNSUPPORTED} if a later build wrote it. */
    public static Change of(Row row) {
        String destination = row.string(4);
        Event event = new Event(
                Kind.of(row),
                row.int64(1),
                row.int64(2) != 0,
                FsPath.of(row.string(3)),
                destination.isEmpty() ? null : FsPath.of(destination),
                row.int64(5));
        RequestId request = new RequestId(row.int64(8), row.int64(9), (int) row.int64(10), row.int64(11));
        return new Change(event, new Origin(row.string(6), row.int64(7), request));
    }
}
