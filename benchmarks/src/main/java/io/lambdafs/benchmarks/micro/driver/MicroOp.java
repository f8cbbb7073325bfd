package io.lambdafs.benchmarks.micro.driver;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** The operations of the bench. */
public enum MicroOp {
    /** Attributes of 4,096 files in 256 directories, at random. */
    STAT,
    /** Open and close, on the same files. */
    OPEN,
    /** Listing of the same directories. */
    LS16,
    /** Listing of one directory of 1,000 files; only on request. */
    LS1000,
    /** Listing of one directory of 10,000 files. */
    LS10000,
    /** New directories, each lane in a directory of its own. */
    MKDIRS,
    /** New empty files, closed, each lane in a directory of its own. */
    CREATE,
    /** The same with all lanes in one directory. */
    CREATESAME,
    /** Rename of a file within its directory, each lane in a directory of its own. */
    RENAME,
    /** Rename of a directory with 1,000 files, each lane its own; only on request. */
    RENAMEDIR1000,
    /** Rename of a directory with 10,000 files, each lane its own; only on request. */
    RENAMEDIR10000,
    /** Deletion of files, one directory per lane. */
    DELETE,
    /** Operations in the proportions of the Spotify workload. */
    SPOTIFY;

    /** Returns the name in options and results. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<MicroOp> of(String label) {
        return Arrays.stream(values()).filter(op -> op.label().equals(label)).findFirst();
    }

    /** Returns the operations measured by default: a read, a write, and a mix. */
    public static List<String> few() {
        return Stream.of(STAT, CREATE, SPOTIFY).map(MicroOp::label).toList();
    }

    /** Returns the operations measured with {@code --paper}. */
    public static List<String> usual() {
        return Arrays.stream(values())
                .filter(op -> op != LS1000 && op != RENAMEDIR1000 && op != RENAMEDIR10000)
                .map(MicroOp::label)
                .toList();
    }

    public static List<String> labels() {
        return Arrays.stream(values()).map(MicroOp::label).toList();
    }

    /** Returns whether warm-up calls use up work of the measured time. */
    boolean usesUp() {
        return this == DELETE;
    }
}
