package io.lambdafs.hammer.workers;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.hammer.load.Outcome;
import io.lambdafs.hammer.report.Report;
import io.lambdafs.hammer.result.Measured;
import io.lambdafs.hammer.result.ReplayResult;
import io.lambdafs.hammer.result.ServerfulFleet;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The end of a load of several workers. Immutable.
 *
 * @param result combined reports of the workers, including lost ones until their loss
 * @param shares of each worker
 */
public record WorkersResult(ReplayResult result, List<Share> shares) {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    public WorkersResult {
        shares = List.copyOf(shares);
    }

    /** Returns the number of workers that were lost. */
    public long lost() {
        return shares.stream().filter(share -> share.lost() != null).count();
    }

    /** Writes the page, and shows the result and each share; a lost worker makes it a failure. */
    public int show(Console console, Path report, boolean json) {
        if (json) {
            console.print(json(Report.write(result, report)));
        } else {
            shares.forEach(share -> console.print(share.line()));
        }
        int exit = json ? Outcome.judge(result, console) : new Outcome(result, report).show(console, false);
        if (lost() > 0) {
            console.say("lambdafs: " + lost() + " of " + shares.size() + " workers were lost");
            return ExitCode.FAILED.number();
        }
        return exit;
    }

    private String json(Path page) {
        try {
            ObjectNode tree = (ObjectNode) MAPPER.readTree(Report.json(result, page));
            ArrayNode workers = tree.putArray("workers");
            shares.forEach(share -> share.write(workers.addObject()));
            return MAPPER.writeValueAsString(tree);
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("a report's JSON does not parse", e);
        }
    }

    /** Describes the load and each worker for the report. */
    static Map<String, String> settings(
            Messages.Task task, ServerfulFleet fleet, List<Share> shares, Measured measured) {
        Map<String, String> shown = new LinkedHashMap<>();
        shown.put("Workload", task.workload().mix().describe());
        shown.put("Load", task.workload().load());
        shown.put("Seed", String.valueOf(task.workload().seed()));
        shown.put(
                "Namespace",
                String.format(
                        Locale.ROOT,
                        "%s, imported by each worker below %s; %s",
                        task.tree(),
                        task.target(),
                        task.workload().popularity().describe()));
        shares.forEach(share -> shown.put(share.worker(), share.line()));
        shown.put("Latency", "from the intended start: an operation that had to wait counts its waiting");
        shown.put("Serverful fleet", fleet.describe(measured.tally().peakInstances()));
        shown.put("Machine", Measured.machine());
        return shown;
    }
}
