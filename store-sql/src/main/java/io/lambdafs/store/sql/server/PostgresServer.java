package io.lambdafs.store.sql.server;

import io.lambdafs.model.FsException;
import io.lambdafs.rpc.Leeway;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A PostgreSQL server run from the installed programs, on loopback, in its own directory, which the first start
 * creates. If root starts it, it runs under the account {@value #ACCOUNT}, as PostgreSQL demands. Confined to one
 * thread.
 */
public final class PostgresServer implements AutoCloseable {
    /** The database's superuser, and the account that root's server runs under. */
    public static final String ACCOUNT = "postgres";

    private static final Logger LOG = LoggerFactory.getLogger(PostgresServer.class);
    private static final Path DEBIAN = Path.of("/usr/lib/postgresql");
    /** The limit on a calm machine. */
    private static final Duration READY = Duration.ofSeconds(60);

    private static final long STOP_SECONDS = 20;
    private static final long POLL_MILLIS = 20;

    private final Path programs;
    private final Path directory;
    private final int port;
    private final @Nullable Path passwordFile;
    private final ProcessBuilder.Redirect log;
    private @Nullable Process process;
    private volatile boolean closing;

    /**
     * Finds the programs; starts nothing yet.
     *
     * @param port 0 for any free one
     * @param passwordFile the superuser's; null if any process that reaches the port may log in
     * @param log the destination of the server's log
     * @throws FsException {@code UNAVAILABLE}: PostgreSQL is not installed
     */
    public PostgresServer(Path directory, int port, @Nullable Path passwordFile, ProcessBuilder.Redirect log)
            throws IOException {
        this.programs = programs()
                .orElseThrow(
                        () -> FsException.unavailable("PostgreSQL is not installed: there is no initdb in " + DEBIAN
                                + " or in the path; install it (Debian: apt install postgresql), or name a server that"
                                + " runs with --jdbc-url"));
        this.directory = directory;
        this.port = port == 0 ? freePort() : port;
        this.passwordFile = passwordFile;
        this.log = log;
    }

    /** Returns the folder of the newest Debian version, else the first one in the path. */
    public static Optional<Path> programs() throws IOException {
        List<Path> folders = new ArrayList<>();
        if (Files.isDirectory(DEBIAN)) {
            try (Stream<Path> versions = Files.list(DEBIAN)) {
                versions.sorted(Comparator.comparingDouble(PostgresServer::version)
                                .reversed())
                        .forEach(each -> folders.add(each.resolve("bin")));
            }
        }
        for (String each : System.getenv().getOrDefault("PATH", "").split(":", -1)) {
            folders.add(Path.of(each));
        }
        return folders.stream()
                .filter(each ->
                        Files.isExecutable(each.resolve("initdb")) && Files.isExecutable(each.resolve("postgres")))
                .findFirst();
    }

    private static double version(Path folder) {
        try {
            return Double.parseDouble(folder.getFileName().toString());
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    public int port() {
        return port;
    }

    /** Returns the URL that pgjdbc connects to. */
    public static String url(int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    /** Creates the database if it does not exist, and starts the server; returns when it takes connections. */
    public void start() throws IOException, InterruptedException {
        if (!Files.exists(directory.resolve("PG_VERSION"))) {
            make();
        }
        List<String> command = command(
                "postgres",
                "-D",
                directory.toString(),
                "-c",
                "port=" + port,
                "-c",
                "listen_addresses=127.0.0.1",
                "-c",
                "unix_socket_directories=");
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start();
        awaitReady(process);
        LOG.info("PostgreSQL ready at 127.0.0.1:{}", port);
    }

    private void makeDirectory() throws IOException {
        Files.createDirectories(directory);
        if (isRoot()) {
            Files.setOwner(
                    directory,
                    directory.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(ACCOUNT));
        }
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    }

    /**
     * Creates its database, before the first start, as a copy of another server's that follows it as a standby. The
     * other server must demand no password.
     *
     * @param name by which the other one knows it, as in {@code synchronous_standby_names}
     */
    public void follow(int primary, String name) throws IOException, InterruptedException {
        makeDirectory();
        String where = "host=127.0.0.1 port=" + primary + " user=" + ACCOUNT + " application_name=" + name;
        Process copied = new ProcessBuilder(command(
                        "pg_basebackup",
                        "--pgdata=" + directory,
                        "--dbname=" + where,
                        "--write-recovery-conf",
                        "--checkpoint=fast",
                        "--wal-method=stream"))
                .redirectErrorStream(true)
                .start();
        copied.getOutputStream().close();
        String output = new String(copied.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (copied.waitFor() != 0) {
            throw FsException.unavailable("cannot copy the PostgreSQL database at port " + primary + " to " + directory
                    + ": " + output.strip());
        }
    }

    private void make() throws IOException, InterruptedException {
        makeDirectory();
        List<String> arguments = new ArrayList<>(
                List.of("-D", directory.toString(), "-U", ACCOUNT, "-E", "UTF8", "--locale=C", "--data-checksums"));
        // The password goes over standard input: neither the arguments nor another file hold it.
        arguments.addAll(
                passwordFile == null ? List.of("-A", "trust") : List.of("-A", "scram-sha-256", "--pwfile=/dev/stdin"));
        Process made = new ProcessBuilder(command("initdb", arguments.toArray(String[]::new)))
                .redirectErrorStream(true)
                .start();
        try (var stdin = made.getOutputStream()) {
            if (passwordFile != null) {
                stdin.write(Files.readAllBytes(passwordFile));
            }
        }
        String output;
        try (InputStream said = made.getInputStream()) {
            output = new String(said.readAllBytes(), StandardCharsets.UTF_8);
        }
        if (made.waitFor() != 0) {
            throw FsException.unavailable("cannot make a PostgreSQL database in " + directory + ": " + output.strip());
        }
    }

    private static boolean isRoot() {
        return System.getProperty("user.name", "").equals("root");
    }

    /**
     * Returns a command; for root, it runs under the account, which may enter directories that only root can, as the
     * cluster's is.
     */
    private List<String> command(String program, String... arguments) {
        List<String> command = new ArrayList<>();
        if (isRoot()) {
            command.addAll(List.of(
                    "setpriv",
                    "--reuid=" + ACCOUNT,
                    "--regid=" + ACCOUNT,
                    "--init-groups",
                    "--inh-caps=+dac_read_search",
                    "--ambient-caps=+dac_read_search"));
        }
        command.add(programs.resolve(program).toString());
        command.addAll(List.of(arguments));
        return command;
    }

    /** Waits until the server's pid file says that it is ready, or a standby that takes connections. */
    private void awaitReady(Process started) throws IOException, InterruptedException {
        Path pidFile = directory.resolve("postmaster.pid");
        long since = System.nanoTime();
        while (!isReady(pidFile, started.pid())) {
            Duration limit = Leeway.of(READY);
            if (!started.isAlive()) {
                throw FsException.unavailable("PostgreSQL in " + directory + " does not start; its log says why");
            }
            if (System.nanoTime() - since > limit.toNanos()) {
                throw FsException.unavailable("PostgreSQL in " + directory + " was not ready within "
                        + limit.toSeconds() + " s of its start; its log says why");
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    private static boolean isReady(Path pidFile, long pid) throws IOException {
        if (!Files.exists(pidFile)) {
            return false;
        }
        List<String> lines = Files.readAllLines(pidFile);
        return lines.size() >= 8
                && lines.get(0).strip().equals(String.valueOf(pid))
                && lines.get(7).strip().matches("ready|standby");
    }

    /** Blocks until the server has ended; returns whether {@link #close} has ended it. */
    boolean awaitEnd() throws InterruptedException {
        Process started = process;
        if (started != null) {
            started.waitFor();
        }
        return closing;
    }

    /** Kills the server and its sessions at once, as a crash does. */
    public void kill() {
        Process started = process;
        if (started != null) {
            closing = true;
            List<ProcessHandle> sessions = started.descendants().toList();
            started.destroyForcibly().onExit().join();
            sessions.forEach(ProcessHandle::destroyForcibly);
            sessions.forEach(each -> each.onExit().join());
            process = null;
        }
    }

    /** Ends the server: its sessions are cut off, and all commits are on disk. */
    @Override
    public void close() {
        closing = true;
        Process started = process;
        if (started == null || !started.isAlive()) {
            return;
        }
        try {
            // SIGINT is PostgreSQL's fast shutdown; SIGTERM would wait for its clients.
            new ProcessBuilder(command("pg_ctl", "-D", directory.toString(), "-m", "fast", "-w", "stop"))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor(STOP_SECONDS, TimeUnit.SECONDS);
        } catch (IOException e) {
            LOG.warn("PostgreSQL could not be stopped in order: {}", e.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        started.destroy();
    }
}
