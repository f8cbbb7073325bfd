package io.lambdafs.hammer.trace;

import io.lambdafs.model.FsException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * HDFS's audit logs, plain or gzip: files, and directories of rotated ones, read in the order of their first records'
 * times. Lines without an operation that can be replayed are left out and counted. Immutable.
 */
public final class AuditLog implements Trace {
    private final List<Path> files;

    private record Begun(Path file, long nanos) {}

    /**
     * Reads every file up to its first record.
     *
     * @param places files, and directories of files
     * @throws FsException {@code INVALID_ARGUMENT} if one cannot be read, or none has a record
     */
    public AuditLog(List<Path> places) throws IOException {
        List<Begun> begun = new ArrayList<>();
        for (Path place : places) {
            for (Path file : filesAt(place)) {
                Long first = firstNanos(file);
                if (first != null) {
                    begun.add(new Begun(file, first));
                }
            }
        }
        if (begun.isEmpty()) {
            throw FsException.invalidArgument("no line of " + places
                    + " is a record of an HDFS audit log: they have allowed=, cmd=, src= and dst=");
        }
        begun.sort(Comparator.comparingLong(Begun::nanos)
                .thenComparing(each -> each.file().toString()));
        files = begun.stream().map(Begun::file).toList();
    }

    private static List<Path> filesAt(Path place) throws IOException {
        if (Files.isDirectory(place)) {
            try (Stream<Path> all = Files.list(place)) {
                return all.filter(Files::isRegularFile).toList();
            }
        }
        if (!Files.isReadable(place)) {
            throw FsException.invalidArgument("the audit log " + place + " cannot be read");
        }
        return List.of(place);
    }

    private static @Nullable Long firstNanos(Path file) throws IOException {
        AuditLine parser = new AuditLine();
        try (TraceLines lines = new TraceLines(file)) {
            for (String line = lines.next(); line != null; line = lines.next()) {
                if (parser.parse(line)) {
                    return parser.record().nanos();
                }
            }
            return null;
        }
    }

    /** Returns the files in reading order. */
    List<Path> files() {
        return files;
    }

    @Override
    public AuditReader open() {
        return new AuditReader(files);
    }

    @Override
    public String describe() {
        return "HDFS audit log of " + files.size() + (files.size() == 1 ? " file, " : " files, from ") + files.get(0);
    }
}
