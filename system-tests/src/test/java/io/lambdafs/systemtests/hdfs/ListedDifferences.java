package io.lambdafs.systemtests.hdfs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** The rows of {@code docs/HDFS-DIFFERENCES.md} whose first three cells are code, and how often each occurred. Used by one thread. */
final class ListedDifferences {
    private static final Pattern ROW = Pattern.compile("\\| `([^|`]+)` \\| `([^|`]+)` \\| `([^|`]+)` \\| ([^|]+) \\|");

    /**
     * Answers that may differ. {@code *} stands for any text, {@code …} for text that HDFS and λFS have in common.
     *
     * @param operation its name
     */
    private record Row(String operation, Pattern operations, String hdfs, String lambda, Pattern answers) {
        /** Between the two answers, which are matched as one text. */
        private static final char BETWEEN = '\0';

        static Row of(String operation, String hdfs, String lambda) {
            int common = (int) hdfs.chars().filter(c -> c == '…').count();
            String ours = lambda;
            for (int group = 1; group <= common; group++) {
                ours = ours.replaceFirst("…", "\1" + group + "\2");
            }
            String answers = (quoted(hdfs) + BETWEEN + quoted(ours))
                    .replace("\1", "\\E\\")
                    .replace("\2", "\\Q");
            return new Row(
                    operation,
                    Pattern.compile(quoted(operation)),
                    hdfs,
                    lambda,
                    Pattern.compile(answers, Pattern.DOTALL));
        }

        private static String quoted(String pattern) {
            return "\\Q" + pattern.replace("*", "\\E.*\\Q").replace("…", "\\E(.*)\\Q") + "\\E";
        }

        boolean covers(String asked, String theirs, String ours) {
            return operations.matcher(asked).matches()
                    && answers.matcher(theirs + BETWEEN + ours).matches();
        }

        @Override
        public String toString() {
            return operation + ": HDFS " + hdfs + ", λFS " + lambda;
        }
    }

    private final Map<Row, Integer> occurrences = new LinkedHashMap<>();

    ListedDifferences(List<String> lines) {
        for (String line : lines) {
            var row = ROW.matcher(line);
            if (row.matches()) {
                occurrences.put(Row.of(row.group(1), row.group(2), row.group(3)), 0);
            } else if (line.startsWith("| `")) {
                throw new IllegalArgumentException("not a row of operation, HDFS, λFS and reason: " + line);
            }
        }
    }

    static ListedDifferences read(Path page) throws IOException {
        return new ListedDifferences(Files.readAllLines(page));
    }

    /** Returns whether these answers may differ; counts it. */
    boolean allow(String operation, String theirs, String ours) {
        Optional<Row> covering = occurrences.keySet().stream()
                .filter(row -> row.covers(operation, theirs, ours))
                .findFirst();
        covering.ifPresent(row -> occurrences.merge(row, 1, Integer::sum));
        return covering.isPresent();
    }

    /** A line for each row. */
    List<String> summary() {
        List<String> lines = new ArrayList<>();
        occurrences.forEach((row, count) -> lines.add(
                count == 0 ? "listed, but did not occur: " + row : "listed, %d times: %s".formatted(count, row)));
        return lines;
    }
}
