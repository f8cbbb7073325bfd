package io.lambdafs.datanode.block;

import io.lambdafs.rpc.objects.ServiceAccount;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** fake-gcs-server, and before it a server that takes only what a service account has signed. Ends with {@link #close}. */
public final class FakeGcs implements AutoCloseable {
    private static final Pattern NAME = Pattern.compile("\"name\": *\"([^\"]*)\"");

    private final HttpClient http = HttpClient.newHttpClient();
    private final Emulator fake;
    private final ServiceAccount account;
    private final SignedOnly front;

    private FakeGcs(Emulator fake, ServiceAccount account) throws IOException {
        this.fake = fake;
        this.account = account;
        this.front = new SignedOnly(address(), account.key());
    }

    /**
     * Starts it; skips the tests where there is no fake-gcs-server on the PATH, and {@code LAMBDAFS_FAKE_GCS} names none.
     *
     * @param directory for the account's key
     */
    public static FakeGcs start(Path directory) throws IOException, InterruptedException {
        Emulator fake = Emulator.start("fake-gcs-server", "LAMBDAFS_FAKE_GCS", Map.of(), port -> {
            String address = "127.0.0.1:" + port;
            return List.of(
                    "-scheme",
                    "http",
                    "-host",
                    "127.0.0.1",
                    "-port",
                    Integer.toString(port),
                    "-backend",
                    "memory",
                    "-public-host",
                    address,
                    "-external-url",
                    "http://" + address);
        });
        return new FakeGcs(fake, ServiceAccount.create(directory));
    }

    /** Where it takes anything. */
    public URI address() {
        return URI.create("http://127.0.0.1:" + fake.port());
    }

    /** Returns the environment of a signer with the account's key. */
    public Map<String, String> environment() {
        return Map.of(
                "GOOGLE_APPLICATION_CREDENTIALS",
                account.file().toString(),
                "STORAGE_EMULATOR_HOST",
                front.address().toString());
    }

    public void makeBucket(String name) throws IOException, InterruptedException {
        ask(HttpRequest.newBuilder(address().resolve("/storage/v1/b?project=p"))
                .header("content-type", "application/json")
                .POST(BodyPublishers.ofString("{\"name\": \"" + name + "\"}")));
    }

    /** The names of all objects. */
    public List<String> names(String bucket) throws IOException, InterruptedException {
        String listing = ask(HttpRequest.newBuilder(address().resolve("/storage/v1/b/" + bucket + "/o")));
        return NAME.matcher(listing).results().map(each -> each.group(1)).toList();
    }

    private String ask(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException("fake-gcs-server answers " + answer.statusCode() + " " + answer.body());
        }
        return answer.body();
    }

    @Override
    public void close() {
        front.close();
        fake.close();
    }
}
