package io.lambdafs.model.operation;

import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import java.util.List;

/**
 * Removes several files and empty directories in one request. Each is a separate {@link NamespaceOperation.Delete} with
 * its own request id, hence exactly once, and its own outcome; the order is unspecified. Routed by the first path.
 * Immutable.
 *
 * @param first the request id of the first path; each further path uses the next slot
 * @param paths at most as many as there are slots from the first one on
 */
public record BulkDelete(RequestId first, List<FsPath> paths) implements WriteOperation<Reply.Outcomes> {
    public BulkDelete {
        paths = List.copyOf(paths);
        int most = RequestId.MAX_SLOTS - first.slot();
        if (first.slot() < 1 || paths.isEmpty() || paths.size() > most) {
            throw FsException.invalidArgument(
                    "from slot " + first.slot() + " on 1.." + most + " paths are removed, not " + paths.size());
        }
    }

    /** Returns the request id under which a path is removed. */
    public RequestId id(int index) {
        return new RequestId(first.clientHigh(), first.clientLow(), first.slot() + index, first.sequence());
    }

    @Override
    public FsPath path() {
        return paths.get(0);
    }

    @Override
    public OperationKind kind() {
        return OperationKind.BULK_DELETE;
    }

    @Override
    public void writeFields(WireWriter out) {
        out.writeLong(first.clientHigh());
        out.writeLong(first.clientLow());
        out.writeInt(first.slot());
        out.writeLong(first.sequence());
        FsPath.writeAll(out, paths.subList(1, paths.size()));
    }

    static BulkDelete read(FsPath path, WireReader in) {
        RequestId first = new RequestId(in.readLong(), in.readLong(), in.readInt(), in.readLong());
        return new BulkDelete(first, FsPath.readAll(path, in));
    }

    @Override
    public <T> T accept(WriteOperation.Visitor<T> visitor) {
        return visitor.bulkDelete(this);
    }
}
