package io.lambdafs.systemtests.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.protocol.ClientProtocol;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.proto.DataTransferProtos.Status;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolPB;
import org.apache.hadoop.hdfs.protocolPB.ClientNamenodeProtocolTranslatorPB;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.ipc.ProtobufRpcEngine2;
import org.apache.hadoop.ipc.RPC;
import org.apache.hadoop.net.NetUtils;
import org.apache.hadoop.security.UserGroupInformation;

/** Single calls at a door. Stateless. */
final class DoorCalls {
    private DoorCalls() {}

    static ClientProtocol of(InetSocketAddress door, UserGroupInformation user) throws IOException {
        Configuration configuration = new Configuration();
        RPC.setProtocolEngine(configuration, ClientNamenodeProtocolPB.class, ProtobufRpcEngine2.class);
        return new ClientNamenodeProtocolTranslatorPB(RPC.getProxy(
                ClientNamenodeProtocolPB.class,
                RPC.getProtocolVersion(ClientNamenodeProtocolPB.class),
                door,
                user,
                configuration,
                NetUtils.getDefaultSocketFactory(configuration)));
    }

    /** Creates a file and returns its first block. */
    static LocatedBlock first(ClientProtocol calls, String path) throws IOException {
        HdfsFileStatus file = calls.create(
                path,
                FsPermission.getFileDefault(),
                "raw",
                new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)),
                true,
                (short) 1,
                1 << 20,
                new CryptoProtocolVersion[0],
                null,
                null);
        return calls.addBlock(path, "raw", null, null, file.getFileId(), null, EnumSet.noneOf(AddBlockFlag.class));
    }

    /** Begins a file whose first 1,024 bytes are acknowledged. */
    static LocatedBlock begun(ClientProtocol calls, String path) throws IOException {
        LocatedBlock block = first(calls, path);
        try (RawBlockWriter writer = new RawBlockWriter(block)) {
            assertThat(writer.begin(block, block.getBlockToken())).isEqualTo(Status.SUCCESS);
            assertThat(writer.send(0, new byte[1_024], false)).isEqualTo(Status.SUCCESS);
        }
        return block;
    }
}
