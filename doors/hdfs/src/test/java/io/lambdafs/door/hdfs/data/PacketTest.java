package io.lambdafs.door.hdfs.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import org.apache.hadoop.fs.ChecksumException;
import org.apache.hadoop.hdfs.protocol.datatransfer.PacketHeader;
import org.apache.hadoop.util.DataChecksum;
import org.junit.jupiter.api.Test;

class PacketTest {
    private static final DataChecksum CHECKSUM = DataChecksum.newDataChecksum(DataChecksum.Type.CRC32C, 512);

    private final byte[] content = new byte[1_300];
    private final Packet packet = new Packet(CHECKSUM);

    PacketTest() {
        new Random(4).nextBytes(content);
    }

    private byte[] sent() throws IOException {
        return sent(content);
    }

    private static byte[] sent(byte[] content) throws IOException {
        int chunk = CHECKSUM.getBytesPerChecksum();
        ByteBuffer sums = ByteBuffer.allocate((content.length + chunk - 1) / chunk * CHECKSUM.getChecksumSize());
        CHECKSUM.calculateChunkedSums(ByteBuffer.wrap(content), sums);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        new PacketHeader(4 + sums.capacity() + content.length, 1_024, 9, false, content.length, true).write(out);
        out.write(sums.array());
        out.write(content);
        return bytes.toByteArray();
    }

    private void read(byte[] bytes) throws IOException {
        packet.read(new DataInputStream(new ByteArrayInputStream(bytes)));
    }

    @Test
    void shouldReadWhatAClientSends() throws IOException {
        read(sent());
        packet.verify("f");

        assertThat(packet.data()).isEqualTo(ByteBuffer.wrap(content));
        assertThat(packet.header().getOffsetInBlock()).isEqualTo(1_024);
        assertThat(packet.header().getSyncBlock()).isTrue();
    }

    @Test
    void shouldFindADamagedByte() throws IOException {
        byte[] damaged = sent();
        damaged[damaged.length - 1]++;
        read(damaged);

        assertThatThrownBy(() -> packet.verify("f")).isInstanceOf(ChecksumException.class);
    }

    /** Sends whole packets, of data and checksums, so that nothing but the limit refuses the second. */
    @Test
    void shouldReadAPacketOfTheMostBytesAndRefuseOneMore() throws IOException {
        byte[] most = new byte[Packet.MOST_BYTES - Integer.BYTES - 2_033 * CHECKSUM.getChecksumSize()];
        read(sent(most));
        packet.verify("f");
        assertThat(packet.data()).isEqualTo(ByteBuffer.wrap(most));

        byte[] more = sent(new byte[most.length + 1]);
        assertThatThrownBy(() -> read(more)).hasMessageContaining("too long for a door");
    }

    @Test
    void shouldRefuseLengthsThatCannotBe() throws IOException {
        for (int length : new int[] {Integer.MAX_VALUE, Integer.MIN_VALUE, -1, 0, 3, Packet.MOST_BYTES + 1}) {
            byte[] bytes = sent();
            ByteBuffer.wrap(bytes).putInt(length);

            assertThatThrownBy(() -> read(bytes)).as("%d", length).isInstanceOf(IOException.class);
        }
        byte[] header = sent();
        ByteBuffer.wrap(header).putShort(4, (short) -1);
        assertThatThrownBy(() -> read(header)).isInstanceOf(IOException.class);
    }
}
