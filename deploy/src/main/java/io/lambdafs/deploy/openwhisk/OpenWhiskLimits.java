package io.lambdafs.deploy.openwhisk;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.deploy.FunctionsSpec;
import io.lambdafs.deploy.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/**
 * The limits that an OpenWhisk reports: {@code GET namespaces/_/limits}, whose names have changed between releases, and
 * the {@code limits} of its front page, where memory is in bytes. Immutable.
 */
record OpenWhiskLimits(JsonNode limits, JsonNode page) {
    /** Below this, bursts of calls that should make the platform scale are refused. */
    private static final long FEW_CALLS_A_MINUTE = 6_000;

    /** Compares them with the specification; limits not reported become advice. */
    List<Problem> compare(FunctionsSpec wanted) {
        List<Problem> problems = new ArrayList<>();
        concurrency(wanted, problems);
        memory(wanted, problems);
        time(wanted, problems);
        rates(wanted, problems);
        return problems;
    }

    private void concurrency(FunctionsSpec wanted, List<Problem> problems) {
        OptionalLong most = first(limits, "maxActionConcurrency", "actionConcurrencyMax");
        if (most.isEmpty()) {
            if (wanted.concurrency() > 1) {
                problems.add(Problem.advice(
                        Problem.Code.CONCURRENCY,
                        "this OpenWhisk does not tell how many calls an instance may serve at once: by default it is 1, and "
                                + wanted.concurrency() + " are wanted",
                        "have its operator set CONFIG_whisk_concurrencyLimit_max to " + wanted.concurrency()
                                + " or more on controller and invokers, or deploy with --concurrency 1"));
            }
        } else if (most.getAsLong() < wanted.concurrency()) {
            problems.add(Problem.fault(
                    Problem.Code.CONCURRENCY,
                    "an instance may serve at most " + most.getAsLong() + " calls at once here, and "
                            + wanted.concurrency() + " are wanted",
                    "have the operator set CONFIG_whisk_concurrencyLimit_max to " + wanted.concurrency()
                            + " or more on controller and invokers, or deploy with --concurrency "
                            + most.getAsLong()));
        }
    }

    private void memory(FunctionsSpec wanted, List<Problem> problems) {
        OptionalLong most = megabytes("maxActionMemory", "actionMemoryMax", "max_action_memory");
        OptionalLong least = megabytes("minActionMemory", "actionMemoryMin", "min_action_memory");
        if (most.isPresent() && most.getAsLong() < wanted.memoryMb()) {
            problems.add(Problem.fault(
                    Problem.Code.MEMORY,
                    "an instance may have at most " + most.getAsLong() + " MB here, and " + wanted.memoryMb()
                            + " MB are wanted",
                    "have the operator raise CONFIG_whisk_memory_max, or deploy with --memory " + most.getAsLong()));
        }
        if (least.isPresent() && least.getAsLong() > wanted.memoryMb()) {
            problems.add(Problem.fault(
                    Problem.Code.MEMORY,
                    "an instance must have at least " + least.getAsLong() + " MB here, and " + wanted.memoryMb()
                            + " MB are wanted",
                    "deploy with --memory " + least.getAsLong()));
        }
        problems.add(Problem.advice(
                Problem.Code.QUOTA,
                "OpenWhisk does not tell its invokers' user memory, and one instance of each function needs "
                        + (long) wanted.deployments() * wanted.memoryMb() + " MB of it",
                "see that CONFIG_whisk_containerPool_userMemory of all invokers together is a multiple of that"));
    }

    private void time(FunctionsSpec wanted, List<Problem> problems) {
        OptionalLong most = first(limits, "maxActionTimeout", "actionDurationMax");
        long longest = (most.isPresent() ? most : first(page, "max_action_duration")).orElse(Long.MAX_VALUE);
        if (longest < wanted.timeout().toMillis()) {
            problems.add(Problem.fault(
                    Problem.Code.TIME_LIMIT,
                    "a call may take at most " + longest + " ms here, and "
                            + wanted.timeout().toMillis() + " ms are wanted",
                    "have the operator raise CONFIG_whisk_timeLimit_max, or deploy with --timeout " + longest / 1_000));
        }
        problems.add(Problem.advice(
                Problem.Code.PAUSE,
                "OpenWhisk does not tell how soon it freezes an idle instance: 50 ms by default, and one that is frozen serves no TCP"
                        + " and is fenced",
                "have the operator set the invokers' pause-grace (CONFIG_whisk_containerProxy_timeouts_pauseGrace) to 10 minutes;"
                        + " an instance is reclaimed after pause-grace and idle-container together"));
    }

    private void rates(FunctionsSpec wanted, List<Problem> problems) {
        OptionalLong minute = first(limits, "invocationsPerMinute");
        minute = minute.isPresent() ? minute : first(page, "actions_per_minute");
        if (minute.isPresent() && minute.getAsLong() < FEW_CALLS_A_MINUTE) {
            problems.add(Problem.advice(
                    Problem.Code.RATE,
                    "this key may make " + minute.getAsLong()
                            + " calls a minute, and clients that start or scale out make hundreds",
                    "have the operator raise the namespace's invocationsPerMinute to " + FEW_CALLS_A_MINUTE
                            + " or more"));
        }
        OptionalLong atOnce = first(limits, "concurrentInvocations");
        atOnce = atOnce.isPresent() ? atOnce : first(page, "concurrent_actions");
        long needed = (long) wanted.deployments() * wanted.concurrency();
        if (atOnce.isPresent() && atOnce.getAsLong() <= needed) {
            problems.add(Problem.advice(
                    Problem.Code.RATE,
                    "this key may have " + atOnce.getAsLong() + " calls under way at once; with " + needed
                            + " one instance of each function is busy, and no second one is started",
                    "have the operator raise the namespace's concurrentInvocations to " + 4 * needed + " or more"));
        }
    }

    private OptionalLong megabytes(String name, String earlier, String onPage) {
        OptionalLong told = first(limits, name, earlier);
        if (told.isPresent()) {
            return told;
        }
        OptionalLong bytes = first(page, onPage);
        return bytes.isPresent() ? OptionalLong.of(bytes.getAsLong() >> 20) : bytes;
    }

    private static OptionalLong first(JsonNode tree, String... names) {
        for (String name : names) {
            if (tree.path(name).canConvertToLong()) {
                return OptionalLong.of(tree.path(name).asLong());
            }
        }
        return OptionalLong.empty();
    }
}
