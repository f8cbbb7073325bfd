package io.lambdafs.cluster.options;

import io.lambdafs.cluster.dump.DumpBucket;
import io.lambdafs.model.disk.FileTrouble;
import io.lambdafs.model.disk.Folders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.BiFunction;
import picocli.CommandLine.Option;

/** The bucket of dumps, and room for one of them on this machine: it is copied whole. */
public final class BucketOptions {
    @Option(
            names = "--endpoint",
            paramLabel = "URL",
            description = "For a bucket: S3-compatible object store to use instead of Amazon's.")
    private String endpoint = "";

    @Option(
            names = "--scratch",
            paramLabel = "DIR",
            description = "For a bucket: directory with room for one dump (default: java.io.tmpdir).")
    private Path scratch = Path.of(System.getProperty("java.io.tmpdir", "."));

    /** Calls a function with the bucket and a folder for one dump, which is removed afterwards. */
    public <T> T with(String place, BiFunction<DumpBucket, Path, T> use) {
        Path folder = null;
        try {
            folder = Files.createTempDirectory(scratch, "lambdafs-dump-");
            try (DumpBucket bucket = DumpBucket.open(place, endpoint, folder.resolve("spool"))) {
                return use.apply(bucket, folder);
            }
        } catch (IOException e) {
            throw FileTrouble.of("cannot make a folder for a dump in " + scratch, e);
        } finally {
            if (folder != null) {
                remove(folder);
            }
        }
    }

    private static void remove(Path folder) {
        try {
            Folders.delete(folder);
        } catch (IOException e) {
            throw FileTrouble.of("cannot remove " + folder, e);
        }
    }
}
