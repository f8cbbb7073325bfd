package io.lambdafs.cluster.process;

import io.lambdafs.cluster.settings.Service;
import io.lambdafs.cluster.terminal.Console;
import java.time.Duration;
import java.util.List;

/**
 * Stops services in order: doors; gateway and datanodes, so that instances leave and block writes end cleanly; then the
 * services they depend on; databases last. Thread-safe.
 */
public record Shutdown(Console console) {
    private static final Duration GATEWAY_GRACE = Duration.ofSeconds(12);
    private static final Duration SERVICE_GRACE = Duration.ofSeconds(10);
    private static final Duration DATABASE_GRACE = Duration.ofSeconds(40);

    /** Returns whether a service stops first, because it serves clients. */
    public static boolean isFirst(Service service) {
        return service.equals(Service.GATEWAY) || service.kind() == Service.Kind.DATANODE || service.isDoor();
    }

    /** Stops the running services, by force after a grace period; returns whether any ran. */
    public boolean stop(List<ServiceProcess> which) {
        List<ServiceProcess> doors =
                which.stream().filter(each -> each.service().isDoor()).toList();
        List<ServiceProcess> first = which.stream()
                .filter(each -> isFirst(each.service()) && !doors.contains(each))
                .toList();
        List<ServiceProcess> last =
                which.stream().filter(each -> each.service().isDatabase()).toList();
        List<ServiceProcess> between = which.stream()
                .filter(each -> !doors.contains(each) && !first.contains(each) && !last.contains(each))
                .toList();
        // A door is a client of all others.
        boolean any = stopTogether(doors, SERVICE_GRACE);
        any |= stopTogether(first, GATEWAY_GRACE);
        any |= stopTogether(between, SERVICE_GRACE);
        any |= stopTogether(last, DATABASE_GRACE);
        return any;
    }

    private boolean stopTogether(List<ServiceProcess> which, Duration grace) {
        boolean any = false;
        for (ServiceProcess each : which) {
            any |= each.find().isPresent();
            each.terminate();
        }
        for (ServiceProcess each : which) {
            if (!each.awaitEnd(grace)) {
                console.say(each.service().label() + " did not end within " + grace.toSeconds()
                        + " s and was ended by force");
            }
        }
        return any;
    }
}
