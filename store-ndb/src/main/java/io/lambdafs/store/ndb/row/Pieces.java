package io.lambdafs.store.ndb.row;

import java.io.ByteArrayOutputStream;
import org.jspecify.annotations.Nullable;

/** The values of a row, from its parts in their order. Confined to one thread. */
public final class Pieces {
    private byte[] first = {};
    private @Nullable ByteArrayOutputStream all;

    public Pieces add(byte[] piece) {
        if (first.length == 0) {
            first = piece;
            return this;
        }
        if (all == null) {
            all = new ByteArrayOutputStream();
            all.write(first, 0, first.length);
        }
        all.write(piece, 0, piece.length);
        return this;
    }

    /** Returns all pieces joined; a single piece is returned itself. */
    byte[] joined() {
        return all == null ? first : all.toByteArray();
    }
}
