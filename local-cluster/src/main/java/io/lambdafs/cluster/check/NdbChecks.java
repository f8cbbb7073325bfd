package io.lambdafs.cluster.check;

import com.fasterxml.jackson.databind.JsonNode;
import io.lambdafs.cluster.ClusterStatus;
import io.lambdafs.cluster.LocalCluster;
import io.lambdafs.cluster.process.NdbInstallation;
import io.lambdafs.cluster.settings.Json;
import io.lambdafs.cluster.settings.Service;
import io.lambdafs.cluster.settings.StoreSettings;
import io.lambdafs.model.FsException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Doctor's checks of the metadata's NDB Cluster: installed parts, management servers, data nodes, memory and
 * checkpoints. Stateless.
 */
final class NdbChecks {
    private static final String CHECK = "ndb";
    private static final String STARTED = "STARTED";
    private static final int MOST_USED_PERCENT = 80;
    /** Maximum interval of global checkpoints if replies wait for them. */
    private static final int MOST_CHECKPOINT_MILLIS = 1_000;

    private static final long PROGRAM_SECONDS = 10;
    private static final Pattern USED = Pattern.compile("Node ([0-9]+): Data usage is ([0-9]+)%");
    private static final Pattern CHECKPOINT = Pattern.compile("(?m)^([0-9]+) ([0-9]+)$");

    private NdbChecks() {}

    static List<Finding> look(LocalCluster cluster, StoreSettings settings, List<ClusterStatus.ServiceState> services) {
        List<Finding> findings = new ArrayList<>();
        try {
            NdbInstallation.demand(settings);
            findings.add(Finding.ok(CHECK, "NDB's client is there"));
        } catch (FsException e) {
            findings.add(Finding.fault(
                    CHECK, "a part of NDB is missing here", "the store cannot start", String.valueOf(e.getMessage())));
        }
        if (settings.hasOwnNdb() && !ServiceChecks.runs(services, Service.NDB.label())) {
            findings.add(Finding.unknown(CHECK, "the cluster's own NDB does not run"));
            return findings;
        }
        Path file = cluster.directory().configuration(Service.STORE.label());
        String connect = settings.ndbConnect();
        if (connect.isEmpty()) {
            try {
                JsonNode store = Json.MAPPER.readTree(Files.readString(file));
                connect = store.path("connect").asText();
            } catch (IOException e) {
                findings.add(Finding.unknown(CHECK, "the store was never started: there is no " + file));
                return findings;
            }
        }
        findings.addAll(lookAt(connect));
        findings.addAll(askPrograms(connect, settings.awaitsCheckpoints()));
        return findings;
    }

    /** Checks each management server, and the data nodes as seen by the first that answers. */
    static List<Finding> lookAt(String connect) {
        List<Finding> findings = new ArrayList<>();
        Map<Integer, String> nodes = Map.of();
        for (String address : connect.split(",")) {
            try {
                Map<Integer, String> seen = NdbManagement.dataNodes(address);
                findings.add(Finding.ok(CHECK, "the management server " + address + " answers"));
                nodes = nodes.isEmpty() ? seen : nodes;
            } catch (IOException e) {
                findings.add(Finding.fault(
                        CHECK,
                        "the management server " + address + " does not answer (" + e.getMessage() + ")",
                        "store servers find NDB by those that are left; with none they cannot start",
                        "start ndb_mgmd there, or take the address out of store.ndbConnect"));
            }
        }
        nodes.forEach((node, state) -> findings.add(
                state.equals(STARTED)
                        ? Finding.ok(CHECK, "data node " + node + " has started")
                        : Finding.fault(
                                CHECK,
                                "data node " + node + " is " + state,
                                "its replica is missing: when the other node of its group ends, so does the store",
                                "start ndbmtd there; its log says why it ended")));
        return findings;
    }

    /** Checks by NDB's own programs, if installed. */
    private static List<Finding> askPrograms(String connect, boolean awaitsCheckpoints) {
        List<Finding> findings = new ArrayList<>();
        try {
            findings.addAll(memory(run(
                    "ndb_mgm", "--ndb-connectstring=" + connect, "--connect-retries=1", "-e", "all report memory")));
        } catch (IOException e) {
            findings.add(Finding.unknown(CHECK, "data memory: " + e.getMessage()));
        }
        try {
            findings.addAll(checkpoints(
                    run(
                            "ndb_config",
                            "--ndb-connectstring=" + connect,
                            "--type=ndbd",
                            "--query=nodeid,TimeBetweenGlobalCheckpoints",
                            "--fields= ",
                            "--rows=\n"),
                    awaitsCheckpoints));
        } catch (IOException e) {
            findings.add(Finding.unknown(CHECK, "checkpoints: " + e.getMessage()));
        }
        return findings;
    }

    static List<Finding> memory(String report) {
        List<Finding> findings = new ArrayList<>();
        Matcher each = USED.matcher(report);
        while (each.find()) {
            int used = Integer.parseInt(each.group(2));
            String what = "data node " + each.group(1) + " uses " + used + " % of its data memory";
            findings.add(
                    used <= MOST_USED_PERCENT
                            ? Finding.ok(CHECK, what)
                            : Finding.fault(
                                    CHECK,
                                    what,
                                    "where it is full, nothing can be created any more",
                                    "raise DataMemory and restart the data nodes one by one, or add a node group"));
        }
        return findings.isEmpty()
                ? List.of(Finding.unknown(CHECK, "data memory: no data node tells: " + report.strip()))
                : findings;
    }

    static List<Finding> checkpoints(String configured, boolean awaited) {
        List<Finding> findings = new ArrayList<>();
        Matcher each = CHECKPOINT.matcher(configured);
        while (each.find()) {
            int millis = Integer.parseInt(each.group(2));
            String what = "data node " + each.group(1) + " makes a global checkpoint every " + millis + " ms";
            findings.add(
                    !awaited || millis <= MOST_CHECKPOINT_MILLIS
                            ? Finding.ok(CHECK, what)
                            : Finding.fault(
                                    CHECK,
                                    what,
                                    "each write waits for one (store.ack is checkpoint)",
                                    "set TimeBetweenGlobalCheckpoints to 100, or store.ack to replicated"));
        }
        return findings.isEmpty() ? List.of(Finding.unknown(CHECK, "checkpoints: " + configured.strip())) : findings;
    }

    private static String run(String program, String... arguments) throws IOException {
        String home = Optional.ofNullable(System.getenv("NDB_HOME")).orElse("");
        Path file = Path.of(home, "bin", program);
        if (home.isEmpty() || !Files.isExecutable(file)) {
            throw new IOException("NDB_HOME names no folder whose bin has " + program);
        }
        List<String> command = new ArrayList<>(List.of(file.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment()
                .merge("LD_LIBRARY_PATH", Path.of(home, "lib").toString(), (others, own) -> own + ":" + others);
        Process process = builder.start();
        try {
            process.getOutputStream().close();
            // Its few lines fit in the pipe.
            if (!process.waitFor(PROGRAM_SECONDS, TimeUnit.SECONDS)) {
                throw new IOException(program + " has not ended after " + PROGRAM_SECONDS + " s");
            }
            return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } finally {
            process.destroyForcibly();
        }
    }
}
