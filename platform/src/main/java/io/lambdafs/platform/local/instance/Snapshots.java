package io.lambdafs.platform.local.instance;

import io.lambdafs.model.disk.Folders;
import io.lambdafs.model.disk.PrivateFolder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Images of rehearsed processes in the user's cache, from which instances are restored. An image is made once for all
 * that its {@link SnapshotKey} names, in the background, by one gateway; while there is none, or after {@value
 * #MOST_FAILURES} failures, instances start without. Only its owner may read it. Thread-safe.
 */
final class Snapshots implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Snapshots.class);
    private static final int MOST_FAILURES = 3;
    private static final int KEPT = 4;
    private static final Duration REHEARSAL_LIMIT = Duration.ofMinutes(3);
    private static final long POLL_MILLIS = 20;
    private static final Set<PosixFilePermission> OWNER_ONLY = PosixFilePermissions.fromString("rw-------");
    /** The variables that a template is given: it must not know more. */
    private static final Set<String> HARMLESS = Set.of("LANG", "LC_ALL", "TZ");
    /** The variables that change how a JVM works from its start on: a copy would not follow them. */
    private static final List<String> OF_THE_START =
            List.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "LD_PRELOAD", "LD_LIBRARY_PATH");

    private final SnapshotEngine engine;
    private final Path cache;
    private final Set<String> making = ConcurrentHashMap.newKeySet();
    private final Set<String> known = ConcurrentHashMap.newKeySet();
    private final Map<Process, Boolean> templates = new ConcurrentHashMap<>();
    private final AtomicInteger failures = new AtomicInteger();
    private volatile @Nullable String machine;

    /** @param cache directory of the images */
    Snapshots(SnapshotEngine engine, Path cache) {
        this.engine = engine;
        this.cache = cache;
    }

    /**
     * Returns the image of a template, which is begun if there is none.
     *
     * @param command starts the template, which makes the file that its last argument names when it can be taken
     */
    Optional<Path> image(List<String> command) {
        if (failures.get() >= MOST_FAILURES || !mayServe(System.getenv())) {
            return Optional.empty();
        }
        try {
            Path image = cache.resolve(SnapshotKey.of(engine.name(), command, machine()));
            if (Files.isDirectory(image)) {
                if (known.add(image.toString())) {
                    LOG.info("{} {} from now on, from the image {}", ProcessLauncher.RESTORES, engine.name(), image);
                }
                return Optional.of(image);
            }
            if (making.add(image.toString())) {
                Thread maker = new Thread(() -> make(command, image), "snapshot");
                maker.setDaemon(true);
                maker.start();
            }
        } catch (IOException e) {
            failed("An image could not be named", e);
        }
        return Optional.empty();
    }

    /** Returns whether a copy works as an instance that is started from its program in an environment. */
    static boolean mayServe(Map<String, String> environment) {
        return OF_THE_START.stream()
                .allMatch(name -> environment.getOrDefault(name, "").isEmpty());
    }

    /** Returns what stays as long as this process: looked up once, for every start asks. */
    private String machine() throws IOException {
        String known = machine;
        if (known == null) {
            known = SnapshotKey.machine(harmless());
            machine = known;
        }
        return known;
    }

    /**
     * Restores an instance.
     *
     * @param environment told to it
     * @param output receives what it prints
     */
    SnapshotEngine.Restored restore(Path image, Map<String, String> environment, Path output) throws IOException {
        SnapshotEngine.Restored copy = engine.restore(image, output);
        StringBuilder letter = new StringBuilder();
        environment.forEach(
                (name, value) -> letter.append(name).append('=').append(value).append('\0'));
        try {
            OutputStream input = copy.holder().getOutputStream();
            input.write(letter.append('\0').toString().getBytes(StandardCharsets.UTF_8));
            // Stays open: its end is that of this process.
            input.flush();
            return copy;
        } catch (IOException e) {
            copy.holder().destroyForcibly();
            throw e;
        }
    }

    /** Notes that an instance was restored. */
    void succeeded() {
        failures.set(0);
    }

    /** Notes that an instance could not be restored, or an image not be made. */
    void failed(String what, Throwable why) {
        LOG.warn(
                "{}: {}{}",
                what,
                why.getMessage(),
                failures.incrementAndGet() >= MOST_FAILURES ? "; from now on instances start without images" : "");
    }

    private void make(List<String> command, Path image) {
        try {
            Files.createDirectories(cache, PrivateFolder.forFolder(cache));
            Path lock = cache.resolve(image.getFileName() + ".lock");
            try (FileChannel channel = FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                    FileLock held = channel.lock()) {
                if (held.isValid() && !Files.isDirectory(image)) {
                    long begun = System.nanoTime();
                    takeTo(image, command);
                    LOG.info(
                            "Made the image {} in {} ms",
                            image,
                            TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun));
                }
            }
            Files.deleteIfExists(lock);
            prune(image);
        } catch (IOException | RuntimeException e) {
            failed("No image of an instance could be made", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            making.remove(image.toString());
        }
    }

    private void takeTo(Path image, List<String> command) throws IOException, InterruptedException {
        Path draft = Files.createTempDirectory(cache, "draft");
        Path ready = draft.resolve("ready");
        List<String> line = new ArrayList<>(command);
        line.add(ready.toString());
        Process template = start(line);
        templates.put(template, true);
        try {
            awaitReady(template, ready);
            Path content = draft.resolve("image");
            Files.createDirectory(content, PrivateFolder.forFolder(content));
            engine.take(template, content);
            restrict(content);
            Files.move(content, image);
        } finally {
            template.destroyForcibly();
            templates.remove(template);
            Folders.delete(draft);
        }
    }

    private static Process start(List<String> line) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(line).redirectErrorStream(true);
        builder.directory(Path.of("/").toFile());
        builder.environment().clear();
        builder.environment().putAll(harmless());
        return builder.start();
    }

    private static Map<String, String> harmless() {
        Map<String, String> harmless = new HashMap<>(System.getenv());
        harmless.keySet().retainAll(HARMLESS);
        return harmless;
    }

    private static void awaitReady(Process template, Path ready) throws IOException, InterruptedException {
        long end = System.nanoTime() + REHEARSAL_LIMIT.toNanos();
        while (!Files.exists(ready)) {
            if (!template.isAlive() || System.nanoTime() - end > 0) {
                InputStream told = template.getInputStream();
                throw new IOException("the rehearsal did not end: "
                        + new String(told.readNBytes(told.available()), StandardCharsets.UTF_8));
            }
            TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
        }
    }

    private static void restrict(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            for (Path each : (Iterable<Path>) files::iterator) {
                Files.setPosixFilePermissions(each, OWNER_ONLY);
            }
        }
    }

    /** Removes the oldest images. */
    private void prune(Path newest) throws IOException {
        List<Path> images = new ArrayList<>();
        try (Stream<Path> all = Files.list(cache)) {
            all.filter(each -> Files.isDirectory(each) && !each.equals(newest))
                    .filter(each -> each.getFileName().toString().length()
                            == newest.getFileName().toString().length())
                    .forEach(images::add);
        }
        images.sort(Comparator.comparing((Path each) -> each.toFile().lastModified()));
        for (int i = 0; i <= images.size() - KEPT; i++) {
            Folders.delete(images.get(i));
        }
    }

    /** Ends templates that rehearse. */
    @Override
    public void close() {
        templates.keySet().forEach(Process::destroyForcibly);
    }
}
