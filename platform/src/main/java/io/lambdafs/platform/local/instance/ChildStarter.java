package io.lambdafs.platform.local.instance;

import io.lambdafs.model.disk.FileTrouble;
import io.lambdafs.model.time.Scheduler;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.auth.Secret;
import io.lambdafs.rpc.http.HttpClient;
import java.io.IOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Starts the processes of a {@link ProcessLauncher}: from their program, or from an image. Thread-safe.
 *
 * @param children receives them; those that have ended are removed by the launcher
 */
record ChildStarter(
        ProcessLauncher.Settings settings,
        Scheduler scheduler,
        HttpClient http,
        ChildFiles files,
        Signals signals,
        Set<ChildProcess> children) {
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int MAX_LOG_FILES = 200;

    /**
     * A process to start.
     *
     * @param idly whether at idle priority
     */
    record Start(KindCommand command, int memoryMb, String instanceId, boolean idly) {
        List<String> commandLine() {
            List<String> line = new ArrayList<>(idly ? Signals.IDLY : List.of());
            line.addAll(command.commandLine(memoryMb, instanceId));
            return line;
        }
    }

    /** Starts an instance from its program. */
    ChildProcess fork(Start start, Map<String, String> more) {
        return child(start, more, (environment, log) -> {
            ProcessBuilder builder = new ProcessBuilder(start.commandLine())
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
            builder.environment().clear();
            builder.environment().putAll(environment);
            Process process = builder.start();
            process.getOutputStream().close();
            return new SnapshotEngine.Restored(process, process::toHandle);
        });
    }

    /** Restores an instance from an image. */
    ChildProcess restore(Snapshots snapshots, Path image, Start start) {
        return child(start, Map.of(), (environment, log) -> snapshots.restore(image, environment, log));
    }

    /** Starts a process with an environment, whose output goes to a log. */
    @FunctionalInterface
    private interface Way {
        SnapshotEngine.Restored start(Map<String, String> environment, Path log) throws IOException;
    }

    private ChildProcess child(Start start, Map<String, String> more, Way way) {
        String instanceId = start.instanceId();
        try {
            ChildFiles.prune(settings.logs(), MAX_LOG_FILES, this::inUse);
            Path log = settings.logs().resolve(instanceId + ".log");
            String key = newKey();
            SnapshotEngine.Restored started = way.start(environment(start, more, key), log);
            Process process = started.holder();
            Secret proof = Secret.of(key);
            ChildProcess child = new ChildProcess(
                    instanceId,
                    started,
                    new CappedLog(log, settings.maxLogBytes()),
                    scheduler,
                    start.idly() ? () -> signals.raise(process.pid()) : () -> {},
                    port -> ActionEndpoint.at(Hosts.loopback(), port, settings.https(), http, proof));
            children.add(child);
            try {
                files.note(instanceId, process.toHandle());
            } catch (IOException e) {
                // No one would end it after its gateway was killed.
                child.kill();
                throw e;
            }
            return child;
        } catch (IOException e) {
            throw FileTrouble.of(
                    "cannot start instance " + instanceId + " with its files in " + settings.directory(), e);
        }
    }

    private Map<String, String> environment(Start start, Map<String, String> more, String key) {
        Map<String, String> environment = new HashMap<>(System.getenv());
        environment.remove(ProcessLauncher.API_KEY_VARIABLE);
        environment.putAll(start.command().environment());
        environment.putAll(more);
        environment.put("LAMBDAFS_ACTION_PORT", "0");
        environment.put("LAMBDAFS_ACTION_KEY", key);
        environment.put(
                "LAMBDAFS_ACTION_PORT_FILE",
                files.portFile(start.instanceId()).toAbsolutePath().toString());
        environment.put(
                "LAMBDAFS_PARENT_PID", Long.toString(ProcessHandle.current().pid()));
        environment.put("LAMBDAFS_INSTANCE_ID", start.instanceId());
        environment.put("LAMBDAFS_MEMORY_MB", Integer.toString(start.memoryMb()));
        return environment;
    }

    private static String newKey() {
        byte[] bytes = new byte[Secret.BYTES];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    private boolean inUse(Path log) {
        return children.stream().anyMatch(child -> child.cappedLog().file().equals(log));
    }
}
