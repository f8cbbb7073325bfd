package io.lambdafs.systemtests;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;

/** A collector that takes OTLP by HTTP, as much of it as names spans and their parents. */
final class SpanSink implements AutoCloseable {
    private static final int LENGTH_DELIMITED = 2;

    /**
     * A span.
     *
     * @param scope who made it
     * @param parent id of the span above; empty for the first of a trace
     */
    record Span(String scope, String name, String trace, String id, String parent) {}

    private final HttpServer server;
    private final List<Span> spans = new CopyOnWriteArrayList<>();

    SpanSink() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/v1/traces", exchange -> {
            fields(exchange.getRequestBody().readAllBytes(), (number, resource) -> {
                if (number == 1) {
                    fields(resource, (inner, scoped) -> {
                        if (inner == 2) {
                            scoped(scoped);
                        }
                    });
                }
            });
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        server.start();
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    List<Span> spans() {
        return List.copyOf(spans);
    }

    private void scoped(byte[] bytes) {
        String[] scope = {""};
        fields(bytes, (number, field) -> {
            if (number == 1) {
                fields(field, (inner, name) -> scope[0] = inner == 1 ? text(name) : scope[0]);
            } else if (number == 2) {
                spans.add(span(scope[0], field));
            }
        });
    }

    private static Span span(String scope, byte[] bytes) {
        String[] values = {"", "", "", "", "", ""};
        fields(bytes, (number, field) -> {
            if (number == 5) {
                values[5] = text(field);
            } else if (number < 5) {
                values[number] = HexFormat.of().formatHex(field);
            }
        });
        return new Span(scope, values[5], values[1], values[2], values[4]);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }

    /** Protocol Buffers' wire format: calls for each field that has a length. */
    private static void fields(byte[] bytes, BiConsumer<Integer, byte[]> each) {
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        while (in.hasRemaining()) {
            long tag = number(in);
            switch ((int) tag & 7) {
                case 0 -> number(in);
                case 1 -> in.getLong();
                case LENGTH_DELIMITED -> {
                    byte[] field = new byte[(int) number(in)];
                    in.get(field);
                    each.accept((int) (tag >> 3), field);
                }
                case 5 -> in.getInt();
                default -> throw new IllegalStateException("not OTLP");
            }
        }
    }

    private static long number(ByteBuffer in) {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = in.get();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
