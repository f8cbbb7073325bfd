package io.lambdafs.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a request is answered. Sealed and immutable; there is no null reply. */
public sealed interface Reply {

    /**
     * The attributes of one file or directory.
     *
     * @param directoryId id of its directory, where it was made now; 0 elsewhere
     */
    record Status(Attributes attributes, long directoryId) implements Reply {
        public Status(Attributes attributes) {
            this(attributes, 0);
        }

        /** What its writer knows the file by that was made. */
        public OpenFile file() {
            return new OpenFile(attributes.id(), directoryId);
        }
    }

    /**
     * A page of a listing.
     *
     * @param more whether names follow the last one
     */
    record Page(List<Attributes> entries, boolean more) implements Reply {
        public Page {
            entries = List.copyOf(entries);
        }
    }

    /**
     * A file to be read.
     *
     * @param content its bytes; null where they are not kept with the metadata ({@link Attributes#content()} says why)
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Opened(Attributes attributes, byte @Nullable [] content) implements Reply {}

    /**
     * A change.
     *
     * @param changed false where HDFS answers {@code false}: nothing to delete, a legacy rename that cannot be done
     */
    record Done(boolean changed) implements Reply {
        public static final Done YES = new Done(true);
        public static final Done NO = new Done(false);
    }

    /** A refusal or failure. */
    record Failure(ErrorCode code, String message) implements Reply {
        public FsException toException() {
            return new FsException(code, message);
        }

        public static Failure of(Throwable thrown) {
            FsException typed = FsException.of(thrown);
            return new Failure(typed.code(), String.valueOf(typed.getMessage()));
        }
    }
}
