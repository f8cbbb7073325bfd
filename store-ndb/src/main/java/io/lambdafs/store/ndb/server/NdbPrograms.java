package io.lambdafs.store.ndb.server;

import io.lambdafs.model.FsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The programs of an installed MySQL NDB Cluster. Immutable. */
public final class NdbPrograms {
    private final Path home;

    private NdbPrograms(Path home) {
        this.home = home;
    }

    /** Returns the programs in the folder that the environment names; empty if they are missing. */
    public static Optional<NdbPrograms> find() {
        return Optional.ofNullable(System.getenv("NDB_HOME"))
                .map(Path::of)
                .filter(home -> Files.isExecutable(home.resolve("bin/ndb_mgmd"))
                        && Files.isExecutable(home.resolve("bin/ndbmtd")))
                .map(NdbPrograms::new);
    }

    /** @throws FsException {@code UNAVAILABLE}: they are missing */
    static NdbPrograms demand() {
        return find().orElseThrow(() -> FsException.unavailable(
                "NDB's programs are missing: set NDB_HOME to the folder of an installed MySQL NDB Cluster, whose"
                        + " bin has ndb_mgmd and ndbmtd, or name an NDB that runs with --ndb-connect"));
    }

    /** Starts a program in a directory. */
    Process start(Path directory, ProcessBuilder.Redirect log, String program, String... arguments) throws IOException {
        List<String> command =
                new ArrayList<>(List.of(home.resolve("bin").resolve(program).toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log);
        builder.environment()
                .merge("LD_LIBRARY_PATH", home.resolve("lib").toString(), (others, own) -> own + ":" + others);
        return builder.start();
    }

    /** Returns whether a process runs one of the programs. */
    boolean isOne(ProcessHandle process) {
        return process.info()
                .command()
                .map(command -> command.startsWith(home.resolve("bin").toString()))
                .orElse(false);
    }
}
