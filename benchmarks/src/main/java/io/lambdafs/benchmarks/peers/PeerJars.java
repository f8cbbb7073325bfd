package io.lambdafs.benchmarks.peers;

import io.lambdafs.cluster.process.LogTail;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Finds the class path of a peer with Maven, which needs no network if its repository has all jars. Stateless. */
final class PeerJars {
    private static final long LIMIT_MINUTES = 10;

    private PeerJars() {}

    /**
     * Finds the class path of a peer.
     *
     * @param peer peer whose Maven project is a resource of this class
     * @param folder an empty folder for Maven's project and log
     */
    static List<Path> find(String peer, Path folder) throws InterruptedException {
        String name = peer + "-pom.xml";
        Path pom = folder.resolve(name);
        Path found = folder.resolve("classpath");
        Path log = folder.resolve("maven.log");
        try (InputStream source = PeerJars.class.getResourceAsStream(name)) {
            if (source == null) {
                throw new IllegalStateException("no " + name + " beside the classes");
            }
            Files.copy(source, pom);
            if (!maven(List.of("-o"), pom, found, log) && !maven(List.of(), pom, found, log)) {
                throw Children.failed("Maven does not find " + peer + LogTail.of(log));
            }
            return Arrays.stream(Files.readString(found).strip().split(File.pathSeparator, -1))
                    .map(Path::of)
                    .toList();
        } catch (IOException e) {
            throw Children.failed("cannot have Maven find " + peer + ": " + e);
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
}
