package io.lambdafs.benchmarks.micro;

import io.lambdafs.cluster.LogTail;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.model.ErrorCode;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The class path of HDFS, which Maven finds and keeps in its own repository: without the network where it has it all. Stateless. */
final class HdfsJars {
    private static final String POM = "hdfs-pom.xml";
    private static final long LIMIT_MINUTES = 10;

    private HdfsJars() {}

    /** @param folder that is empty, for Maven's project and log */
    static List<Path> find(Path folder) throws InterruptedException {
        Path pom = folder.resolve(POM);
        Path found = folder.resolve("hdfs.classpath");
        Path log = folder.resolve("maven.log");
        try (InputStream source = HdfsJars.class.getResourceAsStream(POM)) {
            if (source == null) {
                throw new IllegalStateException("no " + POM + " beside the classes");
            }
            Files.copy(source, pom);
            if (!maven(List.of("-o"), pom, found, log) && !maven(List.of(), pom, found, log)) {
                throw failed("Maven does not find HDFS" + LogTail.of(log));
            }
            return Arrays.stream(Files.readString(found).strip().split(File.pathSeparator, -1))
                    .map(Path::of)
                    .toList();
        } catch (IOException e) {
            throw failed("cannot have Maven find HDFS: " + e);
        }
    }

    private static boolean maven(List<String> options, Path pom, Path found, Path log)
            throws IOException, InterruptedException {
        ProcessBuilder maven = new ProcessBuilder("mvn", "-B", "-q", "-f", pom.toString());
        maven.command().addAll(options);
        maven.command().addAll(List.of("dependency:build-classpath", "-Dmdep.outputFile=" + found));
        maven.environment().put("JAVA_HOME", System.getProperty("java.home"));
        Process process =
                maven.redirectErrorStream(true).redirectOutput(log.toFile()).start();
        if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES)) {
            process.destroyForcibly();
            return false;
        }
        return process.exitValue() == 0;
    }

    private static CommandFailure failed(String why) {
        return new CommandFailure(ExitCode.FAILED, ErrorCode.UNAVAILABLE, why);
    }
}
