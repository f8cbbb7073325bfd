package io.lambdafs.benchmarks.trace;

import io.lambdafs.cluster.options.Options;
import io.lambdafs.hammer.load.LoadRun;
import io.lambdafs.hammer.load.TraceOutcome;
import io.lambdafs.hammer.trace.AuditLog;
import io.lambdafs.hammer.trace.CsvTrace;
import io.lambdafs.hammer.trace.Trace;
import io.lambdafs.hammer.trace.TraceScan;
import io.lambdafs.model.FsException;
import io.lambdafs.model.FsPath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of {@code lambdafs replay} for a recorded trace. */
final class TraceOptions {
    @Option(
            names = "--trace",
            paramLabel = "FILE",
            description =
                    "Replay this trace instead: CSV (plain or gzip) or Parquet, with columns time, client, op and "
                            + "path, optionally path2 and size.")
    private @Nullable Path trace;

    @Option(
            names = "--audit-log",
            paramLabel = "FILE",
            arity = "1..*",
            description = "Replay these HDFS audit logs instead: files or directories of rotated ones, plain or gzip.")
    private List<Path> auditLogs = List.of();

    @Option(
            names = "--speed-up",
            paramLabel = "X",
            description = "Seconds of the trace to replay per second (default ${DEFAULT-VALUE}).")
    private double speedUp = 1;

    @Option(
            names = "--prepare",
            negatable = true,
            defaultValue = "true",
            fallbackValue = "true",
            description = "First create the files and directories that the trace assumes (default).")
    private boolean prepare = true;

    /**
     * Scans the trace once; null if none is given.
     *
     * @throws FsException naming the invalid option, or the file and line of an invalid line in a CSV trace
     */
    @Nullable
    TraceScan scan() {
        Options.check(trace == null || auditLogs.isEmpty(), "--trace and --audit-log exclude each other");
        Options.check(speedUp >= 0.001 && speedUp <= 1_000_000, "--speed-up is 0.001..1000000, not " + speedUp);
        if (trace == null && auditLogs.isEmpty()) {
            return null;
        }
        try {
            return TraceScan.of(trace == null ? new AuditLog(auditLogs) : table(trace), prepare);
        } catch (IOException e) {
            throw FsException.invalidArgument("the trace cannot be read: " + e, e);
        }
    }

    private static Trace table(Path file) {
        return ParquetTrace.isOne(file) ? new ParquetTrace(file) : new CsvTrace(file);
    }

    /** Prepares the namespace if requested, and replays. */
    TraceOutcome replay(LoadRun run, TraceScan scan, FsPath where) {
        if (prepare) {
            run.prepare(scan, where);
        }
        return new TraceOutcome(scan, run.replay(scan, where, speedUp));
    }
}
