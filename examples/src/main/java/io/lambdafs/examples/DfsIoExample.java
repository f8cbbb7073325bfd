package io.lambdafs.examples;

import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.TestDFSIO;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Hadoop's TestDFSIO: writes files in parallel, and reads them again. */
@Command(
        name = "dfsio",
        mixinStandardHelpOptions = true,
        description = "Run TestDFSIO: write files in parallel, then read them.")
final class DfsIoExample extends Job {
    @Option(names = "--files", paramLabel = "N", defaultValue = "4", description = "Number of files (default 4).")
    private int files;

    @Option(
            names = "--megabytes",
            paramLabel = "N",
            defaultValue = "64",
            description = "Megabytes per file (default 64).")
    private int megabytes;

    @Override
    void run(FileSystem fs, Configuration conf) throws Exception {
        conf.set("test.build.data", "/dfsio");
        Path report = Files.createTempFile("dfsio-", ".log");
        long bytes = ((long) files * megabytes) << 20;
        for (String mode : new String[] {"-write", "-read"}) {
            step(
                    "dfsio " + mode,
                    bytes,
                    conf,
                    new TestDFSIO(),
                    mode,
                    "-nrFiles",
                    Integer.toString(files),
                    "-size",
                    megabytes + "MB",
                    "-resFile",
                    report.toString());
        }
        System.out.print(Files.readString(report));
        Files.delete(report);
        fs.delete(new org.apache.hadoop.fs.Path("/dfsio"), true);
    }
}
