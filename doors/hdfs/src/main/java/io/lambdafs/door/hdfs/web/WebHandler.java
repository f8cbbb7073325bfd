package io.lambdafs.door.hdfs.web;

import io.lambdafs.door.hdfs.calls.Users;
import io.lambdafs.door.hdfs.metrics.DoorMetrics;
import io.lambdafs.rpc.http.HttpCall;
import io.lambdafs.rpc.http.HttpHandler;
import io.lambdafs.rpc.http.HttpReply;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.web.JsonUtil;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.security.AccessControlException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers HDFS's REST API on workers, which may wait. Contents are taken at the address that the first request is
 * redirected to, this one. Thread-safe.
 */
final class WebHandler implements HttpHandler {
    private static final Logger LOG = LoggerFactory.getLogger(WebHandler.class);

    private final WebReads reads;
    private final WebWrites writes;
    private final WebContents contents;
    private final Working working;

    /**
     * The way that calls are worked on.
     *
     * @param workers at most so many as calls may wait at once; refuses more
     */
    record Working(Executor workers, DoorMetrics metrics) {}

    WebHandler(WebReads reads, WebWrites writes, WebContents contents, Working working) {
        this.reads = reads;
        this.writes = writes;
        this.contents = contents;
        this.working = working;
    }

    /** An answer, which may wait. */
    private interface Answer {
        HttpReply give() throws IOException;
    }

    @Override
    public Optional<HttpReply> refuse(HttpCall head) {
        if (!WebCall.isOne(head)) {
            return Optional.of(HttpReply.text(404, "no such page; there is " + WebCall.PREFIX + "\n"));
        }
        // A page of a browser may ask this machine anything, in the name of whoever reads it.
        if (head.header("origin").isPresent() || !isOwn(host(head))) {
            return Optional.of(WebReplies.failure(new AccessControlException(
                    "a door answers no pages of other sites: no Origin, and a Host of this machine")));
        }
        WebCall call = WebCall.of(head);
        if (!call.get("doas", "").isEmpty()) {
            return Optional.of(WebReplies.failure(new AccessControlException("a door knows no proxy users")));
        }
        return call.writes() && !call.carriesData() ? Optional.of(redirected(head, call)) : Optional.empty();
    }

    private static String host(HttpCall call) {
        return call.header("host").orElse("");
    }

    /** Other names may be anybody's, whatever address they have at the moment. */
    private static boolean isOwn(String host) {
        int port = host.lastIndexOf(':');
        String name = port > host.lastIndexOf(']') ? host.substring(0, port) : host;
        return name.equals("localhost") || name.equals("[::1]") || name.matches("127(\\.[0-9]{1,3}){3}");
    }

    private static HttpReply redirected(HttpCall head, WebCall call) {
        String query = head.query().entrySet().stream()
                .map(each -> encoded(each.getKey()) + "=" + encoded(each.getValue()))
                .collect(Collectors.joining("&"));
        String path = encoded(head.path()).replace("%2F", "/").replace("+", "%20");
        String place = "http://" + host(head) + path + "?" + WebCall.withData(query);
        return call.flag("noredirect")
                ? WebReplies.json(JsonUtil.toJsonString("Location", place))
                : HttpReply.empty(307).withHeader("Location", place);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }

    @Override
    public Admission admit(HttpCall head) {
        Admission admission = HttpHandler.super.admit(head);
        if (admission instanceof Admission.Collected) {
            WebCall call = WebCall.of(head);
            if (call.carriesData()) {
                return new Admission.Taken(body -> answer(call, () -> contents.write(call, body)));
            }
        }
        return admission;
    }

    @Override
    public CompletionStage<HttpReply> handle(HttpCall asked) {
        WebCall call = WebCall.of(asked);
        if (call.operation().equals("GET OPEN")) {
            return answer(call, () -> contents.read(call));
        }
        return answer(call, () -> call.operation().startsWith("GET ") ? reads.answer(call) : writes.answer(call));
    }

    private CompletionStage<HttpReply> answer(WebCall call, Answer answer) {
        CompletableFuture<HttpReply> reply = new CompletableFuture<>();
        try {
            working.workers().execute(() -> reply.complete(answered(call, answer)));
        } catch (RejectedExecutionException full) {
            reply.complete(WebReplies.json(
                    503, JsonUtil.toJsonString(new RetriableException("the door has too much to do: ask again"))));
        }
        return reply;
    }

    private HttpReply answered(WebCall call, Answer answer) {
        long since = System.nanoTime();
        String name = call.operation();
        try {
            return Users.as(call.user(), answer::give);
        } catch (IOException | RuntimeException e) {
            LOG.debug("{} {} fails", name, call.path(), e);
            working.metrics().failed(e);
            // A client could make up any number of names.
            name = e instanceof UnsupportedOperationException ? "other" : name;
            return WebReplies.failure(e);
        } finally {
            working.metrics().answered(name, System.nanoTime() - since);
        }
    }

    @Override
    public HttpReply refusal(int status, String message) {
        return WebReplies.json(status, JsonUtil.toJsonString(new IOException(message)));
    }
}
