package io.lambdafs.hammer.grid;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Reads the events of a cluster's live page, as the page does in a browser, until it is closed. Thread-safe. */
final class Viewer implements AutoCloseable {
    private static final long FIRST_SECONDS = 10;
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final InputStream events;
    private final CountDownLatch first = new CountDownLatch(1);
    private final AtomicLong bytes = new AtomicLong();
    private final Thread reader = new Thread(this::read, "viewer");

    /**
     * Returns when the first events have come.
     *
     * @param page its address, with the token
     */
    Viewer(URI page) throws IOException, InterruptedException {
        URI stream = URI.create(page.toString().replace("/dashboard", "/dashboard/events"));
        HttpResponse<InputStream> answer =
                HTTP.send(HttpRequest.newBuilder(stream).build(), HttpResponse.BodyHandlers.ofInputStream());
        events = answer.body();
        if (answer.statusCode() != 200) {
            throw new IOException("the live page's events are not to be had: "
                    + new String(events.readAllBytes(), StandardCharsets.UTF_8));
        }
        reader.setDaemon(true);
        reader.start();
        if (!first.await(FIRST_SECONDS, TimeUnit.SECONDS)) {
            close();
            throw new IOException("the live page sent nothing within " + FIRST_SECONDS + " s");
        }
    }

    private void read() {
        byte[] buffer = new byte[64 << 10];
        try {
            for (int read = events.read(buffer); read >= 0; read = events.read(buffer)) {
                bytes.addAndGet(read);
                first.countDown();
            }
        } catch (IOException closed) {
            // By close, or with the cluster: what came until then counts.
            first.countDown();
        }
    }

    /** What has come so far. */
    long bytes() {
        return bytes.get();
    }

    @Override
    public void close() throws IOException {
        events.close();
    }
}
