package io.lambdafs.model.operation;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;
import io.lambdafs.model.inode.Attributes;
import io.lambdafs.model.inode.INode;
import org.jspecify.annotations.Nullable;

/**
 * A file as its caller has seen it: a write that names it changes nothing unless that very file, unchanged, is at the
 * path (PROTOCOL: W17). Immutable.
 *
 * @param mtime milliseconds since 1970
 */
public record SeenFile(long id, long size, long mtime) {
    public static SeenFile of(Attributes attributes) {
        return new SeenFile(attributes.id(), attributes.size(), attributes.mtime());
    }

    /**
     * Checks what is at the path, under the locks.
     *
     * @throws FsException {@code NOT_FOUND} if there is nothing, {@code ALREADY_EXISTS} if it is another file, or has
     *     changed
     */
    public void check(@Nullable INode found, FsPath path) {
        if (found == null) {
            throw new FsException(ErrorCode.NOT_FOUND, "\"" + path + "\" is gone since it was seen");
        }
        if (found.id() != id || found.size() != size || found.mtime() != mtime) {
            throw new FsException(ErrorCode.ALREADY_EXISTS, "\"" + path + "\" has changed since it was seen");
        }
    }

    void write(WireWriter out) {
        out.writeLong(id);
        out.writeLong(size);
        out.writeLong(mtime);
    }

    static SeenFile read(WireReader in) {
        return new SeenFile(in.readLong(), in.readLong(), in.readLong());
    }
}
