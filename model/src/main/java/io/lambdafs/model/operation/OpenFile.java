package io.lambdafs.model.operation;

import io.lambdafs.model.WireReader;
import io.lambdafs.model.WireWriter;

/**
 * A writer's handle on its file, valid wherever the file has been moved since. Immutable.
 *
 * @param id of the file
 * @param directoryId of the directory where it was created or opened; 0 if unknown
 */
public record OpenFile(long id, long directoryId) {
    void write(WireWriter out) {
        out.writeLong(id);
        out.writeLong(directoryId);
    }

    static OpenFile read(WireReader in) {
        return new OpenFile(in.readLong(), in.readLong());
    }
}
