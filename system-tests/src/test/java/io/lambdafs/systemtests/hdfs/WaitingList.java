package io.lambdafs.systemtests.hdfs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The tests of a suite of Hadoop's that are known to fail, each by its name and with the reason: lines of {@code name | reason}, and of
 * {@code #} for a comment. Immutable.
 */
final class WaitingList {
    private final Map<String, String> reasons = new LinkedHashMap<>();

    private WaitingList() {}

    /** Reads {@code hadoop-suites/NAME.txt} of the class path. */
    static WaitingList read(String name) throws IOException {
        WaitingList list = new WaitingList();
        String file = "/hadoop-suites/" + name + ".txt";
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(
                Objects.requireNonNull(WaitingList.class.getResourceAsStream(file), file), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    list.add(line);
                }
            }
        }
        return list;
    }

    static WaitingList of(String... lines) {
        WaitingList list = new WaitingList();
        for (String line : lines) {
            list.add(line);
        }
        return list;
    }

    private void add(String line) {
        int bar = line.lastIndexOf(" | ");
        if (bar < 0 || line.substring(bar + 3).isBlank()) {
            throw new IllegalArgumentException("a test waits for something: \"" + line + "\" names no reason");
        }
        if (reasons.put(line.substring(0, bar), line.substring(bar + 3)) != null) {
            throw new IllegalArgumentException("listed twice: " + line);
        }
    }

    int size() {
        return reasons.size();
    }

    /**
     * Returns the differences from the list, in words; empty if there are none.
     *
     * @param failed what each failed test said, by its name
     */
    List<String> differences(Set<String> passed, Map<String, String> failed) {
        List<String> differences = new ArrayList<>();
        failed.forEach((name, said) -> {
            if (!reasons.containsKey(name)) {
                differences.add("fails, and is not listed: " + name + "\n" + said.indent(4));
            }
        });
        for (String name : reasons.keySet()) {
            if (passed.contains(name)) {
                differences.add("passes, and is listed as failing: " + name);
            } else if (!failed.containsKey(name)) {
                differences.add("is listed, and was not run: " + name);
            }
        }
        return differences;
    }
}
