package io.lambdafs.systemtests;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The processes of a cluster's store: its servers, and the processes of a database of the cluster's own. Confined to
 * one thread.
 */
public final class StoreProcesses {
    private static final List<String> SERVERS = List.of("store", "store-2");
    private static final String SERVING = "lambdafs_store_serving 1.0";
    private static final String NODE = "--ndb-nodeid=";

    private final ClusterUnderTest cluster;
    private final HttpClient http = HttpClient.newHttpClient();

    public StoreProcesses(ClusterUnderTest cluster) {
        this.cluster = cluster;
    }

    private Optional<ProcessHandle> database() {
        try {
            Optional<ProcessHandle> postgres = cluster.service("postgres");
            return postgres.isPresent() ? postgres : cluster.service("ndb");
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    public boolean hasDatabase() {
        return database().isPresent();
    }

    /** The label of the store server that serves; of the first where none says so. */
    public String servingStore() throws InterruptedException {
        for (String each : SERVERS) {
            if (says(each)) {
                return each;
            }
        }
        return SERVERS.get(0);
    }

    private boolean says(String server) throws InterruptedException {
        try {
            if (cluster.service(server).isEmpty()) {
                return false;
            }
            URI page = URI.create("http://127.0.0.1:" + cluster.port(server + "-metrics") + "/metrics");
            return http.send(HttpRequest.newBuilder(page).build(), HttpResponse.BodyHandlers.ofString())
                    .body()
                    .contains(SERVING);
        } catch (IOException e) {
            return false;
        }
    }

    /** PostgreSQL's server, or a data node of NDB while the other one serves too; nobody where that is not so. */
    public Optional<ProcessHandle> databaseProcess() throws IOException, InterruptedException {
        Optional<ProcessHandle> service = database();
        if (service.isEmpty()) {
            return Optional.empty();
        }
        List<ProcessHandle> nodes = service.get()
                .children()
                .filter(each -> arguments(each).stream().anyMatch(word -> word.startsWith(NODE)))
                .toList();
        if (!nodes.isEmpty()) {
            return nodes.size() == 2 && allStarted() ? Optional.of(nodes.get(1)) : Optional.empty();
        }
        return service.get().children().findFirst();
    }

    private static List<String> arguments(ProcessHandle process) {
        return process.info().arguments().map(List::of).orElse(List.of());
    }

    /** A data node that is starting has not all rows yet. */
    private boolean allStarted() throws IOException, InterruptedException {
        Path program = Path.of(System.getenv("NDB_HOME"), "bin", "ndb_mgm");
        Process asked = new ProcessBuilder(
                        program.toString(), "-c", "127.0.0.1:" + cluster.port("ndb"), "-e", "all status")
                .redirectErrorStream(true)
                .start();
        String status = new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return asked.waitFor() == 0
                && status.lines().filter(line -> line.contains(": started")).count() == 2;
    }
}
