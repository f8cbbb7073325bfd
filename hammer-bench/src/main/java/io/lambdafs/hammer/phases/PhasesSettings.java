package io.lambdafs.hammer.phases;

import io.lambdafs.cluster.options.Options;
import java.util.List;

/**
 * What all clients do. Validated; immutable.
 *
 * @param clients threads, each with one operation at a time, 1–1,024
 * @param files of each client, 1–1,000,000
 * @param bytes of a file, kept with its metadata
 * @param shared whether all files are in one directory, not each client's in one of its own
 */
record PhasesSettings(List<Phase> phases, int clients, int files, int bytes, boolean shared) {
    PhasesSettings {
        phases = List.copyOf(phases);
        Options.check(clients >= 1 && clients <= 1_024, "--clients is 1..1024, not " + clients);
        Options.check(files >= 1 && files <= 1_000_000, "--files is 1..1000000, not " + files);
    }
}
