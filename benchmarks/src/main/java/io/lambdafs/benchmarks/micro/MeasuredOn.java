package io.lambdafs.benchmarks.micro;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.benchmarks.peers.Durability;
import io.lambdafs.benchmarks.peers.Servers;
import io.lambdafs.benchmarks.peers.Target;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The machine and the processes of a measurement. Immutable.
 *
 * @param java Java version of all JVMs
 * @param load load average of the system at the start; negative if not known
 * @param targets the targets, with their servers at the end
 */
record MeasuredOn(int processors, String java, double load, List<Side> targets) {
    MeasuredOn {
        targets = List.copyOf(targets);
    }

    /** The servers of one file system. */
    record Side(String target, List<Servers.Server> servers) {}

    /** Returns the system's load average now. */
    static double loadNow() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }

    static MeasuredOn of(double load, List<Target> targets) {
        return new MeasuredOn(
                Runtime.getRuntime().availableProcessors(),
                System.getProperty("java.version", ""),
                load,
                targets.stream()
                        .map(each -> new Side(each.name(), each.servers().now()))
                        .toList());
    }

    void write(ObjectNode tree) {
        ObjectNode machine =
                tree.putObject("machine").put("processors", processors).put("java", java);
        MicroJson.number(machine, "loadAverage", load);
        machine.put("clientHeapMb", Driver.HEAP_MB);
        ArrayNode all = tree.putArray("targets");
        for (Side side : targets) {
            ArrayNode servers = all.addObject()
                    .put("name", side.target())
                    .put("durability", Durability.of(side.target()).text())
                    .putArray("servers");
            for (Servers.Server server : side.servers()) {
                ObjectNode node = servers.addObject().put("name", server.name());
                server.heapMb().ifPresentOrElse(heap -> node.put("heapMb", heap), () -> node.putNull("heapMb"));
            }
        }
    }

    /** Returns lines for people. */
    String lines() {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%d processors, Java %s, load average %.1f at the start; heap of each client %d MB",
                processors,
                java,
                load,
                Driver.HEAP_MB));
        for (Side side : targets) {
            TreeMap<String, Long> counts = side.servers().stream()
                    .collect(Collectors.groupingBy(MeasuredOn::named, TreeMap::new, Collectors.counting()));
            String servers = counts.entrySet().stream()
                    .map(each -> (each.getValue() > 1 ? each.getValue() + " × " : "") + each.getKey())
                    .collect(Collectors.joining(", "));
            text.append(System.lineSeparator())
                    .append(side.target())
                    .append(": ")
                    .append(servers.isEmpty() ? "servers not known" : "heaps of " + servers)
                    .append("; durability: ")
                    .append(Durability.of(side.target()).text());
        }
        return text.toString();
    }

    private static String named(Servers.Server server) {
        return server.heapMb().isPresent()
                ? server.name() + " " + server.heapMb().getAsLong() + " MB"
                : server.name();
    }
}
