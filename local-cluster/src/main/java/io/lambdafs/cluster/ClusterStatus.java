package io.lambdafs.cluster;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lambdafs.cluster.gateway.GatewayClient;
import io.lambdafs.cluster.gateway.InstanceState;
import io.lambdafs.cluster.process.ServiceProcess;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.settings.Json;
import io.lambdafs.cluster.settings.Service;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Launcher;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.platform.HotPartition;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.Leeway;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.stream.Collectors;

/** The current status of a cluster's processes and instances. Immutable. */
public final class ClusterStatus {
    private static final Duration CONNECT_LIMIT = Duration.ofSeconds(1);

    private final LocalCluster cluster;
    private final List<ServiceState> services = new ArrayList<>();
    private final List<InstanceState> instances = new ArrayList<>();

    /**
     * One service.
     *
     * @param state {@code running}, {@code starting} (alive, not yet serving), {@code failed} (ended by itself or
     *     killed), {@code stopped}
     */
    public record ServiceState(String name, String state, String endpoint, OptionalLong pid) {}

    /** Queries the status; takes a few seconds at most. */
    public ClusterStatus(LocalCluster cluster) {
        this(cluster, true);
    }

    private ClusterStatus(LocalCluster cluster, boolean withInstances) {
        this.cluster = cluster;
        for (Service service : cluster.services()) {
            services.add(ask(service));
        }
        if (withInstances && isServing()) {
            askInstances();
        }
    }

    /** Returns the reason why a local cluster does not serve: services that do not answer, or a full disk. */
    public static Optional<CommandFailure> trouble(LocalCluster cluster) {
        ClusterDirectory directory = cluster.directory();
        if (!directory.exists()) {
            return Optional.empty();
        }
        List<ServiceState> silent = new ClusterStatus(cluster, false)
                .services.stream()
                        .filter(each ->
                                each.state().equals("failed") || each.state().equals("starting"))
                        .toList();
        if (silent.isEmpty()) {
            return Optional.empty();
        }
        boolean isMissing = silent.stream().anyMatch(each -> each.state().equals("failed"));
        String what = silent.stream().map(ServiceState::name).collect(Collectors.joining(" and "))
                + " of the cluster in " + directory + " " + (silent.size() == 1 ? "does" : "do") + " not answer: ";
        return Optional.of(
                directory.isDiskFull()
                        ? new CommandFailure(
                                ExitCode.FAILED,
                                ErrorCode.STORE_FULL,
                                what
                                        + "its disk is full; free some space there, then what waits for it goes on by itself")
                        : new CommandFailure(
                                ExitCode.UNREACHABLE,
                                ErrorCode.UNAVAILABLE,
                                what + "see " + directory.logs()
                                        + (isMissing
                                                ? "; start what is missing with " + Launcher.startOf(directory.root())
                                                : ", and wait: what is alive may answer yet")));
    }

    private ServiceState ask(Service service) {
        ServiceProcess process = cluster.process(service);
        Optional<ProcessHandle> alive = process.find();
        OptionalInt port = process.port();
        String endpoint = alive.isPresent() && port.isPresent() ? endpoint(service, port.getAsInt()) : "";
        String state;
        if (alive.isEmpty()) {
            state = process.isNoted() ? "failed" : "stopped";
        } else {
            state = port.isPresent() && answers(service, port.getAsInt()) ? "running" : "starting";
        }
        return new ServiceState(
                service.label(),
                state,
                endpoint,
                alive.map(handle -> OptionalLong.of(handle.pid())).orElse(OptionalLong.empty()));
    }

    private String endpoint(Service service, int port) {
        return service.equals(Service.GATEWAY)
                ? cluster.gateway().address().map(Object::toString).orElse("")
                : Hosts.withPort(Hosts.loopback(), port);
    }

    private boolean answers(Service service, int port) {
        if (service.equals(Service.GATEWAY)) {
            return cluster.gateway().answers();
        }
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(Hosts.loopback(), port), (int)
                    Leeway.of(CONNECT_LIMIT).toMillis());
            return true;
        } catch (java.io.IOException e) {
            return false;
        }
    }

    private void askInstances() {
        try {
            GatewayClient gateway = cluster.gateway().client();
            instances.addAll(InstanceState.ask(gateway, gateway.instances()));
        } catch (FsException e) {
            // Then nothing can be reported about them; the gateway's own state says why.
            instances.clear();
        }
    }

    private Optional<HotPartition> hot() {
        if (instances.isEmpty()) {
            return Optional.empty();
        }
        Map<String, Double> opsPerSecond = instances.stream()
                .filter(each -> !each.deployment().isEmpty())
                .collect(Collectors.groupingBy(
                        InstanceState::deployment, Collectors.summingDouble(InstanceState::opsPerSecond)));
        return HotPartition.of(
                opsPerSecond, cluster.settings(LocalCluster.StartOptions.none()).deployments());
    }

    /** Returns the services in display order. */
    public List<ServiceState> services() {
        return List.copyOf(services);
    }

    /** Returns whether all services run. */
    public boolean isServing() {
        return services.stream().allMatch(each -> each.state().equals("running"));
    }

    private String defaultFs() {
        return "lambdafs:///";
    }

    /** Returns the status as JSON. */
    public ObjectNode json() {
        ObjectNode tree = Json.object().put("schema", 1);
        for (ServiceState each : services) {
            ObjectNode node = tree.withArray("services")
                    .addObject()
                    .put("name", each.name())
                    .put("state", each.state())
                    .put("endpoint", each.endpoint());
            each.pid().ifPresentOrElse(pid -> node.put("pid", pid), () -> node.putNull("pid"));
        }
        tree.withArray("instances");
        for (InstanceState each : instances) {
            each.write(tree.withArray("instances").addObject());
        }
        hot().ifPresent(each ->
                tree.putObject("hot").put("deployment", each.deployment()).put("share", each.share()));
        return tree.put("defaultFs", defaultFs())
                .put("directory", cluster.directory().toString());
    }

    /** Returns the status as text. */
    public String text() {
        StringBuilder text = new StringBuilder();
        line(text, "cluster in %s", cluster.directory());
        for (ServiceState each : services) {
            line(
                    text,
                    "  %-11s %-9s %-30s %s",
                    each.name(),
                    each.state(),
                    each.endpoint(),
                    each.pid().isPresent() ? "pid " + each.pid().getAsLong() : "");
        }
        if (cluster.directory().isDiskFull()) {
            line(text, "the disk of %s is full: free some space there", cluster.directory());
        }
        if (isServing()) {
            line(text, "instances: %d", instances.size());
            instances.forEach(each -> line(text, "  %s", each.line()));
            hot().ifPresent(each -> line(text, "%s", each.text()));
            line(text, "default file system: %s", defaultFs());
        } else if (services.stream().anyMatch(each -> each.state().equals("failed"))) {
            line(
                    text,
                    "a service has ended by itself: see %s, then %s",
                    cluster.directory().logs(),
                    Launcher.startOf(cluster.directory().root()));
        }
        return text.toString().stripTrailing();
    }

    private static void line(StringBuilder text, String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values).stripTrailing()).append('\n');
    }
}
