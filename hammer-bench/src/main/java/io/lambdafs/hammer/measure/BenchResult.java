package io.lambdafs.hammer.measure;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * The result of a bench. Immutable.
 *
 * @param json for programs
 * @param text for people
 * @param failures why the bench has failed, a line each; empty if it has not
 */
public record BenchResult(ObjectNode json, String text, List<String> failures) {
    public BenchResult {
        failures = List.copyOf(failures);
    }

    public BenchResult(ObjectNode json, String text) {
        this(json, text, List.of());
    }
}
