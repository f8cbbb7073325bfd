package io.lambdafs.benchmarks.micro;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Where it was measured, and by which processes. Immutable.
 *
 * @param java version of all JVMs
 * @param load average of the system when it began; negative where it is not known
 * @param targets with their servers when it ended
 */
record MeasuredOn(int processors, String java, double load, List<Side> targets) {
    MeasuredOn {
        targets = List.copyOf(targets);
    }

    /** One file system's servers. */
    record Side(String target, List<Servers.Server> servers) {}

    /** The system's load average now. */
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

    /** For people. */
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
