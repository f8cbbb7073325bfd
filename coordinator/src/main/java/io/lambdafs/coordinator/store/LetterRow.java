package io.lambdafs.coordinator.store;

import io.lambdafs.coordinator.Mailboxes;
import io.lambdafs.store.Key;
import io.lambdafs.store.Row;
import io.lambdafs.store.Schema;

/** Converts letters to and from rows. Stateless. */
final class LetterRow {
    private static final byte[] NOTHING = new byte[0];

    private LetterRow() {}

    static Key key(Mailboxes.Letter letter) {
        return Schema.LETTERS.key(letter.box(), letter.name());
    }

    static Row posted(Mailboxes.Letter letter, byte[] content) {
        return new Row(key(letter), 0L, content, NOTHING);
    }

    static Row answered(Mailboxes.Letter letter, byte[] answer) {
        return new Row(key(letter), 1L, NOTHING, answer);
    }

    static Mailboxes.Letter letter(Row row) {
        return new Mailboxes.Letter(row.key().int64(0), row.key().string(1));
    }

    static boolean isAnswered(Row row) {
        return row.int64(0) != 0;
    }

    static byte[] content(Row row) {
        return row.bytes(1);
    }

    static byte[] answer(Row row) {
        return row.bytes(2);
    }
}
