package io.lambdafs.model;

import java.util.List;

/**
 * Removes files and empty directories, each as a {@link NamespaceOperation.Delete} of its own, in no order, with an outcome of its own, and exactly once: under a request id of
 * its own. Routed as the first path. Immutable.
 *
 * @param first the id of the first path's request; each further path has the next slot
 * @param paths as many as there are slots from the first one on, at most
 */
public record BulkDelete(RequestId first, List<FsPath> paths) implements WriteOperation<Reply.Outcomes> {
    public BulkDelete {
        paths = List.copyOf(paths);
        int most = RequestId.MAX_SLOTS - first.slot();
        if (first.slot() < 1 || paths.isEmpty() || paths.size() > most) {
            throw new FsException(
                    ErrorCode.INVALID_ARGUMENT,
                    "from slot " + first.slot() + " on 1.." + most + " paths are removed, not " + paths.size());
        }
    }

    /** The request id of a path's removal. */
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
    public <T> T accept(WriteOperation.Visitor<T> visitor) {
        return visitor.bulkDelete(this);
    }
}
