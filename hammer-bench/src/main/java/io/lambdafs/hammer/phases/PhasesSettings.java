package io.lambdafs.hammer.phases;

import io.lambdafs.cluster.options.Options;
import io.lambdafs.model.FsPath;
import java.util.List;

/**
 * The work of all clients. Validated; immutable.
 *
 * @param clients threads, each with one operation at a time, 1–1,024
 * @param files of each client, 1–1,000,000
 * @param bytes of a file, 0–65,536
 * @param shared whether all clients' files are in one directory, instead of one for each client
 * @param root directory that contains everything; created if missing
 */
public record PhasesSettings(List<Phase> phases, int clients, int files, int bytes, boolean shared, FsPath root) {
    private static final FsPath USUAL_ROOT = FsPath.of("/phases");

    public PhasesSettings {
        phases = List.copyOf(phases);
        Options.check(clients >= 1 && clients <= 1_024, "--clients is 1..1024, not " + clients);
        Options.check(files >= 1 && files <= 1_000_000, "--files is 1..1000000, not " + files);
        Options.check(bytes >= 0 && bytes <= 65_536, "a file has 0..65536 bytes, not " + bytes);
    }

    public PhasesSettings(List<Phase> phases, int clients, int files, int bytes, boolean shared) {
        this(phases, clients, files, bytes, shared, USUAL_ROOT);
    }

    /** Returns the same settings with another number of files for each client. */
    public PhasesSettings withFiles(int count) {
        return new PhasesSettings(phases, clients, count, bytes, shared, root);
    }

    /** Returns the same settings below another directory. */
    public PhasesSettings below(FsPath other) {
        return new PhasesSettings(phases, clients, files, bytes, shared, other);
    }
}
