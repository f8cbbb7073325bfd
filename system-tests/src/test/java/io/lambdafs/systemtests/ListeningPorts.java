package io.lambdafs.systemtests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The TCP ports that a process listens on, as Linux tells. */
final class ListeningPorts {
    private static final String LISTENING = "0A";

    private ListeningPorts() {}

    static Set<Integer> of(long pid) throws IOException {
        Set<String> sockets = sockets(pid);
        Set<Integer> ports = new TreeSet<>();
        for (String table : new String[] {"tcp", "tcp6"}) {
            Path file = Path.of("/proc/" + pid + "/net/" + table);
            if (Files.exists(file)) {
                for (String line : Files.readAllLines(file)) {
                    String[] fields = line.strip().split("\\s+");
                    if (fields.length > 9 && fields[3].equals(LISTENING) && sockets.contains(fields[9])) {
                        ports.add(Integer.parseInt(fields[1].substring(fields[1].indexOf(':') + 1), 16));
                    }
                }
            }
        }
        return ports;
    }

    private static Set<String> sockets(long pid) throws IOException {
        Set<String> inodes = new HashSet<>();
        try (Stream<Path> files = Files.list(Path.of("/proc/" + pid + "/fd"))) {
            for (Path file : files.toList()) {
                String target = target(file);
                if (target.startsWith("socket:[")) {
                    inodes.add(target.substring("socket:[".length(), target.length() - 1));
                }
            }
        }
        return inodes;
    }

    /** Empty where it was closed meanwhile. */
    private static String target(Path file) {
        try {
            return Files.readSymbolicLink(file).toString();
        } catch (IOException e) {
            return "";
        }
    }
}
