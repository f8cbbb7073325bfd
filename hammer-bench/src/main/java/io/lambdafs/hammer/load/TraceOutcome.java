package io.lambdafs.hammer.load;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.hammer.report.Report;
import io.lambdafs.hammer.trace.TraceReplay;
import io.lambdafs.hammer.trace.TraceScan;
import java.nio.file.Path;
import java.util.TreeMap;

/** The end of a trace's replay. Immutable. */
public record TraceOutcome(TraceScan scan, TraceReplay.Outcome outcome) {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    /** Writes the page, shows the result, and returns the exit code. */
    public int show(Console console, Path report, boolean json) {
        if (json) {
            Path page = Report.write(outcome.result(), report);
            console.print(json(page));
            return Outcome.judge(outcome.result(), console);
        }
        console.print(scan.describe());
        console.print("refused by the namespace: " + TraceReplay.describe(outcome.refusals()));
        return new Outcome(outcome.result(), report).show(console, false);
    }

    private String json(Path page) {
        try {
            ObjectNode tree = (ObjectNode) MAPPER.readTree(Report.json(outcome.result(), page));
            ObjectNode trace =
                    tree.putObject("trace").put("records", scan.records()).put("lines", scan.lines());
            trace.put("seconds", scan.seconds());
            new TreeMap<>(scan.leftOut()).forEach(trace.putObject("leftOut")::put);
            new TreeMap<>(outcome.refusals())
                    .forEach(tree.put("refused", outcome.refused()).putObject("refusals")::put);
            return MAPPER.writeValueAsString(tree);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a report's JSON does not parse", e);
        }
    }
}
