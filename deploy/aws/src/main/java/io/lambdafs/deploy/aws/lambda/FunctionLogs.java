package io.lambdafs.deploy.aws.lambda;

import io.lambdafs.deploy.Change;
import io.lambdafs.deploy.Undo;
import java.util.Map;
import java.util.Optional;
import software.amazon.awssdk.services.cloudwatchlogs.CloudWatchLogsClient;
import software.amazon.awssdk.services.cloudwatchlogs.model.LogGroup;

/**
 * The log groups of functions, one each. Lambda would create them with the first call, and keep their lines for ever.
 * Confined to one thread.
 */
final class FunctionLogs {
    private static final String GROUP = "log group";

    private final CloudWatchLogsClient logs;

    FunctionLogs(CloudWatchLogsClient logs) {
        this.logs = logs;
    }

    private static String name(String function) {
        return "/aws/lambda/" + function;
    }

    private Optional<LogGroup> find(String function) {
        return logs.describeLogGroups(asked -> asked.logGroupNamePrefix(name(function))).logGroups().stream()
                .filter(each -> each.logGroupName().equals(name(function)))
                .findFirst();
    }

    /**
     * Creates the log group of a function, or changes how long it keeps lines.
     *
     * @param days how long
     * @return empty if nothing changes
     */
    Optional<Change> put(String cluster, String function, int days, boolean dryRun, Undo undo) {
        Optional<LogGroup> found = find(function);
        Integer kept = found.map(LogGroup::retentionInDays).orElse(null);
        if (found.isPresent() && kept != null && kept == days) {
            return Optional.empty();
        }
        String group = name(function);
        if (!dryRun) {
            if (found.isEmpty()) {
                logs.createLogGroup(asked -> asked.logGroupName(group).tags(Map.of(FunctionSpec.CLUSTER_TAG, cluster)));
                undo.add(() -> logs.deleteLogGroup(asked -> asked.logGroupName(group)));
            }
            logs.putRetentionPolicy(asked -> asked.logGroupName(group).retentionInDays(days));
        }
        return Optional.of(new Change(
                found.isEmpty() ? Change.Kind.CREATED : Change.Kind.UPDATED,
                GROUP,
                group,
                "{\"retentionInDays\":" + days + "}"));
    }

    /** Removes the log group of a function, with its lines; empty if there is none. */
    Optional<Change> remove(String function, boolean dryRun) {
        if (find(function).isEmpty()) {
            return Optional.empty();
        }
        if (!dryRun) {
            logs.deleteLogGroup(asked -> asked.logGroupName(name(function)));
        }
        return Optional.of(new Change(Change.Kind.REMOVED, GROUP, name(function), ""));
    }
}
