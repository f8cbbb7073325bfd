package io.lambdafs.systemtests.hdfs;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.lambdafs.model.ErrorCode;
import io.lambdafs.rpc.objects.ObjectPlace;
import io.lambdafs.rpc.objects.ObjectSigner;
import io.lambdafs.rpc.objects.S3Credentials;
import io.lambdafs.rpc.objects.S3Signer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An object store in this JVM for whoever has a URL, that refuses, loses, delays or changes what it holds, as it is told to. It looks at no signature: stores that do are
 * in the contract suite of block stores. Thread-safe.
 */
final class ObjectServer implements BlockFaults {
    private static final Pattern RANGE = Pattern.compile("bytes=(\\d+)-(\\d+)");

    private final ConcurrentSkipListMap<String, byte[]> objects = new ConcurrentSkipListMap<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server;
    private final Refusals refusals = new Refusals();
    private volatile long flipAt = -1;
    private volatile long delayMillis;

    ObjectServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    ObjectSigner signer() {
        return S3Signer.of(
                ObjectPlace.of("s3://bucket"),
                Optional.of(URI.create("http://127.0.0.1:" + server.getAddress().getPort())),
                Optional.empty(),
                "us-east-1",
                new S3Credentials("a-user", "a-password", ""));
    }

    @Override
    public void refuse(int calls, ErrorCode code) {
        refusals.next(calls, code);
    }

    @Override
    public int refusalsLeft() {
        return refusals.left();
    }

    @Override
    public void flip(long position) {
        flipAt = position;
    }

    /** Answers everything only after a while. */
    void delay(long millis) {
        delayMillis = millis;
    }

    @Override
    public List<String> keys() {
        return List.copyOf(objects.keySet());
    }

    @Override
    public void lose(String key) {
        objects.remove(key);
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readAllBytes();
            TimeUnit.MILLISECONDS.sleep(delayMillis);
            ErrorCode code = refusals.take();
            if (code != null) {
                fail(
                        exchange,
                        switch (code) {
                            case STORE_FULL -> 507;
                            case PERMISSION_DENIED, TOKEN_EXPIRED -> 403;
                            default -> 503;
                        },
                        code == ErrorCode.TOKEN_EXPIRED ? "ExpiredToken" : "Refused");
                return;
            }
            answer(exchange, exchange.getRequestURI().getPath(), body);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void answer(HttpExchange exchange, String key, byte[] body) throws IOException {
        switch (exchange.getRequestMethod()) {
            case "PUT" -> {
                if (objects.putIfAbsent(key, body) == null) {
                    exchange.sendResponseHeaders(200, -1);
                } else {
                    fail(exchange, 412, "PreconditionFailed");
                }
            }
            case "DELETE" -> {
                objects.remove(key);
                exchange.sendResponseHeaders(204, -1);
            }
            default -> read(exchange, objects.get(key));
        }
    }

    private void read(HttpExchange exchange, byte @Nullable [] object) throws IOException {
        Matcher range = RANGE.matcher(exchange.getRequestHeaders().getFirst("Range"));
        if (object == null || !range.matches()) {
            fail(exchange, 404, "NoSuchKey");
            return;
        }
        int from = Integer.parseInt(range.group(1));
        int to = Math.min(object.length, Integer.parseInt(range.group(2)) + 1);
        if (from >= to) {
            fail(exchange, 416, "InvalidRange");
            return;
        }
        byte[] part = Arrays.copyOfRange(object, from, to);
        long place = flipAt - from;
        if (flipAt >= 0 && place >= 0 && place < part.length) {
            part[(int) place] ^= 1;
        }
        exchange.sendResponseHeaders(206, part.length);
        exchange.getResponseBody().write(part);
    }

    private static void fail(HttpExchange exchange, int status, String code) throws IOException {
        byte[] body = ("<Error><Code>" + code + "</Code></Error>").getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
