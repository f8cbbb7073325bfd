package io.lambdafs.door.hdfs.calls;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.security.AccessControlException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files that clients write through this door, by id, and when each client was last heard of. As in HDFS a file of a
 * client that has been silent for a minute is closed for another one that wants it, and after twenty minutes anyway. At
 * most {@value #MOST}. Thread-safe.
 */
public final class WrittenFiles implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WrittenFiles.class);
    private static final int MOST = 10_000;
    private static final long SILENT_NANOS = Duration.ofMinutes(1).toNanos();
    private static final long LOST_NANOS = Duration.ofMinutes(20).toNanos();
    private static final long SWEEP_SECONDS = 30;

    private final LongSupplier nanoTime;
    private final Map<Long, WrittenFile> files = new HashMap<>();
    private final Map<String, Long> heardOf = new HashMap<>();
    private final ScheduledExecutorService sweeper = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "hdfs-door-leases");
        thread.setDaemon(true);
        return thread;
    });

    public WrittenFiles() {
        this(System::nanoTime);
    }

    WrittenFiles(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        sweeper.scheduleWithFixedDelay(this::closeLost, SWEEP_SECONDS, SWEEP_SECONDS, TimeUnit.SECONDS);
    }

    /** Adds a file that has just been opened. */
    synchronized void add(WrittenFile file) throws IOException {
        if (files.size() >= MOST) {
            throw new IOException(MOST + " files are being written through this door");
        }
        files.put(file.id(), file);
        heardOf.put(key(file.user(), file.client()), nanoTime.getAsLong());
    }

    /** A client's name is its own choice, so it counts with its user only. */
    private static String key(String user, String client) {
        return user + " " + client;
    }

    synchronized void renew(String user, String client) {
        heardOf.computeIfPresent(key(user, client), (name, before) -> nanoTime.getAsLong());
    }

    /**
     * Returns a file for its writer.
     *
     * @param id 0 of an old client, which knows only the path
     * @throws FileNotFoundException as HDFS if it is not being written by this client
     */
    synchronized WrittenFile of(long id, String path, String user, String client) throws IOException {
        WrittenFile file = id == 0
                ? files.values().stream()
                        .filter(each -> each.path().toString().equals(path))
                        .findFirst()
                        .orElse(null)
                : files.get(id);
        if (file == null || !file.client().equals(client)) {
            throw new FileNotFoundException(
                    path + " (inode " + id + ") is not being written by " + client + " through this door");
        }
        if (!file.user().equals(user)) {
            throw new AccessControlException(path + " is being written by another user");
        }
        return file;
    }

    synchronized boolean has(long id) {
        return files.containsKey(id);
    }

    /** Returns a file for the data port. */
    public synchronized WrittenFile of(long id) throws IOException {
        WrittenFile file = files.get(id);
        if (file == null) {
            throw new FileNotFoundException("inode " + id + " is not being written through this door");
        }
        return file;
    }

    synchronized void remove(WrittenFile file) {
        files.remove(file.id(), file);
        String owner = key(file.user(), file.client());
        if (files.values().stream()
                .noneMatch(each -> key(each.user(), each.client()).equals(owner))) {
            heardOf.remove(owner);
        }
    }

    /** Leaves a file to another door. */
    void leave(WrittenFile file) {
        remove(file);
        file.leave();
    }

    /** Returns how many there are. */
    public synchronized int count() {
        return files.size();
    }

    synchronized boolean isWritten(String path) {
        return files.values().stream().anyMatch(each -> each.path().toString().equals(path));
    }

    /** Closes the file at a path for another client, with the bytes received. */
    void close(String path) {
        close(file -> file.path().toString().equals(path));
    }

    /** Closes the file at a path if its client is silent; returns whether there was one. */
    boolean closeSilent(String path) {
        return close(file -> file.path().toString().equals(path) && silentNanos(file) > SILENT_NANOS);
    }

    private void closeLost() {
        close(file -> silentNanos(file) > LOST_NANOS);
    }

    private long silentNanos(WrittenFile file) {
        Long heard = heardOf.get(key(file.user(), file.client()));
        return heard == null ? Long.MAX_VALUE : nanoTime.getAsLong() - heard;
    }

    private boolean close(Predicate<WrittenFile> which) {
        List<WrittenFile> closing = new ArrayList<>();
        synchronized (this) {
            files.values().stream().filter(which).forEach(closing::add);
            closing.forEach(this::remove);
        }
        for (WrittenFile file : closing) {
            try {
                file.finish();
                LOG.info("Closed {} on behalf of {}", file.path(), file.client());
            } catch (IOException e) {
                LOG.warn("{} could not be closed on behalf of {}: {}", file.path(), file.client(), e.toString());
            }
        }
        return !closing.isEmpty();
    }

    /** Leaves the files to their writer leases. */
    @Override
    public void close() {
        sweeper.shutdownNow();
    }
}
