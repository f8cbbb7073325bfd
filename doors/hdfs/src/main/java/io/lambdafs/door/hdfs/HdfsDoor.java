package io.lambdafs.door.hdfs;

import io.lambdafs.client.config.ClientConfig;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.model.FsException;
import io.lambdafs.rpc.Hosts;
import io.lambdafs.rpc.ServiceMain;
import io.lambdafs.rpc.auth.Secret;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.proto.ClientNamenodeProtocolProtos.ClientNamenodeProtocol;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolServerSideTranslatorPB;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.security.AccessControlException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running door: calls at one port, data at another. Thread-safe. */
public final class HdfsDoor implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HdfsDoor.class);
    private static final int HANDLERS = 32;
    private static final int READERS = 2;
    /** Longest call. */
    private static final int MOST_CALL_BYTES = 4 << 20;

    private final Users users;
    private final WrittenFiles written;
    private final DataServer data;
    private final RPC.Server calls;

    private HdfsDoor(Users users, WrittenFiles written, DataServer data, RPC.Server calls) {
        this.users = users;
        this.written = written;
        this.data = data;
        this.calls = calls;
    }

    /**
     * Starts a door in this process.
     *
     * @throws IllegalArgumentException if the cluster's file gives a token: a door acts for many users, by the secret
     * @throws IOException if an address is taken or a file cannot be read
     */
    public static HdfsDoor start(HdfsDoorConfig config) throws IOException {
        Secret secret = secret(config.cluster());
        BlockSeals seals = new BlockSeals(secret.derived("block tokens of the hdfs door"));
        CallIds ids = new CallIds(secret.derived("request ids of the hdfs door"));
        Users users = new Users(config.cluster());
        WrittenFiles written = new WrittenFiles();
        DataServer data = null;
        try {
            data = DataServer.start(new InetSocketAddress(config.listen(), config.dataPort()), users, written, seals);
            BlockMap blocks = new BlockMap(seals, data.address());
            RPC.Server calls = calls(
                    config,
                    new NameCalls(users, ids),
                    new FileCalls(users, written, blocks, ids),
                    new ListCalls(users, blocks),
                    new StateCalls(users, blocks));
            calls.start();
            HdfsDoor door = new HdfsDoor(users, written, data, calls);
            int port = calls.getListenerAddress().getPort();
            LOG.warn(
                    "Hdfs door ready at hdfs://{}, data at {}: it believes whoever connects, for its authentication is {}",
                    Hosts.withPort(config.listen().getHostAddress(), port),
                    data.address(),
                    config.authentication().label());
            if (config.portFile().isPresent()) {
                ServiceMain.writePort(config.portFile().get(), port);
            }
            return door;
        } catch (IOException | RuntimeException e) {
            if (data != null) {
                data.close();
            }
            written.close();
            users.close();
            throw e;
        }
    }

    /**
     * Starts a door for a command.
     *
     * @param listen empty for loopback
     * @throws FsException {@code INVALID_ARGUMENT} or {@code UNAVAILABLE}
     */
    public static HdfsDoor open(Path cluster, String listen, int port) {
        try {
            InetAddress host = InetAddress.getByName(listen.isEmpty() ? Hosts.loopback() : Hosts.bare(listen));
            return start(
                    new HdfsDoorConfig(cluster, HdfsDoorConfig.Authentication.SIMPLE, host, port, 0, Optional.empty()));
        } catch (IOException e) {
            throw new FsException(ErrorCode.UNAVAILABLE, "the door cannot be opened: " + e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            throw new FsException(ErrorCode.INVALID_ARGUMENT, String.valueOf(e.getMessage()), e);
        }
    }

    private static Secret secret(Path cluster) {
        ClientConfig client = ClientConfig.load(cluster.resolve("client.json"));
        if (client.token() != null) {
            throw new IllegalArgumentException(cluster
                    + " has a token for one user: a door acts for each of its users, and needs the cluster's secret");
        }
        Secret secret = client.secret();
        // An insecure cluster has none: then no other door serves this door's blocks.
        return secret == null ? Secret.generate() : secret;
    }

    private static RPC.Server calls(HdfsDoorConfig config, Object... answering) throws IOException {
        Configuration hadoop = new Configuration(false);
        hadoop.setInt("ipc.maximum.data.length", MOST_CALL_BYTES);
        RPC.setProtocolEngine(hadoop, ClientNamenodeProtocolPB.class, ProtobufRpcEngine2.class);
        ClientProtocol answers = Answers.of(List.of(answering), new RepeatedCalls());
        RPC.Server server = new RPC.Builder(hadoop)
                .setProtocol(ClientNamenodeProtocolPB.class)
                .setInstance(ClientNamenodeProtocol.newReflectiveBlockingService(
                        new ClientNamenodeProtocolServerSideTranslatorPB(answers)))
                .setBindAddress(config.listen().getHostAddress())
                .setPort(config.port())
                .setNumHandlers(HANDLERS)
                .setNumReaders(READERS)
                .setVerbose(false)
                .build();
        // Answers, not faults of this server.
        server.addSuppressedLoggingExceptions(
                FileNotFoundException.class,
                FileAlreadyExistsException.class,
                ParentNotDirectoryException.class,
                PathIsNotEmptyDirectoryException.class,
                PathIOException.class,
                AccessControlException.class,
                UnsupportedOperationException.class,
                IOException.class);
        return server;
    }

    /** Returns the address of the calls. */
    public InetSocketAddress address() {
        return calls.getListenerAddress();
    }

    @Override
    public void close() {
        LOG.info("Hdfs door stops");
        calls.stop();
        data.close();
        written.close();
        users.close();
    }
}
