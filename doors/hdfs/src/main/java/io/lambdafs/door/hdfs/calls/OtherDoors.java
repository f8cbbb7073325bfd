package io.lambdafs.door.hdfs.calls;

import io.lambdafs.rpc.ServiceMain;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** The data ports of the cluster's other doors, as their files say; read again every second. Thread-safe. */
public final class OtherDoors {
    private static final long AGE_NANOS = Duration.ofSeconds(1).toNanos();

    private final InetAddress host;
    private final List<Path> files;
    private final LongSupplier nanoTime;
    private List<InetSocketAddress> known = List.of();
    private long readAt;

    /** @param host of all doors */
    public OtherDoors(InetAddress host, List<Path> files) {
        this(host, files, System::nanoTime);
    }

    OtherDoors(InetAddress host, List<Path> files, LongSupplier nanoTime) {
        this.host = host;
        this.files = List.copyOf(files);
        this.nanoTime = nanoTime;
        this.readAt = nanoTime.getAsLong() - AGE_NANOS;
    }

    /** Returns whether the cluster has others, be they running or not. */
    boolean any() {
        return !files.isEmpty();
    }

    synchronized List<InetSocketAddress> addresses() {
        long now = nanoTime.getAsLong();
        if (now - readAt >= AGE_NANOS) {
            List<InetSocketAddress> found = new ArrayList<>();
            // A door that has never run has none.
            files.forEach(
                    file -> ServiceMain.readPort(file).ifPresent(port -> found.add(new InetSocketAddress(host, port))));
            known = List.copyOf(found);
            readAt = now;
        }
        return known;
    }
}
