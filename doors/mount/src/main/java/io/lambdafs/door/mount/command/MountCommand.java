package io.lambdafs.door.mount.command;

import io.lambdafs.cluster.options.DirectoryOption;
import io.lambdafs.cluster.process.LogTail;
import io.lambdafs.cluster.settings.ClusterDirectory;
import io.lambdafs.cluster.terminal.CommandFailure;
import io.lambdafs.cluster.terminal.Console;
import io.lambdafs.cluster.terminal.ExitCode;
import io.lambdafs.cluster.terminal.Version;
import io.lambdafs.door.mount.MountConfig;
import io.lambdafs.model.ErrorCode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code lambdafs mount}: shows a cluster's file system as a directory of this machine. */
@Command(
        name = "mount",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        description = {
            "Show a cluster's file system as a directory of this machine.",
            "Needs Linux, and root. Every user of the machine sees it, with the rights of the user of that name."
        })
public final class MountCommand implements Callable<Integer> {
    private static final Path DEVICE = Path.of("/dev/fuse");
    private static final long POLL_MILLIS = 20;
    private static final long CLOSE_TO_OPEN_MILLIS = 1_000;
    private static final int DEFAULT_CACHE_MB = 4_096;

    private final Console console;

    @Parameters(paramLabel = "DIR", description = "Directory to mount it at.")
    private Path directory = Path.of("");

    @Mixin
    private DirectoryOption cluster = new DirectoryOption();

    @Option(names = "--stop", description = "Unmount DIR, and wait until all is written.")
    private boolean stop;

    @Option(names = "--foreground", description = "Serve it as long as the command runs (Ctrl-C).")
    private boolean foreground;

    @Option(
            names = "--close-to-open",
            description = "Let the kernel go by names and attributes for a second; an open sees all that was closed"
                    + " before (default: every look sees every change).")
    private boolean closeToOpen;

    @Option(
            names = "--cache",
            paramLabel = "DIR",
            description = "Folder for what is written at random until it is closed (default: java.io.tmpdir).")
    private @Nullable Path cache;

    @Option(
            names = "--cache-mb",
            paramLabel = "N",
            defaultValue = "" + DEFAULT_CACHE_MB,
            description = "Most megabytes there (default: ${DEFAULT-VALUE}).")
    private int cacheMb = DEFAULT_CACHE_MB;

    @Option(
            names = "--deadline",
            paramLabel = "SECONDS",
            defaultValue = "0",
            description = "Time after which a call that the cluster does not answer fails with EIO"
                    + " (default: the client's, 60).")
    private int deadlineSeconds;

    public MountCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws InterruptedException {
        Path at = directory.toAbsolutePath().normalize();
        try {
            return stop ? stop(at) : start(at);
        } catch (IOException e) {
            throw CommandFailure.ofFile("cannot mount at " + at, e);
        }
    }

    private int start(Path at) throws IOException, InterruptedException {
        check(at);
        ClusterDirectory from = cluster.find();
        if (!Files.isReadable(from.client())) {
            throw refused("there is no cluster in " + from + ": start it, or name its directory with --dir");
        }
        MountFiles files = new MountFiles(from, at);
        files.prepare();
        Path parts = cache == null ? Path.of(System.getProperty("java.io.tmpdir", "/tmp")) : cache.toAbsolutePath();
        new MountConfig(
                        from.root().toString(),
                        at.toString(),
                        parts.toString(),
                        (long) cacheMb << 20,
                        closeToOpen ? CLOSE_TO_OPEN_MILLIS : 0,
                        TimeUnit.SECONDS.toMillis(deadlineSeconds),
                        files.pid().toString())
                .save(files.configuration());
        Process process = MountProcess.start(
                at, files.configuration(), foreground ? null : files.log().toFile());
        while (!Files.exists(files.pid())) {
            if (process.waitFor(POLL_MILLIS, TimeUnit.MILLISECONDS)) {
                throw refused("nothing is mounted at " + at + (foreground ? "" : LogTail.of(files.log())));
            }
        }
        console.print(at + " shows the file system of " + from);
        return foreground ? process.waitFor() : ExitCode.OK.number();
    }

    private void check(Path at) throws IOException {
        if (!Files.exists(DEVICE)) {
            throw refused("there is no " + DEVICE + ": a mount needs Linux with FUSE");
        }
        if (!Integer.valueOf(0).equals(Files.getAttribute(Path.of("/proc/self"), "unix:uid"))) {
            throw refused("mounting needs root: run this with sudo, as one who may read the cluster's directory");
        }
        if (!Files.isDirectory(at)) {
            throw refused(at + " is no directory");
        }
        if (MountTable.has(at.toRealPath())) {
            throw refused(at + " is a mount already: end it with lambdafs mount --stop " + at);
        }
    }

    private static CommandFailure refused(String why) {
        return new CommandFailure(ExitCode.FAILED, ErrorCode.NOT_ALLOWED, why);
    }

    private int stop(Path at) throws IOException, InterruptedException {
        MountFiles files = new MountFiles(cluster.find(), at);
        Optional<ProcessHandle> process = files.process();
        Process umount = new ProcessBuilder("umount", at.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(umount.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (umount.waitFor() != 0) {
            throw refused(said);
        }
        process.ifPresent(each -> each.onExit().join());
        Files.deleteIfExists(files.pid());
        console.print(at + " is mounted no more");
        return ExitCode.OK.number();
    }
}
