package io.lambdafs.cluster.check;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.settings.Json;
import io.lambdafs.cluster.terminal.ExitCode;
import java.util.ArrayList;
import java.util.List;

/**
 * Doctor's findings, and the conclusion from them. Immutable.
 *
 * @param accepted names of checks that may be unknown, because they were made elsewhere
 */
public record Diagnosis(List<Finding> findings, List<String> accepted) {
    public Diagnosis {
        findings = List.copyOf(findings);
        accepted = List.copyOf(accepted);
    }

    private long faults() {
        return findings.stream()
                .filter(each -> each.state() == Finding.State.FAULT)
                .count();
    }

    private long unknown() {
        return findings.stream()
                .filter(each -> each.state() == Finding.State.UNKNOWN && !accepted.contains(each.check()))
                .count();
    }

    /** Returns {@code FAILED} for a fault, and {@code UNREACHABLE} if something else could not be checked. */
    public ExitCode exit() {
        return faults() > 0 ? ExitCode.FAILED : unknown() > 0 ? ExitCode.UNREACHABLE : ExitCode.OK;
    }

    /** Returns a line for each finding, and the conclusion. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        findings.forEach(each -> lines.add(each.line()));
        lines.add(summary(faults(), unknown()));
        return lines;
    }

    private static String summary(long faults, long unknown) {
        String could = unknown == 0
                ? ""
                : "; what is unknown could not be looked at: " + unknown + (unknown == 1 ? " check" : " checks");
        if (faults > 0) {
            return faults + (faults == 1 ? " fault" : " faults") + could;
        }
        return unknown == 0 ? "no fault found" : "no fault among what could be looked at" + could;
    }

    /** Returns the findings as JSON. */
    public ObjectNode json() {
        ObjectNode tree = Json.object().put("schema", 1).put("faults", faults()).put("unknown", unknown());
        ArrayNode all = tree.putArray("findings");
        findings.forEach(each -> all.add(each.json()));
        return tree;
    }
}
