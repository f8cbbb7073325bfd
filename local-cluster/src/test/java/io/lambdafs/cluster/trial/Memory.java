package io.lambdafs.cluster.trial;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** How much memory processes have at hand, looked at now and then. For one thread. */
final class Memory {
    private static final String RESIDENT = "VmRSS:";

    private final Map<String, Long> pids;
    private final Map<String, List<Long>> megabytes = new LinkedHashMap<>();

    /** @param pids by name */
    Memory(Map<String, Long> pids) {
        this.pids = pids;
    }

    /** Looks; of a process that has ended it has nothing more. */
    void look() throws IOException {
        for (Map.Entry<String, Long> each : pids.entrySet()) {
            long found = resident(each.getValue());
            if (found > 0) {
                megabytes
                        .computeIfAbsent(each.getKey(), name -> new ArrayList<>())
                        .add(found);
            }
        }
    }

    private static long resident(long pid) throws IOException {
        try {
            for (String line : Files.readAllLines(Path.of("/proc", Long.toString(pid), "status"))) {
                if (line.startsWith(RESIDENT)) {
                    return Long.parseLong(line.substring(RESIDENT.length()).replaceAll("\\D", "")) >> 10;
                }
            }
        } catch (NoSuchFileException ended) {
            return 0;
        }
        return 0;
    }

    /** Returns by how much the most of the last quarter exceeds the most of the half before, for whom it does so most. */
    double growth() {
        return megabytes.values().stream()
                .filter(each -> each.size() >= 4)
                .mapToDouble(each -> {
                    int size = each.size();
                    return (double) most(each.subList(size * 3 / 4, size)) / most(each.subList(size / 4, size * 3 / 4));
                })
                .max()
                .orElse(1);
    }

    private static long most(List<Long> of) {
        return of.stream().mapToLong(Long::longValue).max().orElse(0);
    }

    @Override
    public String toString() {
        return megabytes.entrySet().stream()
                .map(each -> {
                    List<Long> found = each.getValue();
                    return each.getKey() + " " + found.get(0) + " to " + found.get(found.size() - 1) + " (most "
                            + most(found) + ")";
                })
                .collect(Collectors.joining(", "));
    }
}
