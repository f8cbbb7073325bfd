package io.lambdafs.deploy.aws;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Stream;

/** Programs that stand for AWS: in the folder that {@code LAMBDAFS_AWS_TOOLS} names, or on the PATH. Stateless. */
final class AwsTools {
    private static final String FOLDER = "LAMBDAFS_AWS_TOOLS";

    private AwsTools() {}

    /** Returns a program; the test is skipped where there is none. */
    static String find(String name) {
        String named = System.getenv(FOLDER);
        Stream<String> folders = named == null
                ? Arrays.stream(String.valueOf(System.getenv("PATH")).split(File.pathSeparator, -1))
                : Stream.of(named);
        Optional<Path> program = folders.map(folder -> Path.of(folder, name))
                .filter(Files::isExecutable)
                .findFirst();
        assumeTrue(
                program.isPresent(),
                () -> name + " is not installed: "
                        + (named == null
                                ? "it is not on the PATH"
                                : "it is not in " + named + ", which " + FOLDER + " names"));
        return program.orElseThrow().toString();
    }
}
