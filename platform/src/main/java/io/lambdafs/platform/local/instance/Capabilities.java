package io.lambdafs.platform.local.instance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** This process's capabilities, on Linux. Stateless. */
final class Capabilities {
    private static final Logger LOG = LoggerFactory.getLogger(Capabilities.class);
    private static final String EFFECTIVE = "CapEff:";

    private Capabilities() {}

    /** Returns whether this process has a capability, by its number. */
    static boolean have(int number) {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/status"))) {
            return lines.filter(line -> line.startsWith(EFFECTIVE))
                    .map(line ->
                            new BigInteger(line.substring(EFFECTIVE.length()).strip(), 16))
                    .anyMatch(capabilities -> capabilities.testBit(number));
        } catch (IOException | UncheckedIOException | NumberFormatException e) {
            LOG.debug("This system does not tell capabilities", e);
            return false;
        }
    }
}
