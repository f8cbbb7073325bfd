package io.lambdafs.benchmarks.sharing;

import java.util.Arrays;

/**
 * What one process came to. Immutable.
 *
 * @param firstMicros from the beginning of its main method to the first answer
 * @param allMicros the same to the last one
 * @param processMillis from when it was started to when it had ended; 0 where it says so itself
 * @param http calls that it made by HTTP
 * @param connections that instances opened to it, and that stood in the end
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
