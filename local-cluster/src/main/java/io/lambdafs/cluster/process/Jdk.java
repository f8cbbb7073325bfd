package io.lambdafs.cluster.process;

import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;

/**
 * An installed JDK or JRE. Immutable.
 *
 * @param version in full, such as {@code 17.0.15+6-Debian-1deb12u1}, because archives only fit the exact version
 */
public record Jdk(Path home, Runtime.Version version) {
    private static final int OLDEST = 17;
    /**
     * Since this release JDKs warn about {@code Unsafe}, which Netty and others still use for lack of a replacement on
     * 17.
     */
    private static final int WARNS_OF_UNSAFE = 23;

    /** Returns the JDK running this process. */
    static Jdk own() {
        Path home = Path.of(System.getProperty("java.home"));
        try {
            return at(home);
        } catch (FsException incomplete) {
            // Images built by jlink may lack a description.
            return new Jdk(home, Runtime.version());
        }
    }

    /**
     * Returns the JDK in a directory.
     *
     * @throws FsException {@link ErrorCode#INVALID_ARGUMENT} if there is none or it is older than 17
     */
    public static Jdk at(Path home) {
        Properties release = new Properties();
        try (Reader file = Files.newBufferedReader(home.resolve("release"))) {
            release.load(file);
        } catch (IOException e) {
            throw invalid(home, "is no JDK: it has no readable file \"release\"");
        }
        String version = release.getProperty("JAVA_RUNTIME_VERSION", release.getProperty("JAVA_VERSION", ""));
        Jdk jdk;
        try {
            jdk = new Jdk(home, Runtime.Version.parse(version.replace("\"", "")));
        } catch (IllegalArgumentException e) {
            throw invalid(home, "does not say of which version it is");
        }
        if (!Files.isExecutable(jdk.java())) {
            throw invalid(home, "is no JDK: it has no program bin/java");
        }
        if (jdk.version.feature() < OLDEST) {
            throw invalid(home, "is Java " + jdk.version.feature() + ": " + OLDEST + " or newer is needed");
        }
        return jdk;
    }

    private static FsException invalid(Path home, String why) {
        return FsException.invalidArgument(home + " " + why);
    }

    /** Returns its {@code java} program. */
    Path java() {
        return home.resolve("bin").resolve("java").toAbsolutePath();
    }

    /** Returns whether it needs the option that permits {@code sun.misc.Unsafe} memory access. */
    boolean warnsOfUnsafe() {
        return version.feature() >= WARNS_OF_UNSAFE;
    }
}
