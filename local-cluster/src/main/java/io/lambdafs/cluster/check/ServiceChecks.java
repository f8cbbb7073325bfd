package io.lambdafs.cluster.check;

import io.lambdafs.cluster.ClusterStatus;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.process.Ports;
import io.lambdafs.cluster.settings.ClusterSettings;
import io.lambdafs.cluster.settings.Service;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.Launcher;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.Leeway;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Doctor's checks of running services, their health, and the ports of stopped ones. Stateless. */
final class ServiceChecks {
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(2);

    private ServiceChecks() {}

    static List<Finding> look(
            LocalCluster cluster, ClusterSettings settings, List<ClusterStatus.ServiceState> services) {
        List<Finding> findings = new ArrayList<>();
        boolean stopped = services.stream().allMatch(each -> each.state().equals("stopped"));
        for (ClusterStatus.ServiceState each : services) {
            findings.add(state(cluster, each, stopped));
            if (!each.state().equals("running") && !each.state().equals("starting")) {
                port(cluster, settings, each.name()).ifPresent(findings::add);
            }
        }
        if (!settings.zookeeper().isEmpty()) {
            for (String server : settings.zookeeper().split(",", -1)) {
                findings.add(reach("coordinator", server));
            }
        }
        return findings;
    }

    private static Finding state(LocalCluster cluster, ClusterStatus.ServiceState service, boolean stopped) {
        String name = service.name();
        String start = Launcher.startOf(cluster.directory().root());
        return switch (service.state()) {
            case "running" -> health(cluster, service);
            case "starting" ->
                Finding.fault(
                        name,
                        "it is alive, and does not answer at its port",
                        "what needs it waits",
                        "wait while it starts; if it stays so, see "
                                + cluster.directory().log(name));
            case "failed" ->
                Finding.fault(
                        name,
                        "it has ended by itself, or was killed",
                        "what needs it fails",
                        "see " + cluster.directory().log(name) + ", then " + start);
            default ->
                stopped
                        ? Finding.unknown(name, "the cluster is stopped")
                        : Finding.fault(name, "it does not run, and others do", "what needs it fails", start);
        };
    }

    private static Finding health(LocalCluster cluster, ClusterStatus.ServiceState service) {
        String name = service.name();
        Optional<String> trouble = cluster.gateway().unhealthy(name);
        return trouble.isEmpty()
                ? Finding.ok(name, "serves at " + service.endpoint())
                : Finding.fault(
                        name,
                        "its health page says: " + trouble.get().strip(),
                        "it cannot do all of its work",
                        "do what the page says, or see " + cluster.directory().log(name));
    }

    /** Checks whether another process listens on a stopped service's port. */
    private static Optional<Finding> port(LocalCluster cluster, ClusterSettings settings, String name) {
        Service service = cluster.services().stream()
                .filter(each -> each.label().equals(name))
                .findFirst()
                .orElseThrow();
        try {
            Ports.choose(service, settings, cluster.process(service).port());
            return Optional.empty();
        } catch (CommandFailure taken) {
            return Optional.of(Finding.fault(
                    "ports",
                    String.valueOf(taken.getMessage()).replaceAll(": stop what uses.*", ""),
                    "the service cannot start there",
                    "stop what uses that port, or set another with \"ports."
                            + service.kind().label() + "\""));
        }
    }

    /** Checks whether something listens at {@code host:port}. */
    static Finding reach(String check, String address) {
        int colon = address.lastIndexOf(':');
        String why = "what needs it fails";
        String change = "start it, or correct its address in the settings; is a firewall between?";
        try (Socket socket = new Socket()) {
            String host = Hosts.bare(address.substring(0, colon));
            int port = Integer.parseInt(address.substring(colon + 1));
            socket.connect(new InetSocketAddress(host, port), (int)
                    Leeway.of(CONNECT_LIMIT).toMillis());
            return Finding.ok(check, address + " answers");
        } catch (IOException | NumberFormatException e) {
            return Finding.fault(check, address + " cannot be reached (" + e.getMessage() + ")", why, change);
        }
    }

    /** Returns whether a service runs and answers. */
    static boolean runs(List<ClusterStatus.ServiceState> services, String name) {
        return services.stream()
                .anyMatch(each -> each.name().equals(name) && each.state().equals("running"));
    }
}
