package io.lambdafs.systemtests;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.Random;

/** Bytes that no peer of this system sends, to be sent raw to one of its ports. */
enum CorruptInput {
    /** A length prefix of 1 GiB, as this system and as ZooKeeper read it. */
    GIBIBYTE_PREFIX(frame(1 << 30, 1, 0)),
    NEGATIVE_PREFIX(frame(-1, 1, 0)),
    /** A frame of a version that nobody speaks. */
    UNKNOWN_VERSION(frame(64, 77, 0)),
    /** A frame that is neither request nor reply. */
    UNKNOWN_KIND(frame(64, 1, 9)),
    NOISE(noise());

    /** Size of the filler after the first bytes: more than any server waits for before it refuses them. */
    private static final int FILLER_BYTES = 256 << 10;

    private static final int CONNECT_MILLIS = 2_000;
    private static final int READ_MILLIS = 15_000;

    @SuppressWarnings("ImmutableEnumChecker") // never written to
    private final byte[] start;

    CorruptInput(byte[] start) {
        this.start = start;
    }

    private static byte[] frame(int length, int version, int kind) {
        ByteBuffer bytes = ByteBuffer.allocate(68);
        bytes.putInt(length).put((byte) version).put((byte) kind).putLong(42);
        while (bytes.hasRemaining()) {
            bytes.put((byte) 0x55);
        }
        return bytes.array();
    }

    private static byte[] noise() {
        byte[] bytes = new byte[4_096];
        new Random(7).nextBytes(bytes);
        bytes[0] = (byte) 0x7f;
        return bytes;
    }

    /** Sends this to a port of this machine; true if the other side closed the connection in time. */
    boolean isRefusedBy(int port) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_MILLIS);
            socket.setSoTimeout(READ_MILLIS);
            OutputStream out = socket.getOutputStream();
            out.write(start);
            out.write(new byte[FILLER_BYTES]);
            byte[] answer = new byte[4_096];
            int read = 0;
            while (read >= 0) {
                read = socket.getInputStream().read(answer);
            }
            return true;
        } catch (SocketTimeoutException open) {
            return false;
        } catch (SocketException resetOrBroken) {
            return true;
        }
    }
}
