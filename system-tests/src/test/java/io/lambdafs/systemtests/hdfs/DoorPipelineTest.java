package io.lambdafs.systemtests.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lambdafs.door.hdfs.HdfsDoor;
import io.lambdafs.door.hdfs.HdfsDoorConfig;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.ipc.Client;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A door that loses connections, or takes over from another, and whose peers send what no client does. */
class DoorPipelineTest {
    @TempDir
    private Path folder;

    private DoorCluster cluster;
    private HdfsDoor door;

    @BeforeEach
    void start() throws IOException {
        cluster = DoorCluster.start(folder);
        door = HdfsDoor.start(HdfsDoorConfig.of(cluster.directory(), "", 0));
    }

    @AfterEach
    void stop() {
        door.close();
        cluster.close();
    }

    /** As a client whose connection is lost in the middle of a block. */
    @Test
    void shouldGoOnWithABlockByAnotherConnection() throws Exception {
        ClientProtocol calls = DoorCalls.of(door.address(), UserGroupInformation.getCurrentUser());
        LocatedBlock block = DoorCalls.begun(calls, "/again");
        long file = calls.getFileInfo("/again").getFileId();
        assertThat(block.getLocations()).hasSizeGreaterThan(1);
        LocatedBlock again = calls.updateBlockForPipeline(block.getBlock(), "raw");
        try (RawBlockWriter next = new RawBlockWriter(again)) {
            assertThat(next.goOn(again)).isEqualTo(Status.SUCCESS);
            calls.updatePipeline(
                    "raw", block.getBlock(), again.getBlock(), block.getLocations(), block.getStorageIDs());
            assertThat(next.send(512, new byte[1_024], false)).isEqualTo(Status.SUCCESS);
        }
        again.getBlock().setNumBytes(1_536);
        assertThatThrownBy(() -> calls.updateBlockForPipeline(block.getBlock(), "another"))
                .hasMessageContaining("is not being written by another");
        assertThat(calls.complete("/again", "raw", again.getBlock(), file)).isTrue();
        assertThat(calls.getFileInfo("/again").getLen()).isEqualTo(1_536);
    }

    private HdfsDoor door(String own, String other) throws IOException {
        return HdfsDoor.start(new HdfsDoorConfig(
                cluster.directory(),
                HdfsDoorConfig.Authentication.SIMPLE,
                InetAddress.getLoopbackAddress(),
                0,
                new HdfsDoorConfig.Data(0, Optional.of(folder.resolve(own)), List.of(folder.resolve(other))),
                Optional.empty(),
                new HdfsDoorConfig.Pages("127.0.0.1", 0, Optional.empty())));
    }

    /** As a client whose door is lost in the middle of a block, and which another client's recovery fences, or does not. */
    @Test
    void shouldGoOnAtAnotherDoorUnlessTheFileHasBeenTaken() throws Exception {
        try (HdfsDoor one = door("data-1", "data-2");
                HdfsDoor two = door("data-2", "data-1")) {
            UserGroupInformation me = UserGroupInformation.getCurrentUser();
            ClientProtocol first = DoorCalls.of(one.address(), me);
            ClientProtocol second = DoorCalls.of(two.address(), me);
            LocatedBlock left = DoorCalls.begun(first, "/left");
            LocatedBlock again = second.updateBlockForPipeline(left.getBlock(), "raw");
            try (RawBlockWriter next = new RawBlockWriter(again)) {
                assertThat(next.goOn(again)).isEqualTo(Status.SUCCESS);
                assertThat(next.send(512, new byte[1_024], false)).isEqualTo(Status.SUCCESS);
            }
            again.getBlock().setNumBytes(1_536);
            long file = second.getFileInfo("/left").getFileId();
            assertThat(second.complete("/left", "raw", again.getBlock(), file)).isTrue();
            assertThat(first.getFileInfo("/left").getLen()).isEqualTo(1_536);
            // Closed by another: nothing can be added.
            LocatedBlock closed = DoorCalls.begun(first, "/closed");
            second.recoverLease("/closed", "another");
            LocatedBlock late = second.updateBlockForPipeline(closed.getBlock(), "raw");
            try (RawBlockWriter next = new RawBlockWriter(late)) {
                assertThat(next.goOn(late)).isEqualTo(Status.SUCCESS);
                assertThat(next.send(1_024, new byte[10], false)).isEqualTo(Status.ERROR);
            }
            assertThat(first.getFileInfo("/closed").getLen()).isEqualTo(1_024);
            // Written by another.
            LocatedBlock taken = DoorCalls.begun(first, "/taken");
            second.recoverLease("/taken", "another");
            Configuration own = new Configuration();
            own.set("lambdafs.dir", cluster.directory().toString());
            try (FileSystem fs = FileSystem.newInstance(URI.create("lambdafs:///"), own);
                    var out = fs.append(new org.apache.hadoop.fs.Path("/taken"))) {
                out.write(1);
                out.hflush();
                assertThatThrownBy(() -> second.updateBlockForPipeline(taken.getBlock(), "raw"))
                        .hasMessageContaining("is not being written by raw");
                out.write(2);
            }
            assertThat(first.getFileInfo("/taken").getLen()).isEqualTo(1_026);
        }
    }

    /** As a client that loses the answer of the first door, and repeats its call at the second. */
    @Test
    void shouldAppendAndConcatOnceThroughTwoDoors() throws Exception {
        try (HdfsDoor one = door("data-1", "data-2");
                HdfsDoor two = door("data-2", "data-1")) {
            UserGroupInformation me = UserGroupInformation.getCurrentUser();
            ClientProtocol first = DoorCalls.of(one.address(), me);
            ClientProtocol second = DoorCalls.of(two.address(), me);
            for (String path : List.of("/once/target", "/once/a", "/once/b")) {
                small(one, path);
            }
            EnumSetWritable<CreateFlag> append = new EnumSetWritable<>(EnumSet.of(CreateFlag.APPEND));
            for (ClientProtocol each : List.of(first, first, second)) {
                Client.setCallIdAndRetryCount(1_000_003, 0, null);
                each.concat("/once/target", new String[] {"/once/a", "/once/b"});
                Client.setCallIdAndRetryCount(1_000_004, 0, null);
                assertThat(each.append("/once/target", "raw", append)
                                .getFileStatus()
                                .getLen())
                        .isEqualTo(300);
            }
            long file = second.getFileInfo("/once/target").getFileId();
            LocatedBlock block =
                    second.addBlock("/once/target", "raw", null, null, file, null, EnumSet.noneOf(AddBlockFlag.class));
            try (RawBlockWriter writer = new RawBlockWriter(block)) {
                assertThat(writer.begin(block, block.getBlockToken())).isEqualTo(Status.SUCCESS);
                assertThat(writer.send(0, new byte[1_024], false)).isEqualTo(Status.SUCCESS);
            }
            // The first door has the file open too, and knows nothing of the block.
            LocatedBlock again = first.updateBlockForPipeline(block.getBlock(), "raw");
            again.getBlock().setNumBytes(1_024);
            assertThat(first.complete("/once/target", "raw", again.getBlock(), file))
                    .isTrue();
            assertThat(second.getFileInfo("/once/target").getLen()).isEqualTo(1_324);
        }
    }

    private static void small(HdfsDoor door, String path) throws IOException {
        URI address = URI.create("hdfs://127.0.0.1:" + door.address().getPort());
        try (FileSystem fs = FileSystem.newInstance(address, new Configuration());
                var out = fs.create(new org.apache.hadoop.fs.Path(path))) {
            out.write(new byte[100]);
        }
    }

    /** Wrong magic, wrong versions, lengths of gigabytes and peers that say nothing: refused or closed, and others are served. */
    @Test
    void shouldServeOthersWhateverOnePeerSends() throws Exception {
        ClientProtocol calls = DoorCalls.of(door.address(), UserGroupInformation.getCurrentUser());
        InetSocketAddress data = dataPort(calls);
        byte[] text = "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
        byte[] header = {'h', 'r', 'p', 'c', 9, 0, 0};
        byte[] longCall = {'h', 'r', 'p', 'c', 9, 0, 0, 0x7f, -1, -1, -1};
        byte[] negative = {'h', 'r', 'p', 'c', 9, 0, 0, -1, -1, -1, -1};
        byte[] version = {0, 27, 81, 0};
        byte[] longRequest = {0, 28, 81, -1, -1, -1, -1, 7};
        byte[] operation = {0, 28, 99, 0};
        List<Socket> open = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            for (byte[] each : List.of(text, header, longCall, negative, new byte[1 << 16])) {
                open.add(sent(door.address(), each));
            }
            for (byte[] each : List.of(text, version, longRequest, operation, new byte[1 << 16], new byte[1])) {
                open.add(sent(data, each));
            }
        }
        // Within what the data port has room for; those that say nothing are closed after a while.
        for (int i = 0; i < 150; i++) {
            open.add(sent(data, new byte[0]));
        }
        assertThat(calls.mkdirs("/others", FsPermission.getDirDefault(), true)).isTrue();
        Configuration stock = new Configuration();
        try (FileSystem fs = FileSystem.newInstance(
                URI.create("hdfs://127.0.0.1:" + door.address().getPort()), stock)) {
            try (var out = fs.create(new org.apache.hadoop.fs.Path("/others/file"))) {
                out.write(new byte[100_000]);
            }
        }
        for (Socket each : open) {
            each.close();
        }
    }

    private static Socket sent(InetSocketAddress port, byte[] bytes) throws IOException {
        Socket socket = new Socket(port.getAddress(), port.getPort());
        try {
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
        } catch (SocketException refused) {
            // Closed before it had taken all.
            return socket;
        }
        return socket;
    }

    private static InetSocketAddress dataPort(ClientProtocol calls) throws IOException {
        DatanodeInfo node = calls.getDatanodeReport(HdfsConstants.DatanodeReportType.LIVE)[0];
        return new InetSocketAddress(node.getIpAddr(), node.getXferPort());
    }
}
