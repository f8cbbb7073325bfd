package io.lambdafs.hammer.load;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.cluster.gateway.GatewayClient;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import java.util.concurrent.TimeUnit;

/** The prewarmed processes of a cluster, before a load that needs them. Stateless. */
public final class HotPool {
    private static final long POLL_MILLIS = 250;

    private HotPool() {}

    /**
     * Waits until all prewarmed processes have rehearsed.
     *
     * @param limitSeconds time limit, after which it continues without the rest
     * @return how many have
     */
    public static int await(GatewayClient gateway, int wanted, long limitSeconds, Console console) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(limitSeconds);
        int ready = rehearsed(gateway.instances());
        while (ready < wanted && System.nanoTime() - end < 0) {
            console.progress("  " + ready + " of " + wanted + " prewarmed processes have rehearsed");
            try {
                TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new FsException(ErrorCode.INTERRUPTED, "interrupted while processes rehearsed", e);
            }
            ready = rehearsed(gateway.instances());
        }
        console.endProgress();
        return ready;
    }

    /** Counts the waiting processes that report warm code. */
    static int rehearsed(JsonNode instances) {
        int count = 0;
        for (JsonNode each : instances) {
            count += each.path("state").asText().equals("prewarmed") && each.has("ofSteadyCost") ? 1 : 0;
        }
        return count;
    }
}
