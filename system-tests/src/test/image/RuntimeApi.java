import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.Executors;

/**
 * AWS Lambda's Runtime API for one process, which test --image starts in a container: whenever it asks, it is handed
 * the same event; its last response is kept in a file. Ends by itself. Arguments: port, event, file.
 */
public final class RuntimeApi {
    private static final String INVOCATION = "/2018-06-01/runtime/invocation/";

    private static final long LIFE_MILLIS = 600_000;

    private RuntimeApi() {}

    public static void main(String[] arguments) throws Exception {
        byte[] event = arguments[1].getBytes(StandardCharsets.UTF_8);
        Path file = Path.of(arguments[2]);
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext(INVOCATION, call -> {
            byte[] body = call.getRequestBody().readAllBytes();
            boolean asks = call.getRequestURI().getPath().endsWith("/next");
            if (asks) {
                call.getResponseHeaders().set("Lambda-Runtime-Aws-Request-Id", "1");
                call.getResponseHeaders()
                        .set(
                                "Lambda-Runtime-Invoked-Function-Arn",
                                "arn:aws:lambda:eu-north-1:123456789012:function:namenode2");
                // The runtime client crashes without.
                call.getResponseHeaders().set("Content-Type", "application/json");
                call.getResponseHeaders()
                        .set("Lambda-Runtime-Deadline-Ms", Long.toString(System.currentTimeMillis() + 60_000));
            } else {
                Path part = Files.write(Path.of(file + ".part"), body);
                Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
            }
            byte[] answer = asks ? event : new byte[0];
            call.sendResponseHeaders(asks ? 200 : 202, answer.length == 0 ? -1 : answer.length);
            call.getResponseBody().write(answer);
            call.close();
        });
        server.start();
        Thread.sleep(LIFE_MILLIS);
        System.exit(0);
    }
}
