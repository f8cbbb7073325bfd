package io.lambdafs.benchmarks.micro.driver;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What can be measured. */
public enum MicroOp {
    /** Of 4,096 files in 256 directories, at random. */
    STAT,
    /** And close; of the same files. */
    OPEN,
    /** Of the same directories. */
    LS16,
    /** Of one directory of 1,000 files; only where it is named. */
    LS1000,
    /** Of one directory of 10,000 files. */
    LS10000,
    /** Each lane in a directory of its own. */
    MKDIRS,
    /** An empty file, closed; each lane in a directory of its own. */
    CREATE,
    /** The same, all lanes in one directory. */
    CREATESAME,
    /** Of a file within its directory; each lane in a directory of its own. */
    RENAME,
    /** Of a directory with 1,000 files, each lane one of its own; only where it is named. */
    RENAMEDIR1000,
    /** Of a directory with 10,000 files, each lane one of its own; only where it is named. */
    RENAMEDIR10000,
    /** Of files, one directory per lane. */
    DELETE,
    /** The Spotify workload's proportions. */
    SPOTIFY;

    /** In options and results. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<MicroOp> of(String label) {
        return Arrays.stream(values()).filter(op -> op.label().equals(label)).findFirst();
    }

    /** Those that are measured where none is named. */
    public static List<String> usual() {
        return Arrays.stream(values())
                .filter(op -> op != LS1000 && op != RENAMEDIR1000 && op != RENAMEDIR10000)
                .map(MicroOp::label)
                .toList();
    }

    public static List<String> labels() {
        return Arrays.stream(values()).map(MicroOp::label).toList();
    }

    /** Whether calls before the measured time would leave it less to do. */
    boolean usesUp() {
        return this == DELETE;
    }
}
