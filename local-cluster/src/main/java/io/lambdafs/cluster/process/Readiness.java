package io.lambdafs.cluster.process;

import io.lambdafs.cluster.gateway.GatewayClient;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.rpc.Leeway;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Waits for starting services as long as the machine makes it necessary, showing progress. Confined to one thread. */
public final class Readiness {
    /** The limit on a calm machine. */
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static final long POLL_MILLIS = 10;

    private final Console console;
    private final long begun = System.nanoTime();

    public Readiness(Console console) {
        this.console = console;
    }

    /** Waits until the service has published its port; fails with the end of its log if it ends instead. */
    public void await(ServiceProcess process) {
        String label = process.service().label();
        until(label, () -> {
            if (process.port().isPresent()) {
                return true;
            }
            if (process.find().isEmpty()) {
                throw new CommandFailure(
                        ExitCode.FAILED,
                        ErrorCode.UNAVAILABLE,
                        label + " ended while it started; it said:\n    " + process.lastWords());
            }
            return false;
        });
        console.say(String.format(
                java.util.Locale.ROOT,
                "  %-9s ready after %.1f s, port %d",
                label,
                seconds(),
                process.port().orElse(0)));
    }

    /** Waits until the gateway answers. */
    public void awaitAnswer(GatewayClient gateway) {
        until("gateway", gateway::isHealthy);
    }

    private void until(String label, BooleanSupplier ready) {
        long since = System.nanoTime();
        Duration limit = LIMIT;
        while (!ready.getAsBoolean()) {
            // The starting services make the machine busy themselves.
            limit = Collections.max(List.of(limit, Leeway.of(LIMIT)));
            if (System.nanoTime() - since > limit.toNanos()) {
                throw new CommandFailure(
                        ExitCode.FAILED,
                        ErrorCode.UNAVAILABLE,
                        label + " did not answer within " + limit.toSeconds() + " s of its start; its log says why");
            }
            console.progress(String.format(java.util.Locale.ROOT, "  starting %s … %.1f s", label, seconds()));
            try {
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CommandFailure(
                        ExitCode.FAILED, ErrorCode.INTERRUPTED, "interrupted while " + label + " started");
            }
        }
    }

    private double seconds() {
        return (System.nanoTime() - begun) / 1e9;
    }
}
