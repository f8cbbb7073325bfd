package io.lambdafs.door.hdfs;

import io.lambdafs.door.hdfs.calls.DoorKeys;
import io.lambdafs.door.hdfs.calls.Users;
import io.lambdafs.door.hdfs.calls.WrittenFiles;
import io.lambdafs.door.hdfs.metrics.DoorMetrics;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.ServiceMain;
import io.lambdafs.rpc.http.HttpLimits;
import io.lambdafs.rpc.http.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The parts that a door has whatever it speaks: its users, the files being written, its numbers and their pages. Thread-safe. */
public final class DoorParts implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DoorParts.class);

    private final HdfsDoorConfig config;
    private final DoorKeys keys;
    private final Users users;
    private final WrittenFiles written = new WrittenFiles();
    private final DoorMetrics metrics;
    private final HttpServer pages;

    /**
     * Opens the parts.
     *
     * @throws IllegalArgumentException if the cluster's file gives a token: a door acts for many users, by the secret
     * @throws IOException if the address of the pages cannot be had
     */
    public DoorParts(HdfsDoorConfig config) throws IOException {
        this.config = config;
        keys = DoorKeys.of(config.cluster());
        users = new Users(config.cluster());
        metrics = new DoorMetrics(users::reach);
        metrics.watchFiles(written::count);
        try {
            pages = HttpServer.start(
                    new InetSocketAddress(config.pages().host(), config.pages().port()), metrics, HttpLimits.pages());
        } catch (IOException e) {
            written.close();
            users.close();
            throw e;
        }
    }

    public DoorKeys keys() {
        return keys;
    }

    public Users users() {
        return users;
    }

    public WrittenFiles written() {
        return written;
    }

    public DoorMetrics metrics() {
        return metrics;
    }

    /** Tells that the door serves calls at an address. */
    public void ready(String scheme, InetSocketAddress calls) throws IOException {
        LOG.warn(
                "Door ready at {}://{}, numbers at {}: it believes whoever connects, for its authentication is {}",
                scheme,
                Hosts.withPort(calls.getAddress().getHostAddress(), calls.getPort()),
                pages.address(),
                config.authentication().label());
        if (config.pages().portFile().isPresent()) {
            ServiceMain.writePort(config.pages().portFile().get(), pages.port());
        }
        if (config.portFile().isPresent()) {
            ServiceMain.writePort(config.portFile().get(), calls.getPort());
        }
    }

    @Override
    public void close() {
        LOG.info("Door stops");
        pages.close();
        written.close();
        users.close();
    }
}
