package io.lambdafs.systemtests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The TCP ports of a process, as Linux tells. */
public final class ListeningPorts {
    private static final String ESTABLISHED = "01";
    private static final String LISTENING = "0A";

    private ListeningPorts() {}

    /** Those that it listens on. */
    public static Set<Integer> of(long pid) throws IOException {
        return new TreeSet<>(in(pid, LISTENING).keySet());
    }

    /** Its connections: the own port, and the other end's. Those that it was called by are among them. */
    public static Map<Integer, Integer> connections(long pid) throws IOException {
        return in(pid, ESTABLISHED);
    }

    private static Map<Integer, Integer> in(long pid, String state) throws IOException {
        Set<String> sockets = sockets(pid);
        Map<Integer, Integer> ports = new TreeMap<>();
        for (String table : new String[] {"tcp", "tcp6"}) {
            Path file = Path.of("/proc/" + pid + "/net/" + table);
            if (Files.exists(file)) {
                for (String line : Files.readAllLines(file)) {
                    String[] fields = line.strip().split("\\s+");
                    if (fields.length > 9 && fields[3].equals(state) && sockets.contains(fields[9])) {
                        ports.put(port(fields[1]), port(fields[2]));
                    }
                }
            }
        }
        return ports;
    }

    private static int port(String address) {
        return Integer.parseInt(address.substring(address.indexOf(':') + 1), 16);
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
