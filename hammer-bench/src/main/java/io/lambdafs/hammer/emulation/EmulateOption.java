package io.lambdafs.hammer.emulation;

import io.lambdafs.model.FsException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option that emulates distances. Confined to the command's thread. */
public final class EmulateOption {
    @Option(
            names = "--emulate",
            paramLabel = "FILE|paper|none",
            description = {
                "YAML file with round trips to add to the links and a share for instances, or \"paper\" for the "
                        + "λFS paper's",
                "cluster, or \"none\" (default: paper for fleet and scaling, else none)."
            })
    private @Nullable String named;

    /**
     * Reads what is asked for; nothing is emulated by default.
     *
     * @throws FsException {@code INVALID_ARGUMENT} for an error in the file
     */
    public Emulation orNone() {
        return Emulation.read(named == null ? Emulation.NONE : named);
    }

    /** Reads what is asked for; the paper's cluster by default. */
    public Emulation orPaper() {
        return Emulation.read(named == null ? Emulation.PAPER : named);
    }
}
