package io.lambdafs.model.operation;

import io.lambdafs.model.FsException;

/**
 * A change of a file or directory from one snapshot to another. Immutable.
 *
 * @param path below the directory of the snapshots, without a slash at its beginning: where it was, or where it is if it is new; empty for the
 *     directory itself
 * @param target where a renamed one is now; empty for others
 */
public record Difference(Kind kind, String path, String target) {
    /** The change; the order is part of the wire format. */
    @SuppressWarnings("EnumOrdinal")
    public enum Kind {
        MODIFIED('M'),
        CREATED('+'),
        DELETED('-'),
        RENAMED('R');

        private static final Kind[] ALL = values();

        private final char letter;

        Kind(char letter) {
            this.letter = letter;
        }

        /** Returns the letter that HDFS shows. */
        public char letter() {
            return letter;
        }

        public int number() {
            return ordinal();
        }

        /** Returns the one of a number. */
        public static Kind of(long number) {
            if (number < 0 || number >= ALL.length) {
                throw FsException.invalidArgument("no difference has the number " + number);
            }
            return ALL[(int) number];
        }
    }

    /** Returns what became of it in the other direction of time. */
    public Difference reversed() {
        return switch (kind) {
            case MODIFIED -> this;
            case CREATED -> new Difference(Kind.DELETED, path, target);
            case DELETED -> new Difference(Kind.CREATED, path, target);
            case RENAMED -> new Difference(kind, target, path);
        };
    }

    /** Returns the line that HDFS prints of it. */
    @Override
    public String toString() {
        return kind.letter() + "\t" + shown(path) + (kind == Kind.RENAMED ? " -> " + shown(target) : "");
    }

    private static String shown(String path) {
        return path.isEmpty() ? "." : "./" + path;
    }
}
