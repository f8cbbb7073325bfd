package io.lambdafs.systemtests.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Malformed calls at an S3 door. */
class S3LimitsTest extends S3DoorCase {
    private String answer(String request) throws IOException {
        try (Socket socket = connect()) {
            socket.setSoTimeout(10_000);
            socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
            socket.shutdownOutput();
            InputStream in = socket.getInputStream();
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket();
        socket.connect(
                new InetSocketAddress(
                        InetAddress.getLoopbackAddress(), door.address().getPort()),
                10_000);
        return socket;
    }

    @Test
    void shouldRefuseWhatIsNoCallAndServeOthers() throws Exception {
        put("key", bytes(10));
        String host = "Host: 127.0.0.1\r\nConnection: close\r\n";
        String signed = "Authorization: AWS4-HMAC-SHA256 Credential=" + mine.id()
                + "/20130524/us-east-1/s3/aws4_request, SignedHeaders=host, Signature=" + "0".repeat(64) + "\r\n";
        for (String request : List.of(
                "GET /bucket/key HTTP/1.1\r\n" + host + "\r\n",
                "GET /bucket/%ff%fe HTTP/1.1\r\n" + host + signed + "\r\n",
                "GET /bucket/%zz HTTP/1.1\r\n" + host + signed + "\r\n",
                "GET /bucket/key?X-Amz-Signature=1 HTTP/1.1\r\n" + host + "\r\n",
                "PUT /bucket/key HTTP/1.1\r\n" + host + signed + "Content-Length: 99999999999999\r\n\r\nx",
                "PUT /bucket/key HTTP/1.1\r\n" + host + signed + "Content-Length: -5\r\n\r\n",
                "POST /bucket?delete HTTP/1.1\r\n" + host + signed + "Transfer-Encoding: chunked\r\n\r\nzz\r\n",
                "BREW /bucket HTTP/1.1\r\n" + host + "\r\n",
                "GET /bucket/key HTTP/1.1\r\n" + host + "X: " + "y".repeat(70_000) + "\r\n\r\n")) {
            assertThat(answer(request)).as(request.substring(0, 40)).startsWith("HTTP/1.1 4");
        }
        Random random = new Random(1);
        for (int i = 0; i < 200; i++) {
            byte[] noise = new byte[random.nextInt(300)];
            random.nextBytes(noise);
            try {
                answer(new String(noise, StandardCharsets.ISO_8859_1));
            } catch (IOException reset) {
                // It may be cut off without an answer.
                assertThat(reset).isNotInstanceOf(SocketTimeoutException.class);
            }
        }

        assertThat(get("key")).isEqualTo(bytes(10));
    }

    @Test
    void shouldRefuseXmlThatItDoesNotTake() throws Exception {
        String bomb = "<!DOCTYPE d [<!ENTITY a \"aaaaaaaaaa\"><!ENTITY b \"&a;&a;&a;&a;\">]><Delete>&b;</Delete>";
        for (String body : List.of("", "<", "<Delete/>", "<Other/>", bomb, "<Delete>" + "<a>".repeat(10_000))) {
            assertThat(S3RawCall.of(mine, address()).post("/" + BUCKET, "delete", body))
                    .as(body)
                    .isEqualTo(400);
        }
    }
}
