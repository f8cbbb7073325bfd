package io.lambdafs.door.hdfs;

import io.lambdafs.door.hdfs.calls.BlockMap;
import io.lambdafs.door.hdfs.calls.BlockSeals;
import io.lambdafs.door.hdfs.calls.CallIds;
import io.lambdafs.door.hdfs.calls.FileCalls;
import io.lambdafs.door.hdfs.calls.ListCalls;
import io.lambdafs.door.hdfs.calls.NameCalls;
import io.lambdafs.door.hdfs.calls.OtherDoors;
import io.lambdafs.door.hdfs.calls.PipelineCalls;
import io.lambdafs.door.hdfs.calls.StateCalls;
import io.lambdafs.door.hdfs.calls.Successors;
import io.lambdafs.door.hdfs.calls.Users;
import io.lambdafs.door.hdfs.data.DataContext;
import io.lambdafs.door.hdfs.data.DataServer;
import io.lambdafs.rpc.ServiceMain;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.OptionalInt;
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
public final class HdfsDoor implements Door {
    private static final Logger LOG = LoggerFactory.getLogger(HdfsDoor.class);
    private static final int HANDLERS = 32;
    private static final int READERS = 2;
    /** Longest call. */
    private static final int MOST_CALL_BYTES = 4 << 20;

    private final DoorParts parts;
    private final DataServer data;
    private final RPC.Server calls;

    private HdfsDoor(DoorParts parts, DataServer data, RPC.Server calls) {
        this.parts = parts;
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
        DoorParts parts = new DoorParts(config);
        DataServer data = null;
        try {
            Users users = parts.users();
            CallIds ids = parts.keys().calls();
            BlockSeals seals = parts.keys().blocks();
            data = data(config, new DataContext(users, parts.written(), seals, parts.metrics()));
            if (config.data().portFile().isPresent()) {
                ServiceMain.writePort(
                        config.data().portFile().get(), data.address().getPort());
            }
            BlockMap blocks = new BlockMap(
                    seals,
                    data.address(),
                    new OtherDoors(config.listen(), config.data().others()));
            Successors successors = new Successors(users, parts.written(), blocks, ids);
            RPC.Server calls = calls(
                    config,
                    Answers.of(
                            List.of(
                                    new NameCalls(users, ids),
                                    new FileCalls(users, parts.written(), blocks, ids, successors),
                                    new PipelineCalls(parts.written(), blocks, successors),
                                    new ListCalls(users, blocks),
                                    new StateCalls(users, blocks)),
                            new RepeatedCalls(),
                            parts.metrics()));
            calls.start();
            parts.metrics().watchConnections(calls::getNumOpenConnections);
            LOG.info("Data at {}", data.address());
            parts.ready("hdfs", calls.getListenerAddress());
            return new HdfsDoor(parts, data, calls);
        } catch (IOException | RuntimeException e) {
            if (data != null) {
                data.close();
            }
            parts.close();
            throw e;
        }
    }

    /** A door that is started again takes its former port where it is free: other doors have told clients of it. */
    private static DataServer data(HdfsDoorConfig config, DataContext context) throws IOException {
        OptionalInt former = config.data().former();
        if (former.isPresent()) {
            try {
                return DataServer.start(new InetSocketAddress(config.listen(), former.getAsInt()), context);
            } catch (IOException taken) {
                LOG.info("The former data port {} is taken: {}", former.getAsInt(), taken.toString());
            }
        }
        return DataServer.start(
                new InetSocketAddress(config.listen(), config.data().port()), context);
    }

    private static RPC.Server calls(HdfsDoorConfig config, ClientProtocol answers) throws IOException {
        Configuration hadoop = new Configuration(false);
        hadoop.setInt("ipc.maximum.data.length", MOST_CALL_BYTES);
        RPC.setProtocolEngine(hadoop, ClientNamenodeProtocolPB.class, ProtobufRpcEngine2.class);
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

    @Override
    public InetSocketAddress address() {
        return calls.getListenerAddress();
    }

    @Override
    public void close() {
        calls.stop();
        data.close();
        parts.close();
    }
}
