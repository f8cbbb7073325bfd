package io.lambdafs.store.ndb;

import java.io.ByteArrayOutputStream;

/** The values of a row, from its parts in their order. Confined to one thread. */
final class Pieces {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Pieces add(byte[] piece) {
        bytes.write(piece, 0, piece.length);
        return this;
    }

    byte[] joined() {
        return bytes.toByteArray();
    }
}
