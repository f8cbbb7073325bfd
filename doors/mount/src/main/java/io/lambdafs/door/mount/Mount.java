package io.lambdafs.door.mount;

import io.lambdafs.client.BlockingLambdaFs;
import io.lambdafs.door.mount.calls.KernelCalls;
import io.lambdafs.door.mount.device.Device;
import io.lambdafs.door.mount.device.Session;
import io.lambdafs.door.mount.files.LocalSpace;
import io.lambdafs.door.mount.files.Mounted;
import io.lambdafs.door.mount.files.OpenFiles;
import io.lambdafs.door.mount.names.NodeTable;
import io.lambdafs.door.mount.users.Callers;
import io.lambdafs.model.FsPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running mount. Thread-safe. */
final class Mount {
    private static final Logger LOG = LoggerFactory.getLogger(Mount.class);

    private final MountConfig config;
    private final Callers callers;
    private final OpenFiles files;
    private final Session session;

    private Mount(MountConfig config, Callers callers, OpenFiles files, Session session) {
        this.config = config;
        this.callers = callers;
        this.files = files;
        this.session = session;
    }

    /**
     * Serves a mount by this process's standard input.
     *
     * @throws io.lambdafs.model.FsException if the cluster cannot be reached
     */
    static Mount start(MountConfig config) throws IOException, InterruptedException {
        Duration deadline = config.deadlineMillis() == 0 ? null : Duration.ofMillis(config.deadlineMillis());
        Callers callers = new Callers(Path.of(config.cluster()), deadline);
        BlockingLambdaFs.await(callers.superuser().stat(FsPath.ROOT));
        Mounted mounted =
                new Mounted(new NodeTable(), callers, new LocalSpace(Path.of(config.cache()), config.cacheBytes()));
        OpenFiles files = new OpenFiles(mounted);
        Device device = Device.ofStandardInput();
        Session session =
                new Session(device, new KernelCalls(mounted, files, config.validMillis(), device::forgetAttributes));
        session.start();
        LOG.info("{} shows the cluster of {}", config.directory(), config.cluster());
        note(Path.of(config.pidFile()));
        return new Mount(config, callers, files, session);
    }

    private static void note(Path file) throws IOException {
        Path draft = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(draft, ProcessHandle.current().pid() + "\n");
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** Completes when the directory is mounted no more. */
    CompletableFuture<Void> ended() {
        return session.ended();
    }

    /** Ends the mount, if it has not ended: at once if nothing is open there, else when all is closed. */
    void unmount() {
        if (session.ended().isDone()) {
            return;
        }
        if (!run("umount", config.directory())) {
            run("umount", "-l", config.directory());
        }
    }

    private static boolean run(String... command) {
        try {
            return new ProcessBuilder(command)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start()
                            .waitFor()
                    == 0;
        } catch (IOException e) {
            LOG.error("{} cannot be run: {}", command[0], e.toString());
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** Publishes what is left, and closes the clients. */
    void close() throws InterruptedException {
        files.closeAll();
        callers.close();
        LOG.info("{} is mounted no more", config.directory());
    }
}
