package io.lambdafs.systemtests;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A proxy as operators have one before several services: it gives a server of this machine a path. */
final class PathProxy implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpClient client = HttpClient.newHttpClient();
    private final String path;
    private final int port;

    private PathProxy(HttpServer server, String path, int port) {
        this.server = server;
        this.path = path;
        this.port = port;
    }

    static PathProxy start(String path, int port) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        PathProxy proxy = new PathProxy(server, path, port);
        server.setExecutor(proxy.threads);
        server.createContext(path, proxy::pass);
        server.start();
        return proxy;
    }

    /** Returns what stands for the server's address. */
    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    private void pass(HttpExchange exchange) throws IOException {
        String there = exchange.getRequestURI().getRawPath().substring(path.length());
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + there));
        String shown = exchange.getRequestHeaders().getFirst("Authorization");
        if (shown != null) {
            request.header("Authorization", shown);
        }
        try (exchange) {
            HttpResponse<InputStream> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
            answer.headers().map().forEach((name, values) -> {
                if (!name.equals("transfer-encoding") && !name.equals("content-length")) {
                    exchange.getResponseHeaders().put(name, values);
                }
            });
            exchange.sendResponseHeaders(answer.statusCode(), 0);
            try (InputStream from = answer.body()) {
                OutputStream to = exchange.getResponseBody();
                byte[] buffer = new byte[16 << 10];
                for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
                    to.write(buffer, 0, read);
                    to.flush();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
