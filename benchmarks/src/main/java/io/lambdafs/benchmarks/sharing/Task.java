package io.lambdafs.benchmarks.sharing;

import java.util.Arrays;

/**
 * The result of one process. Immutable.
 *
 * @param firstMicros time from the start of its main method to the first answer
 * @param allMicros the same to the last answer
 * @param processMillis time from its start to its end; 0 in the process's own report
 * @param http its calls by HTTP
 * @param connections connections that instances opened to it and that existed at its end
 */
record Task(long firstMicros, long allMicros, long processMillis, long http, long connections) {
    String line() {
        return firstMicros + " " + allMicros + " " + http + " " + connections;
    }

    static Task parse(String line, long processMillis) {
        long[] parts = Arrays.stream(line.strip().split(" ", -1))
                .mapToLong(Long::parseLong)
                .toArray();
        return new Task(parts[0], parts[1], processMillis, parts[2], parts[3]);
    }
}
